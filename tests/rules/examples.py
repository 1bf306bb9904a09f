"""For each code that the rules give: files that are right, and the one thing that is wrong.

An example is two lists of findings, computed when asked: of what is accepted, and of what is
refused. The refused differs from the accepted in the one thing that the code is about.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from accord.model.evidence import UsedEvidence
from accord.model.paths import LEDGER
from accord.model.policy import Guard
from accord.model.proposal import Waiver
from accord.model.resolution import Adopted
from accord.model.vote import Concern
from accord.rules.evaluate import evaluate
from accord.rules.guards import Content, Warrant, check_guarded, check_kept
from accord.rules.ledger import check_ledger
from accord.rules.lost import Held, find_lost
from accord.rules.pages import Page, check_page
from accord.rules.policy import check_policy
from accord.rules.transition import check_arrival, check_shared_files
from tests.rules.situations import (
    AGREED,
    CORRELATED,
    DECIDED,
    ESCALATED,
    EXTRA,
    HAPPY,
    LOG_PATH,
    NEXT,
    OLD,
    OTHER_EVIDENCE,
    REFUSED,
    SEALED,
    SHARED_CLAIM,
    SYNTHESIS,
    Make,
    anchored,
    artifacts,
    changing,
    continued,
    echoing,
    ended_step,
    entering,
    first_step,
    judge,
    lineages,
    minor,
    opening,
    packed,
    policy,
    recorded,
    redacted,
    ruled,
    signed_by,
    step,
    swap,
)
from tests.support import aftermath as a
from tests.support import files as b

GUARD = Guard(paths=("src/db/**",), class_="architecture", by="enacts")
CHANGED = {"src/db/orders.sql": Content("100644", b.digest_of("new"))}
REPLACED = {"src/db/orders.sql": Content("100644", b.digest_of("other"))}
ENACTED = Warrant("2026-11-30-x", "architecture", enacts=CHANGED)
HELD = Held("decisions/2026-11-30-x/rounds/1/round.yaml", ("a" * 40, "b" * 40), "2026-11-30-x")
UNSIGNED = HELD._replace(objects=("a" * 40, None))


class Example(NamedTuple):
    """What is right, and what is wrong, for one code."""

    accepts: Make
    refuses: Make


FILES: dict[str, Example] = {
    "schema-invalid": Example(
        lambda: artifacts({LOG_PATH: b.digest_of("log")}, load_bearing=True),
        lambda: artifacts({}, load_bearing=True, kind="claim", artifact=None, text="…"),
    ),
    "id-clash": Example(
        policy(),
        lambda: check_policy(
            a.make_policy(
                members=dict(a.make_policy().members)
                | {"new_comer": a.make_member("a"), "new-comer": a.make_member("c")}
            )
        ),
    ),
    "stale-file": Example(
        HAPPY, judge(swap(AGREED, "affirmations", transcript=b.digest_of("older")))
    ),
}
POLICY: dict[str, Example] = {
    "policy-invalid": Example(policy(), policy(classes={"architecture": b.make_class()})),
    "no-decider": Example(
        policy(),
        lambda: check_policy(
            a.make_policy(
                members={n: m for n, m in a.make_policy().members.items() if n != b.DECIDER}
            )
        ),
    ),
    "policy-serial": Example(changing, lambda: changing(serial=3)),
    "policy-change-unapproved": Example(changing, lambda: changing(enacted=False)),
}
BALLOT: dict[str, Example] = {
    "signer-lacks-role": Example(HAPPY, judge(signed_by(AGREED, "ballot", b.DECIDER))),
    "ballot-not-from-policy": Example(entering(), entering(rules=b.make_rules(max_rounds=3))),
    "wrong-project": Example(entering(), entering(project="0" * 32)),
    "challenger-missing": Example(
        HAPPY, judge(b.open_round(voters=b.seats(("implementer", "reviewer"))))
    ),
    "voter-count": Example(
        judge(b.open_round(voters=EXTRA)), judge(b.open_round(voters=b.seats(("challenger",))))
    ),
    "voter-not-eligible": Example(
        HAPPY, judge(b.open_round(voters=b.seats((*b.VOTERS, b.OUTSIDER))))
    ),
    "proposer-votes": Example(HAPPY, judge(b.open_round({"proposer": "newcomer"}, voters=EXTRA))),
    "opener-votes": Example(
        HAPPY,
        judge(
            b.open_round(
                opened_by="newcomer",
                voters=EXTRA,
                officers=b.OFFICERS | {"newcomer": b.OFFICERS[b.AUTHORITY]},
            )
        ),
    ),
    "dissenter-dropped": Example(
        judge(REFUSED, NEXT),
        judge(
            replaced := b.resolve(
                b.cast(b.open_round(), challenger={}, implementer={}, reviewer=b.MAJOR),
                b.answer("reviewer"),
            ),
            b.follow(replaced, voters=b.seats(("challenger", "implementer"))),
        ),
    ),
    "waiver-not-allowed": Example(
        judge(
            b.open_round(
                {"waiver": Waiver(kind="trivially_reversible"), "reversibility": "trivial"}
            )
        ),
        judge(
            b.open_round({"waiver": Waiver(kind="trivially_reversible"), "reversibility": "costly"})
        ),
    ),
    "class-changed": Example(HAPPY, judge(b.open_round(class_="governance"))),
    "proposed-before": Example(
        lambda: continued(OTHER_EVIDENCE, continues=OLD.id), lambda: continued(OTHER_EVIDENCE)
    ),
    "only-voters-added": Example(
        lambda: continued(OTHER_EVIDENCE, continues=OLD.id),
        lambda: continued(OLD, continues=OLD.id),
    ),
    "ballot-not-anchored": Example(
        lambda: anchored(b.open_round(rules=b.make_rules(anchored=True))), lambda: anchored(None)
    ),
    "proposal-changed": Example(HAPPY, judge(swap(AGREED, "proposal", text="Index everything."))),
}
VOTE: dict[str, Example] = {
    "ballot-mismatch": Example(HAPPY, judge(swap(AGREED, "votes", ballot=b.digest_of("other")))),
    "not-a-voter": Example(
        HAPPY,
        judge(replace(AGREED, votes=(*AGREED.votes, b.vote_file(AGREED, b.OUTSIDER)))),
    ),
    "vote-incomplete": Example(HAPPY, judge(swap(AGREED, "votes", rationale=" \n"))),
    "blocking-concern-under-agree": Example(
        HAPPY, judge(swap(AGREED, "votes", concerns=(Concern(text="No.", blocking=True),)))
    ),
    "challenger-silent": Example(HAPPY, judge(swap(AGREED, "votes", concerns=()))),
    "unknown-category": Example(
        judge(b.cast(b.open_round(), implementer=b.MAJOR | {"categories": ("X_LICENSING",)})),
        judge(b.cast(b.open_round(), implementer=b.MAJOR | {"categories": ("X_UGLY",)})),
    ),
    "late-vote": Example(
        judge(b.close(b.cast(b.open_round(), implementer={}))),
        judge(b.cast(b.close(b.open_round()), implementer={})),
    ),
    "seal-missing": Example(judge(SEALED), judge(replace(SEALED, seals=SEALED.seals[1:]))),
    "seal-mismatch": Example(
        judge(SEALED), judge(swap(SEALED, "seals", vote=b.digest_of("another vote")))
    ),
    "seal-unopened": Example(
        judge(b.close(SEALED)), judge(b.close(replace(SEALED, votes=SEALED.votes[1:])))
    ),
    "revealed-before-sealed": Example(
        lambda: opening(
            sealed_before=replace(SEALED, votes=(), affirmations=()),
            **dict.fromkeys(b.VOTERS, b.AGREE),
        ),
        lambda: opening(sealed_before=None, challenger={}, implementer={}),
    ),
    "seal-order-unproven": Example(
        lambda: opening(
            sealed_before=replace(SEALED, votes=(), affirmations=()),
            **dict.fromkeys(b.VOTERS, b.AGREE),
        ),
        lambda: opening(sealed_before=None, **dict.fromkeys(b.VOTERS, b.AGREE)),
    ),
    "saw-other-votes": Example(
        lambda: step(b.open_round(), b.cast(b.open_round(), implementer={}, reviewer={})),
        lambda: step(
            b.cast(b.open_round(), implementer={}),
            b.cast(b.open_round(), implementer={}, reviewer={}),
        ),
    ),
}
ROUNDS: dict[str, Example] = {
    "round-gap": Example(judge(REFUSED, NEXT), judge(NEXT)),
    "round-not-allowed": Example(judge(REFUSED, NEXT), judge(AGREED, b.follow(AGREED))),
    "round-limit-exceeded": Example(judge(REFUSED, NEXT), judge(ESCALATED, b.follow(ESCALATED))),
    "objection-unanswered": Example(
        judge(REFUSED, NEXT),
        judge(silent := b.resolve(replace(REFUSED, resolution=None)), b.follow(silent)),
    ),
    "not-addressed": Example(
        judge(REFUSED, NEXT), judge(REFUSED, b.follow(REFUSED, {"text": "Index open orders only."}))
    ),
    "reopens-invalid": Example(
        lambda: continued(replace(DECIDED, evidence=frozenset()), reopens=OLD.id),
        lambda: continued(OLD, reopens=OLD.id),
    ),
}
AGREEMENT: dict[str, Example] = {
    "evidence-digest-mismatch": Example(
        lambda: artifacts({LOG_PATH: b.digest_of("log")}),
        lambda: artifacts({LOG_PATH: b.digest_of("log, edited")}),
    ),
    "evidence-missing": Example(
        lambda: artifacts({LOG_PATH: b.digest_of("log")}), lambda: artifacts({})
    ),
    "path-invalid": Example(
        HAPPY, judge(b.cast_all(b.open_round(), evidence=(UsedEvidence(artifact="/home/x"),)))
    ),
    "trace-unproven": Example(
        HAPPY, judge(b.cast_all(b.open_round(), evidence=(b.change(b.READ[0], source="trace"),)))
    ),
    "packet-mismatch": Example(
        judge(packed(claims=("summary",))), judge(packed(claims=("summary",), told=()))
    ),
    "claim-in-text": Example(
        lambda: artifacts({LOG_PATH: b.digest_of("log")}),
        lambda: echoing("All rows of the table stay as they are."),
    ),
    "claim-not-shown": Example(
        judge(packed(claims=("summary",), cites="summary")), judge(packed(cites="summary"))
    ),
    "evidence-redacted": Example(HAPPY, redacted),
    "redaction-unfounded": Example(
        redacted, lambda: redacted(path=f"decisions/{b.ID}/evidence/other.txt")
    ),
    "redacted-evidence-present": Example(redacted, lambda: redacted(LOG_PATH)),
    "unpinned": Example(
        lambda: artifacts({LOG_PATH: b.digest_of("log")}),
        lambda: artifacts({}, artifact="https://example.org/log", digest=None),
    ),
    "no-load-bearing-artifact": Example(
        judge(b.open_round(rules=b.QUORUM)),
        judge(b.open_round({"evidence": (b.LOG,)}, rules=b.QUORUM)),
    ),
    "claim-without-primary": Example(judge(b.agreed(rules=b.QUORUM)), judge(CORRELATED)),
    "amendment-differs": Example(
        judge(b.amend(minor())),
        judge(
            b.amend(
                minor(),
                amendments=(
                    Adopted(
                        voter="challenger",
                        vote=minor().votes[0].digest,
                        alternative="Drop it after a year.",
                    ),
                ),
            )
        ),
    ),
    "amendment-unfounded": Example(
        judge(b.amend(minor())), judge(b.amend(b.cast_all(b.open_round())))
    ),
    "correlated-quorum-warning": Example(HAPPY, judge(SHARED_CLAIM)),
    "single-lineage": Example(judge(lineages("a", "a", "b")), judge(lineages("a", "a", "a"))),
}
AFTER: dict[str, Example] = {
    "ruling-not-human": Example(ruled(), ruled(signer=b.AUTHORITY)),
    "ruling-too-early": Example(ruled(), ruled(REFUSED)),
    "ruling-without-votes": Example(
        ruled(), ruled(b.close(b.open_round(rules=b.make_rules(max_rounds=1))))
    ),
    "synthesis-missing": Example(
        ruled(), judge(ESCALATED, ruling=a.ruling_file(ESCALATED, SYNTHESIS))
    ),
    "check-not-independent": Example(
        judge(AGREED, checks=(a.check_file(AGREED),)),
        judge(AGREED, checks=(a.check_file(AGREED, by="implementer"),)),
    ),
    "rederivation-not-independent": Example(
        judge(SHARED_CLAIM, rederivations=(a.rederivation_file(SHARED_CLAIM),)),
        judge(SHARED_CLAIM, rederivations=(a.rederivation_file(SHARED_CLAIM, evidence=()),)),
    ),
    "rederivation-contradicts": Example(
        judge(SHARED_CLAIM, rederivations=(a.rederivation_file(SHARED_CLAIM),)),
        judge(SHARED_CLAIM, rederivations=(a.rederivation_file(SHARED_CLAIM, confirms=False),)),
    ),
    "unexpected-file": Example(
        lambda: first_step(b.open_round()),
        lambda: first_step(b.cast(b.open_round(), implementer={})),
    ),
    "decision-ended": Example(
        lambda: ended_step(f"decisions/{b.ID}/rederivations/outsider.yaml"),
        lambda: ended_step(f"decisions/{b.ID}/checks/plan.1.yaml"),
    ),
    "record-missing": Example(
        lambda: recorded("sha256:1", "sha256:1"), lambda: recorded(None, "sha256:1")
    ),
    "record-early": Example(lambda: recorded(None, None), lambda: recorded("sha256:1", None)),
    "record-differs": Example(
        lambda: recorded("sha256:1", "sha256:1"), lambda: recorded("sha256:1", "sha256:2")
    ),
    "ledger-stale": Example(
        lambda: check_ledger(b"{}\n", b"{}\n"), lambda: check_ledger(None, b"{}\n")
    ),
    "shared-file-in-change": Example(
        lambda: check_shared_files([LEDGER], "main", a.make_policy()),
        lambda: check_shared_files([LEDGER], "feature", a.make_policy()),
    ),
    "adr-stale": Example(
        lambda: check_page(Page(b.ID, "ended", None, b"x", [b"x"])),
        lambda: check_page(Page(b.ID, "ended", b"x", b"y", [b"x"])),
    ),
    "page-without-record": Example(
        lambda: check_page(Page(b.ID, "absent", b"by hand", b"by hand")),
        lambda: check_page(Page(b.ID, "absent", None, b"invented")),
    ),
    "frozen-file-changed": Example(
        lambda: step(AGREED, AGREED), lambda: step(AGREED, AGREED, implementer="other")
    ),
    "signed-file-deleted": Example(
        lambda: step(AGREED, AGREED), lambda: step(AGREED, AGREED, implementer=None)
    ),
    "undecided-on-protected-branch": Example(
        lambda: check_arrival(evaluate(b.decide(AGREED)), a.make_policy()),
        lambda: check_arrival(evaluate(b.decide(REFUSED)), a.make_policy()),
    ),
    "guarded-path": Example(
        lambda: check_guarded((GUARD,), CHANGED, (ENACTED,)),
        lambda: check_guarded((GUARD,), CHANGED, (ENACTED._replace(fault="is contested"),)),
    ),
    "enacts-differs": Example(
        lambda: check_guarded((GUARD,), CHANGED, (ENACTED,)),
        lambda: check_guarded((GUARD,), REPLACED, (ENACTED,)),
    ),
    "trailer-only": Example(
        lambda: check_kept((GUARD,), CHANGED, (ENACTED,), "Accord-Decision"),
        lambda: check_kept(
            (GUARD,), CHANGED, (ENACTED._replace(found="named"),), "Accord-Decision"
        ),
    ),
    "ballot-lost": Example(
        lambda: find_lost([HELD], {HELD, UNSIGNED}, "refs/heads/x"),
        lambda: find_lost([HELD], {UNSIGNED}, "refs/heads/x"),
    ),
}
EXAMPLES: dict[str, Example] = FILES | POLICY | BALLOT | VOTE | ROUNDS | AGREEMENT | AFTER
