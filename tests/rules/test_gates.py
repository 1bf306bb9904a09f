"""Who lacks what at a gate, in words; and that nothing is passed by nobody (section 5)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from accord.model.evaluation import Gate
from accord.model.evidence import UsedEvidence
from accord.model.proposal import Enacted
from accord.model.snapshot import RoundFiles
from accord.rules.checks import CountedChecks
from accord.rules.consensus import judge_agreement, judge_consensus, read_evidence
from accord.rules.convergence import judge_convergence
from accord.rules.counting import CountedRound
from accord.rules.evaluate import evaluate
from accord.rules.evidence import Use
from accord.rules.independence import mean_overlap
from tests.rules.situations import AGREED
from tests.support import files as b
from tests.support.tables import table

NO_CHECKS = CountedChecks((), (), frozenset(), ())
MIXED = b.cast(b.open_round(), challenger=b.MAJOR, implementer=b.MINOR, reviewer=b.ABSTAIN)
MINOR = b.cast(b.open_round(), challenger=b.MINOR, implementer={}, reviewer={})
SEALED = replace(
    sealed := b.cast(b.open_round(rules=b.SEALED), challenger={}, implementer={}),
    votes=sealed.votes[:1],
)


def counted(files: RoundFiles) -> CountedRound:
    (round_,) = evaluate(b.decide(files)).rounds
    return round_


def gate(files: RoundFiles, name: str) -> Gate:
    (found,) = (one for one in evaluate(b.decide(files)).evaluation.gates if one.gate == name)
    return found


@table(
    ("files", "lacks"),
    {
        "nobody": (AGREED, {}),
        "three ways to say no": (
            MIXED,
            {
                "challenger": "major objection",
                "implementer": "minor objection",
                "reviewer": "abstains",
            },
        ),
        "minor objections alone": (MINOR, {"challenger": "objects to the text as it is (minor)"}),
        "an amendment that nobody affirmed": (
            b.amend(MINOR),
            dict.fromkeys(b.VOTERS, "the amended text is not affirmed"),
        ),
        "an amendment, taken back": (
            b.affirm(b.amend(MINOR), challenger={}, implementer=b.RETRACT),
            {
                "implementer": "took the vote back",
                "reviewer": "the amended text is not affirmed",
            },
        ),
        "not there yet": (
            SEALED,
            {"implementer": "has sealed and not opened", "reviewer": "has not voted"},
        ),
        "not there at the close": (
            b.close(SEALED),
            {"implementer": "has sealed and not opened", "reviewer": "has not voted"},
        ),
    },
)
def test_why_a_voter_does_not_assent(files: RoundFiles, lacks: dict[str, str]) -> None:
    found = judge_agreement(counted(files))
    assert {lack.who: ", ".join(lack.what) for lack in found.lacks} == lacks
    assert found.met is (not lacks)


def test_who_has_not_voted_has_read_nothing() -> None:
    """Not even a little: whoever is not there is named, and what the others read is not."""
    round_ = counted(b.close(b.cast(b.open_round(), challenger={}, implementer={})))
    found = judge_consensus(round_, read_evidence(round_))
    assert (found.result, [lack.who for lack in found.lacks]) == ("failed", ["reviewer"])


def test_unread_evidence_is_named_by_its_path() -> None:
    votes: dict[str, dict[str, object]] = {
        "challenger": {"evidence": (UsedEvidence(id="schema"),)},
        "implementer": {},
        "reviewer": {"evidence": ()},
    }
    found = gate(b.cast(b.open_round(), **votes), "evidence_consensus")
    assert {lack.who: lack.what for lack in found.lacks} == {
        "challenger": (b.LOG.artifact,),
        "reviewer": ("db/schema.sql", b.LOG.artifact),
    }


def test_nobody_passes_no_gate() -> None:
    round_ = counted(AGREED)
    empty = replace(round_, ballot=b.changed(round_.ballot, voters={}), cast={}, affirmed={})
    assert not judge_agreement(empty).met
    assert not judge_convergence(empty, NO_CHECKS).met


TWO = tuple(Enacted(path=f"conf/{name}", digest=b.digest_of(name)) for name in ("one", "two"))


@table(
    ("enacts", "counts"),
    {
        "both, with other bytes": (
            tuple(b.change(one, digest=b.digest_of("other")) for one in TWO),
            True,
        ),
        "in another order": (TWO[::-1], True),
        "one of them": (TWO[:1], False),
        "none": ((), False),
        "a third": ((*TWO, b.change(TWO[0], path="conf/three")), False),
    },
)
def test_an_amendment_enacts_the_same_paths(enacts: tuple[Enacted, ...], counts: bool) -> None:
    minor = b.cast(b.open_round({"enacts": TWO}), challenger=b.MINOR, implementer={}, reviewer={})
    judgement = evaluate(b.decide(b.amend(minor, enacts=enacts)))
    assert (judgement.rounds[0].amendment is not None) is counts
    assert [finding.code for finding in judgement.findings] == (
        [] if counts else ["amendment-differs"]
    )


A, B = Use("a", "read", "primary"), Use("b", "read", "primary")


@table(
    ("uses", "overlap"),
    {
        "nobody": ((), None),
        "one": (({A},), None),
        "two who used nothing": ((set(), set()), Fraction(0)),
        "one who used nothing": (({A}, set()), Fraction(0)),
        "the same": (({A, B}, {A, B}), Fraction(1)),
        "the same in another way": (({A}, {Use("a", "executed", "primary")}), Fraction(0)),
        "the same as a claim": (({A}, {Use("a", "read", "claim")}), Fraction(0)),
        "the mean of three pairs": (({A, B}, {A}, {B}), Fraction(1, 3)),
    },
)
def test_overlap(uses: tuple[set[Use], ...], overlap: Fraction | None) -> None:
    winners = {f"voter_{number}": frozenset(used) for number, used in enumerate(uses)}
    assert mean_overlap(winners) == overlap
