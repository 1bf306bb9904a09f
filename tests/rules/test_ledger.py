"""The ledger lists what counts, in one order, and nothing else."""

from __future__ import annotations

from dataclasses import replace

from accord.model.ledger import LedgerEvent, VoteRound
from accord.model.paths import LEDGER
from accord.model.snapshot import DecisionFiles, RoundFiles, Stored
from accord.rules.evaluate import evaluate
from accord.rules.ledger import check_ledger, list_events
from tests.rules.situations import AGREED, CORRELATED, ESCALATED, NEXT, REFUSED, SEALED, SYNTHESIS
from tests.support import aftermath as a
from tests.support import files as b
from tests.support.tables import table

RECORD = b.digest_of("record")


def events_of(decision: DecisionFiles, record: str | None = None) -> tuple[LedgerEvent, ...]:
    return list_events(decision, evaluate(decision), record)


def say(events: tuple[LedgerEvent, ...]) -> list[tuple[str, str]]:
    return [(event.event, event.digest) for event in events]


def opened(files: RoundFiles) -> list[tuple[str, str]]:
    """The events with which every round begins."""
    proposal, ballot = b.proposal_of(files), b.ballot_of(files)
    begun = [("proposal", proposal.digest), ("round_opened", ballot.digest)]
    return [*begun, ("vote_round", b.transcript_of(files))] if files.votes else begun


MINORITY = b.cast(b.open_round(), challenger=b.MINOR, implementer={}, reviewer={})
AMENDED = b.affirm_all(b.amend(MINORITY))
assert AMENDED.amendment
assert REFUSED.resolution
RULING = a.ruling_file(ESCALATED, SYNTHESIS)
RUNS = tuple(a.check_file(CORRELATED, number=number) for number in (10, 9))
OTHER_RUN = a.check_file(CORRELATED, name="audit", by=b.DECIDER)
LOOKS = tuple(a.rederivation_file(CORRELATED, by=by) for by in ("outsider", "auditor"))
DRAFT = b.proposal_file()
DRAFTED = RoundFiles(number=1, draft=Stored(DRAFT.record, DRAFT.path, DRAFT.digest))
WITHDRAWN = a.withdrawal_file(None)
LATE = b.cast(b.close(b.cast(b.open_round(), challenger={}, implementer={})), reviewer=b.MAJOR)


@table(
    ("decision", "record", "expected"),
    {
        "agreed": (b.decide(AGREED), RECORD, [*opened(AGREED), ("record", RECORD)]),
        "no record yet": (b.decide(AGREED), None, opened(AGREED)),
        "nobody has voted": (b.decide(b.open_round()), None, opened(b.open_round())),
        "closed, and nobody has voted": (
            b.decide(b.close(b.open_round())),
            None,
            opened(b.open_round()),
        ),
        "amended": (
            b.decide(AMENDED),
            None,
            [*opened(AMENDED), ("amendment", AMENDED.amendment.digest)],
        ),
        "two rounds": (
            b.decide(REFUSED, NEXT),
            None,
            [*opened(REFUSED), ("resolution", REFUSED.resolution.digest), *opened(NEXT)],
        ),
        "ruled": (
            b.decide(ESCALATED, synthesis=SYNTHESIS, ruling=RULING),
            RECORD,
            [
                *opened(ESCALATED),
                *([("resolution", ESCALATED.resolution.digest)] if ESCALATED.resolution else []),
                ("ruling", RULING.digest),
                ("record", RECORD),
            ],
        ),
        "the last run of each check, and second looks, by name": (
            b.decide(CORRELATED, checks=(*RUNS, OTHER_RUN), rederivations=LOOKS),
            None,
            [
                *opened(CORRELATED),
                ("check", OTHER_RUN.digest),
                ("check", RUNS[0].digest),
                ("rederivation", LOOKS[1].digest),
                ("rederivation", LOOKS[0].digest),
            ],
        ),
        "a draft": (b.decide(DRAFTED), None, []),
        "nothing": (b.decide(), None, []),
        "a draft that was withdrawn": (
            b.decide(DRAFTED, withdrawal=WITHDRAWN),
            RECORD,
            [("withdrawal", WITHDRAWN.digest), ("record", RECORD)],
        ),
        "an import": (b.decide(), RECORD, [("record", RECORD)]),
    },
)
def test_what_happened(
    decision: DecisionFiles, record: str | None, expected: list[tuple[str, str]]
) -> None:
    assert say(events_of(decision, record)) == expected


@table(
    ("decision", "left_out"),
    {
        "a ruling that came too early": (
            b.decide(
                REFUSED,
                synthesis=a.synthesis_file(REFUSED),
                ruling=a.ruling_file(REFUSED, a.synthesis_file(REFUSED)),
            ),
            "ruling",
        ),
        "a check by a voter": (
            b.decide(AGREED, checks=(a.check_file(AGREED, by="implementer"),)),
            "check",
        ),
        "a second look by a voter": (
            b.decide(AGREED, rederivations=(a.rederivation_file(AGREED, by="reviewer"),)),
            "rederivation",
        ),
        "an amendment of nothing": (b.decide(b.amend(AGREED)), "amendment"),
        "a resolution by no authority": (
            b.decide(replace(REFUSED, resolution=replace(REFUSED.resolution, signer=b.DECIDER))),
            "resolution",
        ),
        "a withdrawal by a voter": (
            b.decide(REFUSED, withdrawal=a.withdrawal_file(REFUSED, by="reviewer")),
            "withdrawal",
        ),
        "a round of a class that it may not have": (
            b.decide(b.open_round(voters=b.seats(("implementer", "reviewer")))),
            "round_opened",
        ),
    },
)
def test_what_does_not_count_is_not_in_it(decision: DecisionFiles, left_out: str) -> None:
    assert left_out not in {event.event for event in events_of(decision)}


def vote_round(*rounds: RoundFiles) -> VoteRound:
    return [event for event in events_of(b.decide(*rounds)) if isinstance(event, VoteRound)][-1]


@table(
    ("rounds", "result", "voters"),
    {
        "all agree": ((AGREED,), "unanimous", b.VOTERS),
        "one objects": ((REFUSED,), "decision_triggered", b.VOTERS),
        "some have voted": ((b.cast(b.open_round(), reviewer={}),), "open", ("reviewer",)),
        "a vote is late": ((LATE,), "inconclusive", ("challenger", "implementer")),
        "one was taken back": (
            (b.affirm(b.cast_all(b.open_round()), reviewer=b.RETRACT),),
            "decision_triggered",
            b.VOTERS,
        ),
        "sealed and opened": ((SEALED,), "unanimous", b.VOTERS),
    },
)
def test_how_a_round_came_out(
    rounds: tuple[RoundFiles, ...], result: str, voters: tuple[str, ...]
) -> None:
    event = vote_round(*rounds)
    assert (event.result, event.voters) == (result, voters)
    assert event.proposal == f"{b.ID}/{len(rounds)}"


def test_a_later_round_has_its_own_number() -> None:
    assert vote_round(REFUSED, b.cast(NEXT, reviewer={})).proposal == f"{b.ID}/2"


def test_the_time_of_a_round_is_that_of_its_last_vote() -> None:
    files = b.cast(
        b.open_round(),
        challenger={"cast_at": "2026-11-30T11:00:00.25Z"},
        implementer={"cast_at": "2026-11-30T11:00:00.3Z"},
        reviewer={"cast_at": "2026-11-30T11:00:00Z"},
    )
    assert vote_round(files).timestamp == "2026-11-30T11:00:00.3Z"


def test_one_moment_that_is_written_in_two_ways() -> None:
    times = {"challenger": "2026-11-30T11:00:00.50Z", "reviewer": "2026-11-30T11:00:00.5Z"}
    files = b.cast(b.open_round(), **{name: {"cast_at": at} for name, at in times.items()})
    assert vote_round(files) == vote_round(replace(files, votes=files.votes[::-1]))


def test_the_first_line_of_what_has_ended_names_the_record() -> None:
    assert [event.prev for event in events_of(b.decide(AGREED), RECORD)] == [
        RECORD,
        None,
        None,
        None,
    ]
    assert {event.prev for event in events_of(b.decide(AGREED))} == {None}
    (only,) = events_of(b.decide(), RECORD)
    assert (only.digest, only.prev) == (RECORD, RECORD)


ONE, TWO = b'{"a":1}\n', b'{"a":2}\n'


@table(
    ("there", "line", "words"),
    {
        "none": (None, None, "there is no ledger"),
        "empty": (b"", None, "it ends before line 1"),
        "a line is missing at the end": (ONE, 2, "it ends before line 2"),
        "a line is missing": (TWO, 1, "line 1 is not the one"),
        "lines swapped": (TWO + ONE, 1, "line 1 is not the one"),
        "another byte": (ONE + b'{"a":3}\n', 2, "line 2 is not the one"),
        "no line feed at the end": (ONE + TWO[:-1], 2, "line 2 is not the one"),
        "other line ends": ((ONE + TWO).replace(b"\n", b"\r\n"), 1, "line 1 is not the one"),
        "a line more": (ONE + TWO + TWO, 3, "from line 3 on it says what no decision gives"),
        "a blank line more": (ONE + TWO + b"\n", 3, "from line 3 on"),
        "not text": (b"\xff\x00", 1, "line 1 is not the one"),
    },
)
def test_a_stale_ledger(there: bytes | None, line: int | None, words: str) -> None:
    (finding,) = check_ledger(there, ONE + TWO)
    assert (finding.code, finding.path, finding.line) == ("ledger-stale", LEDGER, line)
    assert finding.message.startswith(words)


@table(
    ("there", "due"),
    {
        "the same": (ONE + TWO, ONE + TWO),
        "none, and none is due": (None, b""),
        "an empty one, and none is due": (b"", b""),
    },
)
def test_a_ledger_that_is_right(there: bytes | None, due: bytes) -> None:
    assert check_ledger(there, due) == ()


def test_a_ledger_of_nothing() -> None:
    assert check_ledger(ONE, b"")[0].message.startswith("from line 1 on")
