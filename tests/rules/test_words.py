"""The words: what is awaited has not failed, what was not shown is not verified (section 5)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from accord.model.evaluation import Evaluation
from accord.model.evidence import UsedEvidence
from accord.model.policy import Independence
from accord.model.resolution import Counted
from accord.model.snapshot import RoundFiles
from accord.rules.evaluate import evaluate
from tests.rules.situations import CORRELATED, ESCALATED, REFUSED, SEALED, SHARED_CLAIM
from tests.support import aftermath as a
from tests.support import files as b
from tests.support.tables import table


def say(files: RoundFiles, **others: Any) -> Evaluation:
    return evaluate(b.decide(files, **others)).evaluation


def results(evaluation: Evaluation) -> list[str]:
    return [gate.result for gate in evaluation.gates]


VOTED = b.cast_all(b.open_round())
UNEVEN = b.cast(b.open_round(), challenger={"evidence": ()}, implementer={}, reviewer={})
MINOR = b.cast(b.open_round(), challenger=b.MINOR, implementer={}, reviewer={})
COUNTING = b.make_rules(independence=Independence(f=1))
CLOSED_EARLY = b.close(replace(SEALED, votes=(), affirmations=()))
ACKNOWLEDGED = b.affirm_all(UNEVEN, asymmetry_acknowledged=True)


def open_all(files: RoundFiles) -> RoundFiles:
    """The votes of a round that was closed while they were sealed, opened since."""
    return replace(files, votes=SEALED.votes)


@table(
    ("files", "gates", "word"),
    {
        "nobody has voted": (
            b.open_round(),
            ["pending", "pending", "pending", "not_required"],
            "WAIT",
        ),
        "a quorum is there, and one vote is not": (
            b.cast(b.open_round(rules=b.QUORUM), **{voter: {} for voter in b.SEVEN[:-1]}),
            ["pending", "not_required", "not_required", "pending"],
            "WAIT",
        ),
        "refused": (REFUSED, ["failed", "passed", "failed", "not_required"], "FAIL"),
        "minor objections": (MINOR, ["pending", "passed", "pending", "not_required"], "WAIT"),
        "minor objections, and who agrees is counted": (
            b.cast(b.open_round(rules=COUNTING), challenger=b.MINOR, implementer={}, reviewer={}),
            ["pending", "passed", "pending", "pending"],
            "WAIT",
        ),
        "minor objections at the close": (
            b.close(MINOR),
            ["failed", "passed", "failed", "not_required"],
            "FAIL",
        ),
        "not affirmed": (VOTED, ["passed", "passed", "pending", "not_required"], "WAIT"),
        "not affirmed at the close": (
            b.close(VOTED),
            ["passed", "passed", "failed", "not_required"],
            "FAIL",
        ),
        "uneven": (UNEVEN, ["passed", "pending", "pending", "not_required"], "WAIT"),
        "uneven, and acknowledged by all": (
            ACKNOWLEDGED,
            ["passed", "pending", "passed", "not_required"],
            "WAIT",
        ),
        "acknowledged by all, and closed": (
            b.close(ACKNOWLEDGED),
            ["passed", "failed", "passed", "not_required"],
            "HALT",
        ),
        "one source": (
            CORRELATED,
            ["passed", "not_required", "not_required", "failed"],
            "HALT",
        ),
        "a warning": (SHARED_CLAIM, ["passed", "passed", "passed", "passed"], "HALT"),
    },
)
def test_what_is_awaited_has_not_failed(files: RoundFiles, gates: list[str], word: str) -> None:
    evaluation = say(files)
    assert (results(evaluation), evaluation.directive.word) == (gates, word)


def test_when_it_has_ended_nothing_is_awaited() -> None:
    ended = say(VOTED, withdrawal=a.withdrawal_file(VOTED))
    assert results(ended) == ["passed", "passed", "failed", "not_required"]


@table(
    ("files", "affirmed", "status"),
    {
        "the votes are sealed still": (CLOSED_EARLY, {}, "contested"),
        "opened since": (open_all(CLOSED_EARLY), {}, "unconverged"),
        "opened and affirmed since": (
            open_all(CLOSED_EARLY),
            {voter: {} for voter in b.VOTERS},
            "accepted",
        ),
        "one seal had been opened": (
            open_all(
                b.close(
                    replace(SEALED, affirmations=()),
                    counted=Counted(
                        votes={SEALED.votes[0].signer: SEALED.votes[0].digest},
                        seals={seal.signer: seal.digest for seal in SEALED.seals},
                    ),
                )
            ),
            {voter: {} for voter in b.VOTERS},
            "accepted",
        ),
        "all votes had been opened": (
            b.close(replace(SEALED, affirmations=())),
            {voter: {} for voter in b.VOTERS},
            "contested",
        ),
    },
)
def test_a_close_before_all_votes_are_open_ends_the_voting_only(
    files: RoundFiles, affirmed: dict[str, dict[str, object]], status: str
) -> None:
    assert say(b.affirm(files, **affirmed)).status == status


RULE = {"accept": "accepted", "reject": "rejected"}


@table(
    ("files", "word", "over"),
    {
        "an asymmetry that all know of": (ACKNOWLEDGED, "accept", "EVIDENCE_ASYMMETRY"),
        "rejected": (ACKNOWLEDGED, "reject", None),
        "one source": (CORRELATED, "accept", "CORRELATED_QUORUM"),
        "a claim that all hold": (SHARED_CLAIM, "accept", "correlated-quorum-warning"),
        "nothing to measure by": (
            b.affirm_all(
                b.cast_all(
                    b.open_round({"evidence": (b.LOG,)}, rules=COUNTING),
                    evidence=(UsedEvidence(id="log"),),
                )
            ),
            "accept",
            "NOT_MEASURED",
        ),
        "objections": (ESCALATED, "accept", None),
    },
)
def test_what_a_ruling_accepted_over_a_doubt_keeps_the_word(
    files: RoundFiles, word: str, over: str | None
) -> None:
    synthesis = a.synthesis_file(files)
    evaluation = say(
        files, synthesis=synthesis, ruling=a.ruling_file(files, synthesis, ruling=word)
    )
    assert (evaluation.status, evaluation.ruled_over) == (RULE[word], over)
    told = f"Accepted by ruling over {over}." if over else "by ruling."
    assert told in evaluation.directive.sentence


def test_the_sentence_says_what_was_not_shown() -> None:
    quiet = b.make_rules(
        require=b.make_class().require.__class__(
            evidence_consensus=False, reasoning_convergence=False
        )
    )
    sentence = say(b.cast_all(b.open_round(rules=quiet))).directive.sentence
    assert sentence.startswith("UNANIMITY_UNVERIFIED: 3 of 3 voters agree; not shown: that all")
    bare = b.cast_all(b.open_round({"evidence": ()}), evidence=())
    said = say(b.affirm_all(bare))
    assert (said.verdict, said.status) == ("UNANIMITY_UNVERIFIED", "accepted")
    assert "not shown: that all have read the same evidence (neither" in said.directive.sentence
