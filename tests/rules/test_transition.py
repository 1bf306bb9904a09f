"""What one step may change: frozen is what counts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from accord.model.finding import Finding
from accord.model.ids import digest_map
from accord.model.policy import Policy
from accord.model.resolution import Counted
from accord.model.snapshot import RoundFiles, Stored
from accord.rules.evaluate import Judgement, evaluate
from accord.rules.order import find_logged_orders, is_order_affirmed
from accord.rules.roster import check_against_policy
from accord.rules.step import DecisionStep
from accord.rules.transition import (
    check_arrival,
    check_policy_change,
    check_step,
)
from tests.rules.situations import AGREED, IMPORTED, REFUSED, SEALED, ended_step
from tests.support import aftermath as a
from tests.support import files as b
from tests.support.tables import table

VOTES = f"decisions/{b.ID}/rounds/1/votes"
SEALED_ONLY = replace(SEALED, votes=(), affirmations=())


def tree(files: RoundFiles | None) -> dict[str, str]:
    """Every file of a round by its path, with something that stands for its bytes."""
    if files is None:
        return {}
    single = (files.proposal, files.ballot, files.amendment, files.close, files.resolution)
    many = (*files.seals, *files.votes, *files.affirmations)
    return {file.path: file.digest for file in (*single, *many) if file is not None}


def check(before: RoundFiles | None, after: RoundFiles, policy: Policy | None = None) -> list[str]:
    found = check_step(
        DecisionStep(
            decision=b.ID,
            base=evaluate(b.decide(before)) if before else None,
            head=evaluate(b.decide(after)),
            before=tree(before),
            after=tree(after),
            policy=policy or policy_of(after),
        )
    )
    return [f"{finding.code} {finding.path.split('/')[-1]}" for finding in found]


def policy_of(files: RoundFiles) -> Policy:
    """The policy that the ballot of a round copies."""
    rules = b.ballot_of(files).record.rules
    cls = b.make_class(ballots=rules.ballots, anchored=rules.anchored, max_rounds=rules.max_rounds)
    return a.make_policy(classes={"architecture": cls})


OPENED = b.open_round()
VOTED = b.cast(OPENED, implementer={})
VOTE, NOTE = f"{VOTES}/implementer.yaml", f"decisions/{b.ID}/evidence/note.txt"
INCOMPLETE = b.cast(OPENED, implementer={"rationale": None})
NAMED_SEALS = b.affirm_all(
    replace(SEALED, affirmations=()),
    seals=digest_map({seal.signer: seal.digest for seal in SEALED.seals}),
)


@table(
    ("before", "after", "found"),
    {
        "nothing happens": (AGREED, AGREED, []),
        "a decision enters": (None, OPENED, []),
        "a vote enters": (OPENED, VOTED, []),
        "a vote goes": (VOTED, OPENED, ["signed-file-deleted implementer.yaml"]),
        "a vote changes": (
            VOTED,
            b.cast(OPENED, implementer={"rationale": "On second thoughts."}),
            ["frozen-file-changed implementer.yaml"],
        ),
        "a vote that never counted goes": (INCOMPLETE, OPENED, []),
        "a vote that never counted is mended": (INCOMPLETE, VOTED, []),
        "all votes enter at once": (OPENED, b.cast_all(OPENED), []),
        "a vote follows another": (
            VOTED,
            b.cast(VOTED, reviewer={}),
            ["saw-other-votes reviewer.yaml"],
        ),
        "the seals enter": (b.open_round(rules=b.SEALED), SEALED_ONLY, []),
        "the votes are opened": (SEALED_ONLY, SEALED, []),
        "seals and votes in one step": (
            b.open_round(rules=b.SEALED),
            SEALED,
            [f"seal-order-unproven {voter}.yaml" for voter in b.VOTERS],
        ),
        "seals and votes in one step, proven by affirmations": (
            b.open_round(rules=b.SEALED),
            NAMED_SEALS,
            [],
        ),
        "a vote is opened before all have sealed": (
            b.open_round(rules=b.SEALED),
            b.cast(b.open_round(rules=b.SEALED), implementer={}, reviewer={}),
            ["revealed-before-sealed implementer.yaml", "revealed-before-sealed reviewer.yaml"],
        ),
        "a round is closed": (VOTED, b.close(VOTED), []),
        "a round is closed over a vote": (
            VOTED,
            b.close(VOTED, counted=Counted()),
            ["frozen-file-changed close.yaml"],
        ),
        "a vote that nobody had seen comes after a close": (
            OPENED,
            b.close(VOTED, counted=Counted()),
            [],
        ),
        "it stays closed": (b.close(VOTED), b.close(VOTED), []),
        "a vote is opened after the close": (
            closed := b.close(
                replace(b.cast(b.open_round(rules=b.SEALED), implementer={}), votes=())
            ),
            replace(closed, votes=b.cast(b.open_round(rules=b.SEALED), implementer={}).votes),
            [],
        ),
    },
)
def test_steps(before: RoundFiles | None, after: RoundFiles, found: list[str]) -> None:
    assert check(before, after) == found


@table(
    ("path", "edit", "found"),
    {
        "its signature changes": (VOTE, {f"{VOTE}.sig": "other"}, ["frozen-file-changed"]),
        "its signature goes": (VOTE, {f"{VOTE}.sig": ""}, ["frozen-file-changed"]),
        "another is added": (VOTE, {f"{VOTE}.sigstore.json": "new"}, ["frozen-file-changed"]),
        "both go": (VOTE, {VOTE: "", f"{VOTE}.sig": ""}, ["signed-file-deleted"]),
        "evidence has no signature": (NOTE, {f"{NOTE}.sig": "new"}, []),
    },
)
def test_signatures_are_frozen_too(path: str, edit: dict[str, str], found: list[str]) -> None:
    judgement = replace(evaluate(b.decide(VOTED)), counted=frozenset({path}))
    before = tree(VOTED) | {f"{VOTE}.sig": "good", NOTE: "note"}
    after = {path: oid for path, oid in (before | edit).items() if oid}
    step = DecisionStep(b.ID, judgement, judgement, before, after, policy_of(VOTED))
    findings = [finding for finding in check_step(step) if finding.path == path]
    assert [finding.code for finding in findings] == found
    assert all("signature" in f.message for f in findings if f.code == "frozen-file-changed")


def log(files: RoundFiles, seals: str | None, votes: str | None) -> RoundFiles:
    """The round as if a log had these times of its seals and votes."""
    return replace(
        files,
        seals=tuple(replace(seal, signed_at=seals) for seal in files.seals),
        votes=tuple(replace(vote, signed_at=votes) for vote in files.votes),
    )


EARLY, LATER = "2026-12-24T09:00:00Z", "2026-12-24T09:00:01Z"
UNPROVEN = [f"seal-order-unproven {voter}.yaml" for voter in b.VOTERS]


@table(
    ("after", "found", "told"),
    {
        "first the seals": (log(SEALED, EARLY, LATER), [], True),
        "within one second": (log(SEALED, EARLY, EARLY), UNPROVEN, False),
        "first the votes": (log(SEALED, LATER, EARLY), UNPROVEN, False),
        "no times of the votes": (log(SEALED, EARLY, None), UNPROVEN, False),
        "no times": (log(SEALED, None, None), UNPROVEN, False),
        "affirmations prove it anyway": (log(NAMED_SEALS, EARLY, LATER), [], False),
        "a seal is missing": (
            log(replace(SEALED, seals=SEALED.seals[1:]), EARLY, LATER),
            [f"revealed-before-sealed {voter}.yaml" for voter in b.VOTERS[1:]],
            False,
        ),
        "nothing is open yet": (log(SEALED_ONLY, EARLY, None), [], False),
    },
)
def test_a_log_shows_the_order(after: RoundFiles, found: list[str], told: bool) -> None:
    before = b.open_round(rules=b.SEALED)
    assert check(before, after) == found
    step = DecisionStep(
        decision=b.ID,
        base=evaluate(b.decide(before)),
        head=evaluate(b.decide(after)),
        before=tree(before),
        after=tree(after),
        policy=policy_of(after),
    )
    assert bool(find_logged_orders(step)) is told


CLOSED = b.close(b.cast(b.open_round(), challenger={}, implementer={}))
LATE = b.cast(CLOSED, reviewer=b.MAJOR)
TAKEN_BACK = b.resolve(
    b.affirm(b.cast(OPENED, challenger=b.MAJOR, implementer={}, reviewer={}), reviewer=b.RETRACT),
    b.answer("challenger"),
    b.answer("reviewer", "MISALIGNED"),
)


@table(
    ("before", "next_round", "found"),
    {
        "all that was there": (REFUSED, b.follow(REFUSED), []),
        "a late vote that nobody could see yet": (CLOSED, b.follow(CLOSED), []),
        "a late vote that was there": (
            LATE,
            b.follow(LATE, previous=b.previous_of(CLOSED)),
            ["round-not-allowed round.yaml"],
        ),
        "a retraction that was there": (
            TAKEN_BACK,
            b.follow(TAKEN_BACK, previous=b.previous_of(TAKEN_BACK, affirmations={})),
            ["round-not-allowed round.yaml"],
        ),
    },
)
def test_a_ballot_names_all_that_counted_before_it(
    before: RoundFiles, next_round: RoundFiles, found: list[str]
) -> None:
    def check_twice(base: tuple[RoundFiles, ...]) -> list[str]:
        head = (LATE if before is CLOSED else before, next_round)
        step = DecisionStep(
            decision=b.ID,
            base=evaluate(b.decide(*base)),
            head=evaluate(b.decide(*head)),
            before={path: digest for files in base for path, digest in tree(files).items()},
            after={path: digest for files in head for path, digest in tree(files).items()},
            policy=policy_of(next_round),
        )
        return [f"{found.code} {found.path.split('/')[-1]}" for found in check_step(step)]

    assert check_twice((before,)) == found
    # Once the ballot is in the base, what comes later changes nothing.
    assert check_twice((before, next_round)) == []


def test_order_is_affirmed_by_all_or_not_at_all() -> None:
    (named,) = evaluate(b.decide(NAMED_SEALS)).rounds
    assert is_order_affirmed(named)
    first, *others = NAMED_SEALS.affirmations
    retracting = replace(
        NAMED_SEALS,
        affirmations=(
            b.changed(first, stance="retract", categories=("SCOPE_CREEP",), severity="major"),
            *others,
        ),
    )
    (retracted,) = evaluate(b.decide(retracting)).rounds
    assert retracted.retracted.keys() == {first.record.voter}
    assert is_order_affirmed(retracted)
    fewer = replace(NAMED_SEALS, affirmations=NAMED_SEALS.affirmations[1:])
    assert not is_order_affirmed(evaluate(b.decide(fewer)).rounds[0])
    other = replace(
        NAMED_SEALS,
        affirmations=(
            b.changed(NAMED_SEALS.affirmations[0], seals=b.digest_of("x")),
            *NAMED_SEALS.affirmations[1:],
        ),
    )
    assert not is_order_affirmed(evaluate(b.decide(other)).rounds[0])


@table(
    ("path", "codes"),
    {
        "a second look": ("rederivations/outsider.yaml", []),
        "its signature": ("rederivations/outsider.yaml.sig", []),
        "a check": ("checks/plan.1.yaml", ["decision-ended"]),
        "a withdrawal": ("withdrawal.yaml", ["decision-ended"]),
        "the signature of a withdrawal": ("withdrawal.yaml.sig", ["decision-ended"]),
        "another round": ("rounds/2/round.yaml", ["decision-ended"]),
        "evidence": ("evidence/more.txt", ["decision-ended"]),
        "what belongs nowhere is said elsewhere": ("notes.txt", []),
    },
)
def test_what_may_enter_after_the_end(path: str, codes: list[str]) -> None:
    found = ended_step(f"decisions/{b.ID}/{path}")
    assert [finding.code for finding in found] == codes


def test_late_votes_may_enter_after_the_end() -> None:
    closed = b.close(b.affirm_all(b.cast_all(b.open_round(voters=b.seats(b.VOTERS)))))
    record = f"decisions/{b.ID}/record.yaml"
    late = b.changed(closed.votes[0], rationale="Another one.")
    after = replace(closed, votes=(late, *closed.votes[1:]))
    found = check_step(
        DecisionStep(
            decision=b.ID,
            base=evaluate(b.decide(closed)),
            head=evaluate(b.decide(after)),
            before={record: "r"},
            after={record: "r", late.path: "l"},
            policy=policy_of(closed),
        )
    )
    assert found == ()


def test_before_the_record_anything_may_still_come() -> None:
    judgement = evaluate(b.decide(AGREED))
    check_path = f"decisions/{b.ID}/checks/plan.1.yaml"
    found = check_step(
        DecisionStep(
            decision=b.ID,
            base=judgement,
            head=judgement,
            before=tree(AGREED),
            after=tree(AGREED) | {check_path: "new"},
            policy=policy_of(AGREED),
        )
    )
    assert found == ()


def arrives(judgement: Judgement, **fields: Any) -> tuple[Finding, ...]:
    return check_arrival(judgement, a.make_policy(**fields))


DRAFT = b.proposal_file()
DRAFTED = evaluate(
    b.decide(RoundFiles(number=1, draft=Stored(DRAFT.record, DRAFT.path, DRAFT.digest)))
)
NOWHERE = evaluate(b.decide())
TAKEN_OVER = evaluate(
    b.decide(record=Stored(IMPORTED, f"decisions/{b.ID}/record.yaml", "sha256:1"))
)
ANCHORED = {"architecture": b.make_class(anchored=True)}


@table(
    ("judgement", "policy", "arrives_there"),
    {
        "accepted": (evaluate(b.decide(AGREED)), {}, True),
        "imported": (TAKEN_OVER, {}, False),
        "imported, of a class that takes imports": (
            TAKEN_OVER,
            {"classes": {"architecture": b.make_class(merge=("accepted", "imported"))}},
            True,
        ),
        "contested": (evaluate(b.decide(REFUSED)), {}, False),
        "contested, by a ballot of an anchored class": (
            evaluate(b.decide(b.refused(rules=b.make_rules(anchored=True)))),
            {},
            True,
        ),
        "rejection does not merge": (
            evaluate(
                b.decide(
                    (only := b.refused(rules=b.make_rules(merge=("accepted",)))),
                    withdrawal=a.withdrawal_file(only),
                )
            ),
            {},
            False,
        ),
        "a draft": (DRAFTED, {}, False),
        "a draft of an anchored class": (DRAFTED, {"classes": ANCHORED}, True),
        "a draft of no class": (NOWHERE, {"classes": ANCHORED}, False),
    },
)
def test_what_arrives_on_a_protected_branch(
    judgement: Judgement, policy: dict[str, Any], arrives_there: bool
) -> None:
    assert (arrives(judgement, **policy) == ()) is arrives_there


def test_a_ballot_that_stands_there_is_not_judged_again() -> None:
    other = a.make_policy(classes={"architecture": b.make_class(max_rounds=5)})
    assert check(OPENED, VOTED, other) == []
    assert check(None, OPENED, other) == ["ballot-not-from-policy round.yaml"]


@table(
    ("fields", "codes"),
    {
        "as the policy says": ({}, []),
        "a class that there is not": (
            {"class_": "marketing"},
            ["ballot-not-from-policy rules"],
        ),
        "a voter that there is not": (
            {"voters": b.seats((*b.VOTERS, "ghost"))},
            ["ballot-not-from-policy voters"],
        ),
        "a voter with more roles": (
            {"voters": b.seats(b.VOTERS) | {"reviewer": b.OFFICERS[b.AUTHORITY]}},
            ["ballot-not-from-policy voters"],
        ),
        "fewer officers": (
            {"officers": {b.AUTHORITY: b.OFFICERS[b.AUTHORITY]}},
            ["ballot-not-from-policy officers"],
        ),
        "of another project": ({"project": "1" * 32}, ["wrong-project project"]),
    },
)
def test_a_ballot_copies_the_policy(fields: dict[str, Any], codes: list[str]) -> None:
    ballot = b.ballot_of(b.open_round(**fields))
    found = check_against_policy(ballot, a.make_policy())
    assert [f"{finding.code} {finding.field}" for finding in found] == codes


OLD, NEW = (b.change(a.make_member("x").keys[0], ssh=f"ssh-ed25519 {name}") for name in "AB")


def policy(serial: int = 1, **keys: Any) -> Policy:
    members = dict(a.make_policy().members)
    members |= {name: a.make_member(name, keys=given) for name, given in keys.items() if given}
    gone = [name for name, given in keys.items() if given is None]
    return a.make_policy(serial=serial, members={n: m for n, m in members.items() if n not in gone})


OUTSIDERS = a.make_policy().members[b.OUTSIDER].keys


@table(
    ("keys", "words"),
    {
        "retired": ({"newcomer": (b.change(OLD, valid_until=b.T0),)}, []),
        "added": ({"newcomer": (OLD, NEW)}, []),
        "removed": ({"newcomer": (NEW,)}, ["a key of newcomer was removed"]),
        "handed on": (
            {"newcomer": (NEW,), b.OUTSIDER: (*OUTSIDERS, OLD)},
            ["a key of newcomer was given to outsider"],
        ),
        "a member goes": ({"newcomer": None}, ["the member newcomer was removed"]),
    },
)
def test_members_and_keys_are_never_taken_away(keys: dict[str, Any], words: list[str]) -> None:
    digest = b.digest_of("new policy")
    before = policy(newcomer=(OLD,))
    found = check_policy_change(before, policy(2, **keys), digest, frozenset({digest}))
    assert [finding.message for finding in found] == words


@table(
    ("fields", "faults"),
    {
        "the next": ({"serial": 2}, []),
        "the same serial": ({"serial": 1}, ["policy-serial serial"]),
        "one is skipped": ({"serial": 3}, ["policy-serial serial"]),
        "another project": ({"serial": 2, "project": "0" * 32}, ["policy-serial project"]),
    },
)
def test_a_changed_policy_follows_the_one_before(fields: dict[str, Any], faults: list[str]) -> None:
    digest = b.digest_of("new policy")
    after = a.make_policy(**fields)
    found = check_policy_change(a.make_policy(), after, digest, frozenset({digest}))
    assert [f"{finding.code} {finding.field}" for finding in found] == faults
    unapproved = check_policy_change(a.make_policy(), after, digest, frozenset())
    assert "policy-change-unapproved" in {finding.code for finding in unapproved}


def test_no_ballot_enters_before_there_is_a_policy() -> None:
    step = DecisionStep(
        decision=b.ID,
        base=None,
        head=evaluate(b.decide(OPENED)),
        before={},
        after=tree(OPENED),
        policy=None,
    )
    (finding,) = check_step(step)
    assert (finding.code, finding.path) == ("ballot-not-from-policy", b.ballot_of(OPENED).path)
    assert "no policy was in force" in finding.message
