"""What the page of a decision tells, for every way in which a decision ends."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from accord.model.adr import Adr, Reference, Reply, Standing
from accord.model.proposal import Consequences, Enacted, Option, Waiver
from accord.model.record import DecisionRecord, SourceFile
from accord.model.snapshot import DecisionFiles, RoundFiles, Stored
from accord.model.succession import Succession
from accord.rules.adr import (
    build_adr,
    build_entry,
    find_named,
    has_page,
    refer,
)
from accord.rules.evaluate import evaluate
from tests.rules.situations import (
    AGREED,
    CORRELATED,
    ESCALATED,
    IMPORTED,
    REFUSED,
    SHARED_CLAIM,
)
from tests.rules.test_predecessors import ACCEPTED, NEW
from tests.rules.test_record import AMENDED
from tests.support import aftermath as a
from tests.support import files as b

OLDER, NEWER = "2026-01-02-older", "2026-12-03-newer"


def page_of(*rounds: RoundFiles, **others: Any) -> Adr:
    decision = b.decide(*rounds, **others)
    return build_adr(decision, evaluate(decision), {})


def ruled(files: RoundFiles = ESCALATED, **fields: Any) -> DecisionFiles:
    synthesis = a.synthesis_file(files)
    return b.decide(files, synthesis=synthesis, ruling=a.ruling_file(files, synthesis, **fields))


def twice(**second: Any) -> tuple[RoundFiles, RoundFiles]:
    """A round that the challenger refused, and one on another text that all agree to."""
    following = b.follow(REFUSED, second)
    return REFUSED, b.affirm_all(b.cast_all(following))


def taken_over() -> DecisionFiles:
    """An older page that was imported."""
    source = SourceFile(path="docs/adr/0001.md", digest=b.digest_of("0001"))
    record = b.change(IMPORTED, title="An older page", source=source)
    return DecisionFiles(id=b.ID, record=stored(record))


def stored(record: DecisionRecord) -> Stored[DecisionRecord | None]:
    return Stored(record, f"decisions/{b.ID}/record.yaml", b.digest_of("record"))


def test_a_plain_agreement() -> None:
    files = b.agreed(
        proposal={
            "options": (Option(name="partial index"),),
            "consequences": Consequences(good=("smaller",)),
            "affects": ("db/**",),
            "enacts": (Enacted(path="db/schema.sql", digest=b.digest_of("schema")),),
        }
    )
    page = page_of(files)

    assert page.record.status == "accepted"
    assert page.decision_makers == b.VOTERS
    assert page.consulted == (b.AUTHORITY, b.PROPOSER)
    assert page.informed == (b.DECIDER,)
    assert (page.proposer, page.text) == (b.PROPOSER, "Index open orders only.")
    assert page.options[0].name == "partial index"
    assert page.consequences.good == ("smaller",)
    assert (page.affects, page.enacts) == (("db/**",), ("db/schema.sql",))
    assert [said.who for said in page.concerns] == list(b.VOTERS)
    assert (page.dissent, page.amendments, page.reason, page.links) == ((), (), None, ())
    assert [gate.result for gate in page.gates] == ["passed", "passed", "passed", "not_required"]
    assert page.record.status == "accepted"


def test_an_amendment_is_the_text_and_answers_the_objection() -> None:
    page = page_of(AMENDED)

    assert page.record.status == "approved_with_amendments"
    assert page.text == "Index open orders only, and drop the full index after a month."
    assert [(said.who, said.text) for said in page.amendments] == [
        ("challenger", "Drop it after a month.")
    ]
    (dissent,) = page.dissent
    assert (dissent.voter, dissent.stance, dissent.severity) == (
        "challenger",
        "disagree_resolved",
        "minor",
    )
    assert dissent.categories == ("YAGNI",)
    assert dissent.replies == (Reply(disposition="taken_in"),)
    assert [said.who for said in page.concerns] == list(b.VOTERS)


def test_a_second_round_keeps_the_dissent_of_the_first() -> None:
    page = page_of(*twice())

    assert [round_.number for round_ in page.rounds] == [1, 2]
    assert page.text == "Index open orders only, try 2."
    (dissent,) = page.dissent
    assert (dissent.voter, dissent.round, dissent.stance) == ("challenger", 1, "disagree")
    assert dissent.rationale == "The plan of challenger shows an index scan."
    assert dissent.alternative == "Keep the full index; it costs disk."
    assert dissent.replies == (
        Reply(category="YAGNI", disposition="addressed", note="It is smaller now."),
    )


def test_who_is_not_asked_again_was_consulted() -> None:
    following = b.follow(REFUSED, voters=b.seats(("challenger", "newcomer")))
    page = page_of(REFUSED, b.affirm_all(b.cast_all(following)))

    assert page.decision_makers == ("challenger", "newcomer")
    assert page.consulted == ("implementer", b.AUTHORITY, b.PROPOSER, "reviewer")


def test_answers_to_another_round_answer_nothing() -> None:
    stale = b.resolve(REFUSED, b.answer("challenger"), ballot=b.digest_of("another"))
    (dissent,) = page_of(stale, withdrawal=a.withdrawal_file(stale)).dissent

    assert dissent.replies == ()
    (counted,) = page_of(REFUSED, withdrawal=a.withdrawal_file(REFUSED)).dissent
    assert counted.replies != ()


def test_who_dissents_in_other_ways() -> None:
    files = b.cast(b.open_round(), challenger={}, implementer=b.ABSTAIN, reviewer={})
    files = b.affirm(files, challenger=b.RETRACT | {"reason": "I was wrong."})
    page = page_of(files, withdrawal=a.withdrawal_file(files))

    assert [(one.voter, one.stance, one.rationale) for one in page.dissent] == [
        ("challenger", "retracted", "I was wrong."),
        ("implementer", "abstain", "I could not read the log."),
    ]
    assert page.dissent[0].categories == ("MISALIGNED",)
    assert page.dissent[0].severity == "major"


def test_late_and_unopened_votes_are_told() -> None:
    sealed = b.cast(b.open_round(rules=b.SEALED), challenger={}, implementer={})
    unopened = b.close(replace(sealed, votes=sealed.votes[1:]))
    (dissent,) = page_of(unopened, withdrawal=a.withdrawal_file(unopened)).dissent
    assert (dissent.voter, dissent.stance, dissent.rationale) == ("challenger", "missing", None)

    closed = b.close(b.cast(b.open_round(), challenger={}, implementer={}))
    late = b.cast(closed, reviewer=b.MAJOR)
    page = page_of(late, withdrawal=a.withdrawal_file(late))
    (dissent,) = page.dissent
    assert (dissent.voter, dissent.stance, dissent.severity) == ("reviewer", "late", "major")
    assert dissent.categories == ("YAGNI",)
    assert page.rounds[0].closed == "Nobody is left to wait for."


@pytest.mark.parametrize("word", ["accept", "reject"])
def test_a_ruling_tells_its_reason(word: str) -> None:
    decision = ruled(ruling=word)
    page = build_adr(decision, evaluate(decision), {})

    assert page.record.status == f"{word}ed"
    assert page.reason is not None
    assert (page.reason.who, page.reason.text) == (b.DECIDER, "The gain is real.")
    assert page.synthesis is not None
    assert page.synthesis.text == "They differ on cost."
    assert page.decision_makers == ("challenger", b.DECIDER, "implementer", "reviewer")
    assert page.informed == ()


def test_a_withdrawal_tells_its_reason() -> None:
    page = page_of(REFUSED, withdrawal=a.withdrawal_file(REFUSED))

    assert page.record.status == "withdrawn"
    assert page.reason is not None
    assert (page.reason.who, page.reason.text) == (b.PROPOSER, "We found another way.")
    assert b.PROPOSER in page.decision_makers
    assert b.PROPOSER not in page.consulted


def test_a_withdrawn_draft_has_a_page() -> None:
    draft = Stored(b.make_proposal(), "proposal.yaml", b.digest_of("draft"))
    page = page_of(RoundFiles(number=1, draft=draft), withdrawal=a.withdrawal_file(None))

    assert page.text == "Index open orders only."
    assert page.decision_makers == (b.PROPOSER,)
    assert (page.rounds, page.consulted, page.informed, page.gates) == ((), (), (), ())


def test_checks_and_second_looks_that_count() -> None:
    checked = page_of(CORRELATED, checks=(a.check_file(CORRELATED),))
    (check,) = checked.checks
    assert (check.name, check.who, check.command, check.passed) == (
        "plan",
        b.OUTSIDER,
        ("make", "plan"),
        True,
    )
    assert b.OUTSIDER in checked.consulted

    looked = page_of(SHARED_CLAIM, rederivations=(a.rederivation_file(SHARED_CLAIM),))
    (look,) = looked.second_looks
    assert (look.who, look.confirms) == (b.OUTSIDER, True)
    assert looked.warnings != ()

    void = a.check_file(AGREED, by="implementer")
    assert page_of(AGREED, checks=(void,)).checks == ()
    own = a.rederivation_file(SHARED_CLAIM, by="implementer")
    both = (a.rederivation_file(SHARED_CLAIM), own)
    assert len(page_of(SHARED_CLAIM, rederivations=both).second_looks) == 1


def test_a_waiver_is_told() -> None:
    waiver = Waiver(kind="trivially_reversible", justification="one revert")
    files = b.cast_all(b.open_round({"waiver": waiver, "reversibility": "trivial"}))

    assert page_of(files).waiver == waiver


def test_a_synthesis_that_does_not_count_is_not_told() -> None:
    stale = a.synthesis_file(AGREED, ballot=b.digest_of("another"))

    assert page_of(AGREED, synthesis=stale).synthesis is None


def test_nothing_follows_from_what_has_not_ended() -> None:
    decision = b.decide(REFUSED)
    judgement = evaluate(decision)

    assert not has_page(judgement)
    assert build_entry(decision, judgement, {}) is None
    assert refer(decision, judgement) == Reference(decision=b.ID)
    with pytest.raises(ValueError, match="has no page: contested"):
        build_adr(decision, judgement, {})


def test_what_was_imported_has_its_page_already() -> None:
    decision = taken_over()
    judgement = evaluate(decision)
    page = Reference(decision=b.ID, page="../../docs/adr/0001.md")

    assert not has_page(judgement)
    assert refer(decision, judgement) == page
    entry = build_entry(decision, judgement, {})
    assert entry is not None
    assert (entry.title, entry.page, entry.standing.status) == ("An older page", page, "imported")
    assert find_named(decision, judgement) == ()


def test_a_decision_names_what_it_decides_anew() -> None:
    files = b.affirm_all(
        b.cast_all(b.open_round({"supersedes": OLDER, "evidence": (*b.MANIFEST, NEW)}))
    )
    decision = b.decide(files)
    judgement = evaluate(decision, {OLDER: ACCEPTED})
    assert find_named(decision, judgement) == (OLDER,)

    there = Reference(decision=OLDER, page=f"{OLDER}.md")
    (link,) = build_adr(decision, judgement, {OLDER: there}).links
    assert (link.relation, link.to) == ("supersedes", there)
    (dangling,) = build_adr(decision, judgement, {}).links
    assert dangling.to == Reference(decision=OLDER)


def test_what_is_continued_is_named_and_not_linked() -> None:
    """It may end later, and the page of this one must not change with it."""
    draft = Stored(b.make_proposal(continues=OLDER), "proposal.yaml", b.digest_of("draft"))
    decision = b.decide(RoundFiles(number=1, draft=draft), withdrawal=a.withdrawal_file(None))
    judgement = evaluate(decision)
    assert find_named(decision, judgement) == ()
    (link,) = build_adr(decision, judgement, {}).links
    assert (link.relation, link.to) == ("continues", Reference(decision=OLDER))


def test_the_index_says_what_became_of_a_decision() -> None:
    decision = b.decide(AGREED)
    judgement = evaluate(decision)
    succession = Succession(view="superseded", by=NEWER)
    newer = Reference(decision=NEWER, page=f"{NEWER}.md")

    entry = build_entry(decision, judgement, {NEWER: newer}, succession)
    assert entry is not None
    assert entry.standing == Standing(status="accepted", view="superseded", by=newer)
    bare = build_entry(decision, judgement, {}, succession)
    assert bare is not None
    assert bare.standing.by == Reference(decision=NEWER)
