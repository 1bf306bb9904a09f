"""Which lines the ledger has, and whether a ledger holds them (section 11).

Only what counts is in it: a file that is unauthenticated, unbound, stale or late gives no line,
and neither does a draft. Lines are chained where they are written down, in `render.ledger`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest

import msgspec

from accord.model.finding import Finding
from accord.model.ids import latest
from accord.model.ledger import FileEvent, FileEventKind, LedgerEvent, VoteRound
from accord.model.paths import LEDGER
from accord.model.snapshot import Authenticated, DecisionFiles
from accord.rules.counting import CountedRound
from accord.rules.evaluate import Judgement

_Files = Iterable[Authenticated[object] | None]


def list_events(
    decision: DecisionFiles, judgement: Judgement, record: str | None
) -> tuple[LedgerEvent, ...]:
    """The events of one decision by round, kind and name, in this order; not chained yet.

    `record` is the digest of record.yaml if it stands there and is the right one. Then the
    decision has ended, and its first line names the record as `prev`.
    """
    events = [event for round_ in judgement.rounds for event in _list_round(judgement, round_)]
    checks = sorted(decision.checks, key=lambda file: file.record.name)
    looks = sorted(decision.rederivations, key=lambda file: file.record.by)
    # What counts and stands outside of the rounds is bound to the last of them; of each check
    # only the last run counts.
    events += _list_files(
        judgement,
        {
            "check": checks,
            "rederivation": looks,
            "ruling": (decision.ruling,),
            "withdrawal": (decision.withdrawal,),
        },
    )
    if record is not None:
        events.append(FileEvent(event="record", decision=decision.id, digest=record))
        events[0] = msgspec.structs.replace(events[0], prev=record)
    # Last, since they may come after the end, and leave the lines before them as they are.
    events += _list_files(judgement, {"redaction": decision.redactions})
    return tuple(events)


def _list_round(judgement: Judgement, round_: CountedRound) -> Iterator[LedgerEvent]:
    yield from _list_files(
        judgement, {"proposal": (round_.proposal,), "round_opened": (round_.ballot,)}
    )
    if round_.votes:  # without any nothing was voted on yet
        yield _vote_round(judgement.evaluation.decision, round_)
    yield from _list_files(
        judgement, {"amendment": (round_.amendment,), "resolution": (round_.files.resolution,)}
    )


def _list_files(judgement: Judgement, files: dict[FileEventKind, _Files]) -> Iterator[LedgerEvent]:
    for kind, of_kind in files.items():
        for file in of_kind:
            if file is not None and file.path in judgement.counted:
                decision = judgement.evaluation.decision
                yield FileEvent(event=kind, decision=decision, digest=file.digest)


def _vote_round(decision: str, round_: CountedRound) -> VoteRound:
    voters = tuple(sorted(round_.votes))
    return VoteRound(
        event="vote_round",
        decision=decision,
        digest=round_.transcript,
        proposal=f"{decision}/{round_.number}",
        voters=voters,
        result=round_.outcome,
        timestamp=latest(round_.votes[voter].record.cast_at for voter in voters),
    )


def check_ledger(there: bytes | None, due: bytes) -> tuple[Finding, ...]:
    """Whether a ledger, None where there is none, is the one that the decisions give.

    None and an empty one are the same: nothing has happened yet that counts.
    """
    if (there or b"") == due:
        return ()
    # With their line feeds, so that a last one that is missing is seen.
    found, expected = ((ledger or b"").splitlines(keepends=True) for ledger in (there, due))
    line = next(
        line
        for line, (one, other) in enumerate(zip_longest(found, expected), start=1)
        if one != other
    )
    if there is None:
        message = "there is no ledger, and the decisions here give one"
    elif line > len(found):
        message = f"it ends before line {line}, which the decisions give"
    elif line > len(expected):
        message = f"from line {line} on it says what no decision gives"
    else:
        message = f"line {line} is not the one that the decisions give"
    return (
        Finding(
            code="ledger-stale",
            path=LEDGER,
            line=line if there else None,
            message=message,
            hint="Write it anew on the protected branch: accord ledger --write",
        ),
    )
