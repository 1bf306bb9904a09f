"""The gates in their order, the status they lead to, and the sentence that says so."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from accord.model.ballot import Participant
from accord.model.evaluation import Evaluation
from accord.model.evidence import UsedEvidence
from accord.model.policy import Independence, Seats
from accord.model.snapshot import RoundFiles
from accord.model.vote import Lineage
from accord.rules.consensus import all_acknowledged
from accord.rules.evaluate import evaluate
from tests.rules.situations import AGREED, CORRELATED, ESCALATED, REFUSED, SEALED, SHARED_CLAIM
from tests.support import aftermath as a
from tests.support import files as b
from tests.support.tables import table


def say(files: RoundFiles, **others: Any) -> Evaluation:
    return evaluate(b.decide(files, **others)).evaluation


def warnings(files: RoundFiles) -> list[str]:
    return [f.code for f in evaluate(b.decide(files)).findings if f.severity == "warning"]


VOTED = b.cast_all(b.open_round())
UNEVEN = b.cast(b.open_round(), challenger={"evidence": ()}, implementer={}, reviewer={})
LATER = {"evidence": b.READ}
UNMEASURED = b.affirm_all(
    b.cast_all(
        b.open_round({"evidence": (b.LOG,)}, rules=b.make_rules(independence=Independence(f=1))),
        evidence=(UsedEvidence(id="log"),),
    )
)
NOBODY_RULES = {b.AUTHORITY: b.OFFICERS[b.AUTHORITY]}
MINOR = b.cast(b.open_round(), challenger=b.MINOR, implementer={}, reviewer={})


@table(
    ("files", "verdict", "status", "words"),
    {
        "open": (b.open_round(), None, "open", "0 of 3 voters have voted."),
        "one has voted": (
            b.cast(b.open_round(), challenger={}),
            None,
            "open",
            "1 of 3 voters have voted.",
        ),
        "sealed and unopened": (
            replace(SEALED, votes=(), affirmations=()),
            None,
            "open",
            "3 of 3 sealed, 0 of 3 opened.",
        ),
        "refused": (REFUSED, "NOT_UNANIMOUS", "contested", "against: challenger (major YAGNI)"),
        "refused at the end": (
            ESCALATED,
            "NOT_UNANIMOUS",
            "escalated",
            "No round is left: ask dana to rule.",
        ),
        "an abstention": (
            b.cast(b.open_round(), challenger=b.ABSTAIN, implementer={}, reviewer={}),
            "NOT_UNANIMOUS",
            "contested",
            "against: challenger (abstained)",
        ),
        "a retraction": (
            b.affirm(VOTED, reviewer=b.RETRACT),
            "NOT_UNANIMOUS",
            "contested",
            "against: reviewer (took the vote back MISALIGNED)",
        ),
        "closed without a vote": (
            b.close(b.cast(b.open_round(), challenger={}, implementer={})),
            "NOT_UNANIMOUS",
            "contested",
            "without a vote: reviewer",
        ),
        "minor": (
            MINOR,
            "NOT_UNANIMOUS",
            "amending",
            "Minor objections of challenger are to be taken in as amendments.",
        ),
        "amended": (
            b.affirm(b.amend(MINOR), challenger={}),
            "NOT_UNANIMOUS",
            "amending",
            "(waiting for implementer, reviewer)",
        ),
        "uneven evidence": (
            UNEVEN,
            "EVIDENCE_ASYMMETRY",
            "conditional",
            "challenger has not read all",
        ),
        "uneven at the close": (
            b.close(b.affirm_all(UNEVEN)),
            "EVIDENCE_ASYMMETRY",
            "contested",
            "challenger has not read all evidence",
        ),
        "evened out": (
            b.affirm(UNEVEN, challenger=LATER, implementer={}, reviewer={}),
            "UNANIMITY_VERIFIED",
            "accepted",
            "3 of 3 voters agree",
        ),
        "not affirmed": (
            VOTED,
            "COINCIDENTAL_UNANIMITY",
            "unconverged",
            "not affirmed yet by challenger, implementer, reviewer",
        ),
        "not affirmed at the close": (
            b.close(b.affirm(VOTED, challenger={}, implementer={})),
            "COINCIDENTAL_UNANIMITY",
            "contested",
            "closed before reviewer affirmed",
        ),
        "one source": (
            CORRELATED,
            "CORRELATED_QUORUM",
            "escalated",
            "they stand on 4 independent paths to db/schema.sql (needed: 5); 3 lean on the claim"
            " summary.",
        ),
        "nothing to measure by": (
            UNMEASURED,
            "NOT_MEASURED",
            "escalated",
            "nothing is load-bearing",
        ),
        "a claim that all hold": (
            SHARED_CLAIM,
            "UNANIMITY_VERIFIED",
            "provisional",
            "Let a member who took no part look again",
        ),
        "verified": (AGREED, "UNANIMITY_VERIFIED", "accepted", "UNANIMITY_VERIFIED: 3 of 3"),
        "a quorum": (
            b.agreed(rules=b.QUORUM),
            "QUORUM_VERIFIED",
            "accepted",
            "7 effective independent votes (strict)",
        ),
        "no quorum": (
            b.cast_all(b.open_round(rules=b.QUORUM), **b.MAJOR),
            "NO_QUORUM",
            "contested",
            "0 of 7 voters agree",
        ),
        "nobody can rule": (
            b.cast_all(
                b.open_round(rules=b.make_rules(max_rounds=1), officers=NOBODY_RULES), **b.MAJOR
            ),
            "NOT_UNANIMOUS",
            "escalated",
            "withdraw it (nobody can rule)",
        ),
    },
)
def test_where_it_stands(files: RoundFiles, verdict: str | None, status: str, words: str) -> None:
    evaluation = say(files)
    assert (evaluation.verdict, evaluation.status) == (verdict, status)
    assert words in evaluation.directive.sentence


def test_what_was_never_opened_says_so() -> None:
    assert say(replace(AGREED, ballot=None)).directive.sentence.startswith("The proposal is")
    withdrawn = evaluate(b.decide(withdrawal=a.withdrawal_file(None)))
    assert withdrawn.evaluation.status == "draft"


def test_a_contradiction_is_named() -> None:
    look = a.rederivation_file(SHARED_CLAIM, confirms=False)
    sentence = say(SHARED_CLAIM, rederivations=(look,)).directive.sentence
    assert "a second look contradicts: outsider" in sentence


def test_what_settled_it_is_named() -> None:
    settled = say(CORRELATED, checks=(a.check_file(CORRELATED),))
    assert "the check plan settles it" in settled.directive.sentence
    synthesis = a.synthesis_file(ESCALATED)
    for word, sentence in (("accept", "Accepted by ruling."), ("reject", "Rejected by ruling.")):
        ruling = a.ruling_file(ESCALATED, synthesis, ruling=word)
        said = say(ESCALATED, synthesis=synthesis, ruling=ruling).directive.sentence
        assert said.startswith(sentence)
        assert "against: challenger" in said
    withdrawn = say(REFUSED, withdrawal=a.withdrawal_file(REFUSED))
    assert withdrawn.directive.sentence == "Withdrawn. 2 of 3 voters agree."


def test_gates_that_are_not_asked_for_are_not_passed() -> None:
    gates = {gate.gate: gate.result for gate in say(b.agreed(rules=b.QUORUM)).gates}
    assert gates == {
        "agreement": "passed",
        "evidence_consensus": "not_required",
        "reasoning_convergence": "not_required",
        "independence": "passed",
    }


def test_what_an_affirmation_brings_beyond_the_votes_enlarges_nothing() -> None:
    find = UsedEvidence(artifact="src/a.py", digest=b.digest_of("a"))
    files = b.affirm(VOTED, challenger={"evidence": (find,)}, implementer={}, reviewer={})
    assert say(files).status == "accepted"


def test_what_is_read_before_affirming_makes_nobody_independent() -> None:
    rules = b.make_rules(independence=Independence(f=1))
    files = b.cast(
        b.open_round(rules=rules), challenger={"evidence": ()}, implementer={}, reviewer={}
    )
    evaluation = say(b.affirm(files, challenger=LATER, implementer={}, reviewer={}))
    assert evaluation.verdict == "CORRELATED_QUORUM"
    assert evaluation.independence is not None
    assert evaluation.independence.strict == 2


def test_an_empty_roster_acknowledges_nothing() -> None:
    rules = b.make_rules(voters=Seats(min=1, max=3, eligible=b.VOTERS))
    judgement = evaluate(b.decide(b.affirm_all(b.cast_all(b.open_round(rules=rules)))))
    (round_,) = judgement.rounds
    assert not all_acknowledged(round_)
    ballot = b.changed(round_.ballot, voters={})
    assert not all_acknowledged(replace(round_, ballot=ballot))


FOUR = ("challenger", "voter_1", "voter_2", "voter_3")


def quorum_of_four(*evidence: tuple[UsedEvidence, ...], overlap: str = "off") -> RoundFiles:
    rules = b.make_rules(
        rule="bft_quorum",
        voters=Seats(min=4, max=4, eligible=FOUR),
        independence=Independence(f=1, overlap_warning=overlap),
    )
    votes = {voter: {"evidence": used} for voter, used in zip(FOUR, evidence, strict=True)}
    return b.cast(b.open_round(rules=rules), **votes)


READ, RAN = UsedEvidence(id="schema"), UsedEvidence(id="schema", via="executed")
CLAIM = UsedEvidence(id="summary")


@table(
    ("files", "codes"),
    {
        "all the same, and the class never warns": (
            quorum_of_four((READ,), (READ,), (READ,), (READ,)),
            [],
        ),
        "all the same": (
            quorum_of_four((READ,), (READ,), (READ,), (READ,), overlap="0.8"),
            ["correlated-quorum-warning"],
        ),
        "half the same, at the limit": (
            quorum_of_four((READ,), (READ,), (READ,), (RAN,), overlap="0.5"),
            ["correlated-quorum-warning"],
        ),
        "half the same, above it": (
            quorum_of_four((READ,), (READ,), (READ,), (RAN,), overlap="0.51"),
            [],
        ),
        "a claim of one in four": (
            quorum_of_four((READ, CLAIM), (READ,), (READ,), (RAN,)),
            ["correlated-quorum-warning"],
        ),
        "a claim in place of its primary": (
            quorum_of_four((CLAIM,), (READ,), (READ,), (READ,)),
            ["correlated-quorum-warning", "claim-without-primary"],
        ),
    },
)
def test_what_could_have_carried_a_quorum(files: RoundFiles, codes: list[str]) -> None:
    assert warnings(files) == codes
    assert say(files).status == (
        "provisional" if "correlated-quorum-warning" in codes else "accepted"
    )


def test_what_warns_of_no_overlap_says_so() -> None:
    evaluation = say(quorum_of_four((READ,), (READ,), (READ,), (READ,)))
    assert evaluation.independence is not None
    assert evaluation.independence.overlap_warning == "off"
    assert "the class does not warn of overlap (overlap_warning: off)" in evaluation.gates[3].detail
    assert "overlap_warning: off" in evaluation.directive.sentence


def lineages(*given: Lineage | None, human: bool = False) -> RoundFiles:
    voters = b.seats(b.VOTERS)
    if human:
        voters["reviewer"] = Participant(kind="human", roles=("voter",))
    votes = {voter: {"lineage": one} for voter, one in zip(b.VOTERS, given, strict=True)}
    return b.affirm_all(b.cast(b.open_round(voters=voters), **votes))


def model(name: str, session: str | None = None) -> Lineage:
    return Lineage(provider="p", model=name, session=session)


@table(
    ("files", "count"),
    {
        "unknown": (lineages(None, None, None), 0),
        "of one model": (lineages(model("m"), model("m"), model("m")), 1),
        "of two models": (lineages(model("m"), model("m"), model("n")), 0),
        "of one model, one unknown": (lineages(model("m"), model("m"), None), 0),
        "of one model, one human": (lineages(model("m"), model("m"), model("m"), human=True), 0),
        "in one session": (lineages(*(Lineage(session="s") for _ in b.VOTERS)), 1),
        "of one model in one session": (lineages(*(model("m", "s") for _ in b.VOTERS)), 2),
        "a provider without a model": (lineages(*(Lineage(provider="p") for _ in b.VOTERS)), 0),
    },
)
def test_one_lineage(files: RoundFiles, count: int) -> None:
    assert warnings(files) == ["single-lineage"] * count
    assert say(files).status == "accepted"


def test_one_who_agrees_is_no_lineage() -> None:
    files = b.cast(
        b.open_round(),
        challenger=b.MAJOR | {"lineage": model("m", "s")},
        implementer={"lineage": model("m", "s")},
        reviewer=b.MAJOR | {"lineage": model("m", "s")},
    )
    assert warnings(files) == []


def test_two_who_agree_may_be_one_lineage() -> None:
    voters = b.seats(("challenger", "implementer"))
    files = b.cast_all(b.open_round(voters=voters), lineage=model("m"))
    assert warnings(files) == ["single-lineage"]


def test_who_lacks_what_is_told() -> None:
    files = b.affirm(UNEVEN, implementer=b.RETRACT, reviewer={})
    lacks = {gate.gate: {lack.who: lack.what for lack in gate.lacks} for gate in say(files).gates}
    assert lacks == {
        "agreement": {"implementer": ("took the vote back",)},
        "evidence_consensus": {
            "challenger": ("db/schema.sql", f"decisions/{b.ID}/evidence/log.txt")
        },
        "reasoning_convergence": {
            "challenger": ("not affirmed",),
            "implementer": ("took the vote back",),
        },
        "independence": {},
    }


@table(
    ("voter", "fields", "words"),
    {
        "major": ("reviewer", b.MAJOR, "major objection"),
        "abstention": ("reviewer", b.ABSTAIN, "abstains"),
        "minor": ("reviewer", b.MINOR, "objects to the text as it is (minor)"),
    },
)
def test_why_one_does_not_assent(voter: str, fields: dict[str, Any], words: str) -> None:
    files = b.cast(b.open_round(), challenger={}, implementer={}, **{voter: fields})
    (lack,) = say(files).gates[0].lacks
    assert (lack.who, lack.what) == (voter, (words,))


def test_a_third_round_is_judged_after_both_before_it() -> None:
    rules = b.make_rules(max_rounds=3)
    first = b.refused(rules=rules)
    votes: dict[str, Any] = {"challenger": {}, "implementer": b.MAJOR, "reviewer": {}}
    second = b.resolve(b.cast(b.follow(first), **votes), b.answer("implementer"))
    third = b.affirm_all(b.cast_all(b.follow(second)))
    judgement = evaluate(b.decide(third, first, second))
    assert judgement.findings == ()
    assert (judgement.evaluation.round, judgement.evaluation.status) == (3, "accepted")
    assert [result.outcome for result in judgement.evaluation.rounds] == [
        "decision_triggered",
        "decision_triggered",
        "unanimous",
    ]
    two = b.seats(("challenger", "reviewer"))
    (finding,) = evaluate(b.decide(first, second, b.follow(second, voters=two))).findings
    assert finding.code == "dissenter-dropped"
    assert "implementer dissented" in finding.message


def test_another_roster_by_the_same_policy_spends_a_round() -> None:
    closed = b.close(b.open_round())
    rosters = ("challenger", "implementer", "newcomer"), ("challenger", "newcomer")
    for roster in rosters:
        second = b.follow(b.resolve(closed), voters=b.seats(roster))
        third = b.follow(b.resolve(b.close(second)))
        found = evaluate(b.decide(b.resolve(closed), b.resolve(b.close(second)), third)).findings
        assert "round-limit-exceeded" in {finding.code for finding in found}
