"""The attacks: how each begins, what is done, and the finding that it gives.

`docs/attacks.md` lists the same, with the places that see each; a test holds them together.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable

import msgspec

from accord.model.escalation import Check, Rederivation, Ruling, Withdrawal
from accord.model.resolution import Close, Counted
from tests.attacks.attack import BY_SIDE, NOT_STAGED, Attack
from tests.attacks.corpus_bounds import BOUNDS
from tests.attacks.corpus_evidence import EVIDENCE as CITED
from tests.attacks.corpus_guards import GUARDS
from tests.attacks.corpus_late import LATE
from tests.attacks.corpus_pages import PAGES
from tests.attacks.corpus_passage import PASSAGE
from tests.attacks.corpus_redaction import REDACTIONS
from tests.attacks.forge import (
    CHALLENGE,
    R1,
    REVIEW,
    commit,
    copy_decision,
    delete,
    edit,
    edit_policy,
    latest,
    link,
    link_decision,
    link_everything,
    link_template,
    place,
    put,
    put_submodule,
    resign,
    sign,
    squat,
    write,
    write_record,
)
from tests.attacks.starts import EVIDENCE
from tests.e2e.team import BRIEF, Team, all_agree
from tests.support.keys import FixedKey

AT = "2026-12-24T09:00:00Z"


def use_a_key_of_ones_own(team: Team) -> None:
    """The policy names another key for the reviewer, who then seals with it."""
    edit_policy(team, (FixedKey("reviewer").line, FixedKey("stranger").line))
    commit(team)
    seal = place(team, f"{R1}/round.yaml").parent / "seals" / "reviewer.yaml"
    challenger = place(team, f"{R1}/seals/challenger.yaml").read_text()
    seal.write_text(challenger.replace("voter: challenger", "voter: reviewer"))
    sign(seal, "stranger")


def back_date(team: Team) -> None:
    """A seal signed with a key that was lost in 2020, as if it were from 2019."""
    text = "\n".join(
        (
            "format: accord/seal/1",
            f"decision: {team.id_of('x')}",
            "round: 1",
            "voter: challenger",
            f"ballot: {latest(team).ballot.digest}",
            f"vote: sha256:{'0' * 64}",
            "at: 2019-01-01T00:00:00Z",
        )
    )
    seal = place(team, f"{R1}/round.yaml").parent / "seals" / "challenger.yaml"
    seal.parent.mkdir(exist_ok=True)
    seal.write_text(text + "\n")
    sign(seal, "challenger-lost")


def open_with(*changes: tuple[str, str], **draft: object) -> Callable[[Team], None]:
    """A ballot that is edited between opening and signing."""

    def act(team: Team) -> None:
        (team.repo.path / "note.txt").write_text("a note")
        path = team.write("x.json", BRIEF | {"evidence": EVIDENCE} | draft)
        team.accord("propose", "x", "--class=architecture", "--from", str(path), "--open")
        change_ballot(team, f"{R1}/round.yaml", *changes)

    return act


def waive(team: Team) -> None:
    """A waiver is written into the proposal and the ballot that was to be signed."""
    open_with()(team)
    waiver = "waiver:\n  kind: trivially_reversible\n  justification: easy\n"
    change_opened(team, "x", lambda text: text + waiver)


def change_opened(team: Team, name: str, change: Callable[[str], str]) -> None:
    """Change proposal and ballot of a round that was just opened, both alike."""
    proposal, ballot = (team.file(name, f"{R1}/{one}.yaml") for one in ("proposal", "round"))
    before = proposal.read_text()
    after = change(before)
    assert after != before
    proposal.write_text(after)
    old, new = (hashlib.sha256(text.encode()).hexdigest() for text in (before, after))
    ballot.write_text(change(ballot.read_text().replace(old, new)))
    for file in (proposal, ballot):
        sign(file, "orchestrator")


def open_second_with(*changes: tuple[str, str]) -> Callable[[Team], None]:
    def act(team: Team) -> None:
        team.accord("open", "x")
        change_ballot(team, "rounds/2/round.yaml", *changes)

    return act


def change_ballot(team: Team, rest: str, *changes: tuple[str, str]) -> None:
    for old, new in changes:
        edit(team, rest, old, new)
    sign(place(team, rest), "orchestrator")


def leave_out(voter: str) -> tuple[str, str]:
    """The lines of a ballot about a voter, and nothing in their place."""
    roles = "  - voter\n      - challenger\n" if voter == "challenger" else "  - voter\n"
    return (f"  {voter}:\n    kind: agent\n    roles:\n    {roles}", "")


def make_proposer_of(voter: str) -> Callable[[Team], None]:
    def act(team: Team) -> None:
        resign(
            team, "rounds/2/proposal.yaml", "proposer: orchestrator", f"proposer: {voter}", voter
        )
        commit(team)
        open_by_hand(team, 2)

    return act


def open_by_hand(team: Team, number: int, source: int = 1) -> None:
    """A ballot made of an older one, signed by the authority."""
    folder = place(team, f"rounds/{source}").with_name(str(number))
    folder.mkdir(exist_ok=True)
    old = place(team, f"rounds/{source}/proposal.yaml").read_bytes()
    if not (folder / "proposal.yaml").exists():
        text = old.decode().replace(f"round: {source}", f"round: {number}", 1)
        (folder / "proposal.yaml").write_text(text)
        sign(folder / "proposal.yaml", "orchestrator")
    new = (folder / "proposal.yaml").read_bytes()
    ballot = place(team, f"rounds/{source}/round.yaml").read_text()
    ballot = ballot.replace(f"round: {source}", f"round: {number}", 1)
    ballot = ballot.replace(hashlib.sha256(old).hexdigest(), hashlib.sha256(new).hexdigest())
    (folder / "round.yaml").write_text(ballot)
    sign(folder / "round.yaml", "orchestrator")


def rename_a_refusal(team: Team) -> None:
    for name in (CHALLENGE, f"{CHALLENGE}.sig"):
        path = place(team, name)
        path.rename(path.with_name(path.name.replace("challenger", "challenger.old")))


def add_in_another_case(team: Team) -> None:
    vote = place(team, CHALLENGE)
    shutil.copyfile(place(team, REVIEW), vote.with_name("Challenger.yaml"))
    sign(vote.with_name("Challenger.yaml"), "reviewer")


def seal_after_opening(team: Team) -> None:
    """One commit has a seal and its vote, before the others have sealed."""
    folder = f"decisions/{team.id_of('x')}/{R1}"
    git = team.repo.git
    git("reset", "-q", "--hard", "opened")
    for path in ("seals/reviewer.yaml", "votes/reviewer.yaml"):
        git("checkout", "voted", "--", f"{folder}/{path}", f"{folder}/{path}.sig")
    commit(team, "reviewer seals and opens")
    git("checkout", "voted", "--", folder)


def seal_twice(team: Team) -> None:
    resign(team, f"{R1}/seals/challenger.yaml", "vote: sha256:", "vote: sha256:0", "challenger")
    edit_digest(team, f"{R1}/seals/challenger.yaml")


def edit_digest(team: Team, rest: str) -> None:
    """A digest that has a digit too many loses its last one."""
    path = place(team, rest)
    lines = [
        line[: len("vote: sha256:") + 64] if line.startswith("vote: sha256:") else line
        for line in path.read_text().splitlines()
    ]
    path.write_text("\n".join(lines) + "\n")
    sign(path, "challenger")


def vote_on_two_branches(team: Team) -> None:
    """The challenger seals two votes; a merge takes the friendly one."""
    git = team.repo.git
    git("switch", "-qc", "other", "opened")
    git("checkout", "work", "--", f"decisions/{team.id_of('x')}/{R1}/seals")
    seal_twice(team)
    commit(team, "another seal")
    git("switch", "-q", "work")
    git("merge", "-q", "-s", "ours", "-m", "merge", "other")


def merge_without(team: Team, *parents: str) -> None:
    """A merge of some branches with all of work but the refusal."""
    git = team.repo.git
    delete(team, CHALLENGE)
    git("add", "--all")
    tree = git("write-tree")
    sides = [word for parent in (*parents, "work") for word in ("-p", parent)]
    merged = git("commit-tree", tree, *sides, "-m", "merge")
    git("reset", "-q", "--hard", merged)


def merge_beside(team: Team) -> None:
    git = team.repo.git
    git("branch", "side", git("commit-tree", "main^{tree}", "-p", "main", "-m", "side"))
    merge_without(team, "side")


def merge_octopus(team: Team) -> None:
    git = team.repo.git
    for name in ("one", "two"):
        git("branch", name, git("commit-tree", "main^{tree}", "-p", "main", "-m", name))
    merge_without(team, "one", "two")


def slip_in(team: Team) -> None:
    """A merge with evidence that no parent has."""
    git = team.repo.git
    git("branch", "side", git("commit-tree", "main^{tree}", "-p", "main", "-m", "side"))
    (place(team, "evidence") / "late.txt").write_text("slipped in\n")
    git("add", "--all")
    tree = git("write-tree")
    merged = git("commit-tree", tree, "-p", "side", "-p", "work", "-m", "merge")
    git("reset", "-q", "--hard", merged)


def go_around_a_revocation(team: Team) -> None:
    """A foxtrot merge: main, where the reviewer's key was revoked, becomes the second parent."""
    git = team.repo.git
    git("switch", "-q", "main")
    key = f"- ssh: {FixedKey('reviewer').line}"
    edit_policy(team, (key, f'{key}\n        revoked_from: "2026-01-01T00:00:00Z"'))
    commit(team, "the reviewer's key is revoked")
    git("switch", "-q", "work")
    git("merge", "-q", "--no-ff", "-m", "merge", "main")


def close_over_a_seal(team: Team) -> None:
    """The round is closed as if the challenger had never sealed."""
    round_ = latest(team)
    close = Close(
        decision=team.id_of("x"),
        round=1,
        by="orchestrator",
        at=AT,
        ballot=round_.ballot.digest,
        reason="nobody is left",
        counted=Counted(),
        missing=("challenger", "implementer", "reviewer"),
    )
    put(team, f"{R1}/close.yaml", close, "close", "orchestrator")


def roll_back(team: Team) -> None:
    team.repo.git("checkout", "before", "--", "decisions/policy.yaml")


def govern_in_parallel(team: Team) -> None:
    """Another second policy, decided beside the one that landed, and joined to it."""
    git = team.repo.git
    git("switch", "-qC", "work", "before")
    edit_policy(team, ("serial: 1", "serial: 2"), ("bug fixes", "anything"))
    policy = (team.decisions / "policy.yaml").read_bytes()
    git("restore", "decisions/policy.yaml")
    digest = f"sha256:{hashlib.sha256(policy).hexdigest()}"
    enacts = [{"path": "decisions/policy.yaml", "digest": digest}]
    team.propose("y", "--class=governance", enacts=enacts, text="Let anything go.")
    team.vote("y", all_agree())
    team.affirm("y")
    (team.decisions / "policy.yaml").write_bytes(policy)
    commit(team, "another second policy")
    git("merge", "-q", "-X", "ours", "-m", "merge", "main")


def forge_check(member: str) -> Callable[[Team], None]:
    def act(team: Team) -> None:
        round_ = latest(team)
        check = Check(
            decision=team.id_of("x"),
            round=1,
            by=member,
            at=AT,
            ballot=round_.ballot.digest,
            text_digest=round_.text_digest,
            name="fast",
            argv=("true",),
            exit_code=0,
            output=f"sha256:{hashlib.sha256(b'').hexdigest()}",
            passed=True,
        )
        put(team, "checks/fast.1.yaml", check, "check", member)

    return act


def forge_look(member: str) -> Callable[[Team], None]:
    def act(team: Team) -> None:
        round_ = latest(team)
        look = Rederivation(
            decision=team.id_of("x"),
            round=1,
            by=member,
            at=AT,
            ballot=round_.ballot.digest,
            text_digest=round_.text_digest,
            confirms=True,
            rationale="It is so.",
        )
        put(team, f"rederivations/{member}.yaml", look, "rederivation", member)

    return act


def forge_ruling(member: str, **changes: object) -> Callable[[Team], None]:
    def act(team: Team) -> None:
        round_ = latest(team)
        synthesis = team.file("x", "synthesis.yaml")
        data = synthesis.read_bytes() if synthesis.exists() else b""
        ruling = Ruling(
            decision=team.id_of("x"),
            round=round_.number,
            by=member,
            at=AT,
            ballot=round_.ballot.digest,
            transcript=round_.transcript,
            synthesis=f"sha256:{hashlib.sha256(data).hexdigest()}",
            text_digest=round_.text_digest,
            ruling="accept",
            reason="I say so.",
        )
        put(team, "ruling.yaml", msgspec.structs.replace(ruling, **changes), "ruling", member)

    return act


def withdraw_late(team: Team) -> None:
    withdrawal = Withdrawal(
        decision=team.id_of("x"),
        round=1,
        by="orchestrator",
        at=AT,
        ballot=latest(team).ballot.digest,
        reason="never mind",
    )
    put(team, "withdrawal.yaml", withdrawal, "withdrawal", "orchestrator")


def retract_late(team: Team) -> None:
    first = place(team, f"{R1}/affirmations/reviewer.1.yaml")
    second = first.with_name("reviewer.2.yaml")
    text = first.read_text()
    text = text.replace("stance: affirm", "stance: retract\nseverity: major\ncategories: [YAGNI]")
    second.write_text(text.replace("commitment: no_reversal_without_redecision\n", ""))
    sign(second, "reviewer")


def ask_again(team: Team) -> None:
    """A text that was refused, in a decision of its own, from a branch that knows of none."""
    git = team.repo.git
    git("switch", "-qC", "work", "opened~1")
    path = team.write("y.json", BRIEF)
    team.accord("propose", "y", "--class=architecture", "--from", str(path), "--open", "--commit")
    git("merge", "-q", "--no-edit", "main")


def supersede_in_another_class(team: Team) -> None:
    """Decided anew, by the rules of another class than the one that it was decided by."""
    (team.repo.path / "news.txt").write_text("since then\n")
    news = {"id": "news", "kind": "primary", "artifact": "news.txt"}
    draft = BRIEF | {"text": "Otherwise.", "supersedes": team.id_of("x"), "evidence": [news]}
    path = team.write("y.json", draft)
    team.accord("propose", "y", "--class=architecture", "--from", str(path), "--open")
    change_opened(team, "y", lambda text: text.replace("class: architecture", "class: governance"))


def affirm_another_text(team: Team) -> None:
    team.affirm("x", ["reviewer"])
    rest = f"{R1}/affirmations/reviewer.1.yaml"
    digest = latest(team).text_digest
    resign(team, rest, f"text_digest: {digest}", f"text_digest: sha256:{'0' * 64}", "reviewer")


def swap_an_amendment(team: Team) -> None:
    """All have affirmed, and then the text says something else."""
    team.affirm("x")
    resign(team, f"{R1}/amendment.yaml", "only for open", "for all open", "orchestrator")


def claim_to_be_accepted(team: Team) -> None:
    path = team.decisions / "2026-01-01-older" / "record.yaml"
    path.parent.mkdir()
    zeros = "0" * 64
    path.write_text(
        "format: accord/record/1\nprotocol: 1\ndecision: 2026-01-01-older\ntitle: Older\n"
        "class: architecture\nstatus: imported\nbasis: vote\nverdict: UNANIMITY_VERIFIED\n"
        "directive: PROCEED\ndecided_at: 2026-01-01T00:00:00Z\n"
        f'source: {{path: docs/adr/1.md, digest: "sha256:{zeros}"}}\n'
        f"manifest_digest: sha256:{zeros}\n"
    )


def leave_nothing(team: Team) -> None:
    git = team.repo.git
    empty = git("mktree")
    git("reset", "-q", "--hard", git("commit-tree", empty, "-p", "HEAD", "-m", "nothing"))


FILES: dict[str, Attack] = {
    "a record by hand": Attack("a refused round", write_record, "record-early"),
    "a deleted refusal": Attack(
        "a refused round", lambda t: delete(t, CHALLENGE), "signed-file-deleted"
    ),
    "a deleted refusal with its seal": Attack(
        "a refused round",
        lambda t: delete(t, CHALLENGE, f"{R1}/seals/challenger.yaml"),
        "signed-file-deleted",
    ),
    "a turned refusal": Attack(
        "a refused round",
        lambda t: edit(t, CHALLENGE, "vote: disagree", "vote: agree"),
        "bad-signature",
    ),
    "a turned refusal, signed anew": Attack(
        "a refused round",
        lambda t: resign(t, CHALLENGE, "vote: disagree", "vote: agree", "challenger"),
        "seal-mismatch",
    ),
    "a turned refusal, signed by another": Attack(
        "a refused round",
        lambda t: resign(t, CHALLENGE, "vote: disagree", "vote: agree", "reviewer"),
        "wrong-signer",
    ),
    "a vote signed by nobody's key": Attack(
        "a refused round", lambda t: sign(place(t, REVIEW), "stranger"), "unknown-signer"
    ),
    "a vote signed for something else": Attack(
        "a refused round", lambda t: sign(place(t, REVIEW), "reviewer", "git"), "bad-signature"
    ),
    "a vote without its signature": Attack(
        "a refused round", lambda t: place(t, f"{REVIEW}.sig").unlink(), "unsigned"
    ),
    "the signature of another file": Attack(
        "a refused round",
        lambda t: shutil.copyfile(place(t, f"{R1}/round.yaml.sig"), place(t, f"{REVIEW}.sig")),
        "bad-signature",
    ),
    "a ballot with more rounds": Attack(
        "a refused round",
        lambda t: resign(t, f"{R1}/round.yaml", "max_rounds: 2", "max_rounds: 9", "orchestrator"),
        "frozen-file-changed",
    ),
    "another text": Attack(
        "a refused round",
        lambda t: resign(t, f"{R1}/proposal.yaml", "Make it", "Make all", "orchestrator"),
        "proposal-changed",
    ),
    "a link": Attack("a refused round", lambda t: link(t, REVIEW), "not-a-regular-file"),
    "an executable": Attack(
        "a refused round", lambda t: place(t, REVIEW).chmod(493), "not-a-regular-file"
    ),
    "a file that nothing knows": Attack(
        "a refused round", lambda t: place(t, f"{R1}/notes.txt").write_text("hi"), "unexpected-file"
    ),
    "a file of nobody": Attack(
        "a refused round", lambda t: write(t, "evil.txt"), "unexpected-file"
    ),
    "a signature of the policy": Attack(
        "a refused round", lambda t: write(t, "policy.yaml.sig"), "unexpected-file"
    ),
    "a file beside the ledger": Attack(
        "a refused round", lambda t: write(t, "ledger/foo"), "unexpected-file"
    ),
    "a file below the policy": Attack(
        "a refused round", lambda t: write(t, "trusted_root.json/foo"), "unexpected-file"
    ),
    "a link among the decisions": Attack(
        "a refused round",
        lambda t: (t.decisions / "2026-01-01-link").symlink_to("../source.txt"),
        "not-a-regular-file",
    ),
    "a link among the templates": Attack("a refused round", link_template, "not-a-regular-file"),
    "a submodule among the decisions": Attack(
        "a refused round",
        lambda t: put_submodule(t.decisions / "2026-01-01-sub"),
        "not-a-regular-file",
    ),
    "a submodule as evidence": Attack(
        "a refused round", lambda t: put_submodule(place(t, "evidence/sub")), "not-a-regular-file"
    ),
    "a submodule as a vote": Attack(
        "a refused round", lambda t: put_submodule(place(t, REVIEW)), "not-a-regular-file"
    ),
    "a submodule as a record": Attack(
        "a refused round", lambda t: put_submodule(place(t, "record.yaml")), "not-a-regular-file"
    ),
    "a submodule as the policy": Attack(
        "a refused round",
        lambda t: put_submodule(t.decisions / "policy.yaml"),
        "not-a-regular-file",
    ),
    "a link instead of a decision": Attack("a refused round", link_decision, "not-a-regular-file"),
    "a link instead of all decisions": Attack(
        "a refused round", link_everything, "not-a-regular-file"
    ),
    "an orphaned signature": Attack(
        "a refused round",
        lambda t: shutil.copyfile(place(t, f"{REVIEW}.sig"), place(t, f"{R1}/votes/dana.yaml.sig")),
        "unexpected-file",
    ),
    "a vote of somebody else": Attack(
        "a refused round",
        lambda t: squat(t, f"{R1}/votes/dana.yaml", REVIEW, "dana"),
        "wrong-signer",
    ),
    "the same person under two names": Attack(
        "a refused round",
        lambda t: squat(t, f"{R1}/votes/re-viewer.yaml", REVIEW, "reviewer"),
        "ballot-mismatch",
    ),
    "a decision under another id": Attack("a refused round", copy_decision, "ballot-mismatch"),
    "a policy that was weakened": Attack(
        "a refused round",
        lambda t: edit_policy(t, ("min: 3", "min: 2")),
        "policy-change-unapproved",
    ),
    "a policy with the same serial": Attack(
        "a refused round", lambda t: edit_policy(t, ("min: 3", "min: 2")), "policy-serial"
    ),
    "no policy": Attack(
        "a refused round", lambda t: (t.decisions / "policy.yaml").unlink(), "policy-removed"
    ),
    "a policy that is broken": Attack(
        "a refused round", lambda t: edit_policy(t, ("serial: 1", "serial: one")), "schema-invalid"
    ),
    "changed evidence": Attack(
        "a refused round",
        lambda t: place(t, "evidence/note-note.txt").write_text("other"),
        "evidence-digest-mismatch",
    ),
    "deleted evidence": Attack(
        "a refused round", lambda t: place(t, "evidence/note-note.txt").unlink(), "evidence-missing"
    ),
}

RULES: dict[str, Attack] = {
    "an older policy comes back": Attack("a second policy on main", roll_back, "policy-serial"),
    "two second policies are joined": Attack(
        "a second policy on main", govern_in_parallel, "policy-serial", BY_SIDE
    ),
    "a key of one's own": Attack(
        "a sealed refusal", use_a_key_of_ones_own, "policy-change-unapproved"
    ),
    "a seal with a key of one's own": Attack(
        "a sealed refusal", use_a_key_of_ones_own, "unknown-signer", NOT_STAGED
    ),
    "a lost key and an old date": Attack("a lost key", back_date, "key-not-valid"),
    "one key for two members": Attack(
        "a policy",
        lambda t: edit_policy(t, (FixedKey("reviewer").line, FixedKey("challenger").line)),
        "policy-invalid",
    ),
    "no challenger in the policy": Attack(
        "a policy",
        lambda t: edit_policy(t, ("      - voter\n      - challenger\n", "      - voter\n")),
        "policy-invalid",
    ),
    "more rounds in the policy": Attack(
        "a refused round",
        lambda t: edit_policy(t, ("  architecture:\n", "  architecture:\n    max_rounds: 9\n")),
        "policy-change-unapproved",
    ),
    "nothing at all": Attack("a policy", leave_nothing, "policy-removed"),
    "a revocation is gone around": Attack(
        "an accepted decision",
        go_around_a_revocation,
        "key-not-valid",
        BY_SIDE,
    ),
}
BALLOTS: dict[str, Attack] = {
    "a ballot without the challenger": Attack(
        "a policy", open_with(leave_out("challenger")), "challenger-missing"
    ),
    "a ballot with rules of its own": Attack(
        "a policy", open_with(("max_rounds: 2", "max_rounds: 9")), "ballot-not-from-policy"
    ),
    "a ballot of another project": Attack(
        "a policy", open_with(("project: ", "project: 0000")), "schema-invalid"
    ),
    "a waiver that the class has not": Attack(
        "a policy",
        waive,
        "waiver-not-allowed",
    ),
    "a round is skipped": Attack("a refused round", lambda t: open_by_hand(t, 3), "round-gap"),
    "a round past the limit": Attack(
        "two refused rounds", lambda t: open_by_hand(t, 3, 2), "round-limit-exceeded"
    ),
    "another class in the second round": Attack(
        "a drafted second round",
        open_second_with(("class: architecture", "class: governance")),
        "class-changed",
    ),
    "the dissenter is left out": Attack(
        "a drafted second round of four",
        open_second_with(leave_out("reviewer")),
        "dissenter-dropped",
    ),
    "the dissenter is made proposer": Attack(
        "a drafted second round", make_proposer_of("challenger"), "proposer-votes"
    ),
    "closed over a sealed refusal": Attack(
        "a sealed refusal", close_over_a_seal, "frozen-file-changed"
    ),
    "a refused text is asked again": Attack(
        "a withdrawn refusal on main", ask_again, "proposed-before", BY_SIDE
    ),
    "superseded in another class": Attack(
        "an accepted decision on main", supersede_in_another_class, "reopens-invalid"
    ),
}
VOTES: dict[str, Attack] = {
    "a refusal is renamed": Attack("a refused round", rename_a_refusal, "signed-file-deleted"),
    "a vote in another case": Attack("a refused round", add_in_another_case, "unexpected-file"),
    "a merge leaves a refusal out": Attack(
        "a refused round", merge_beside, "signed-file-deleted", NOT_STAGED
    ),
    "an octopus leaves a refusal out": Attack(
        "a refused round", merge_octopus, "signed-file-deleted", NOT_STAGED
    ),
    "a merge slips something in": Attack("a refused round", slip_in, "evil-merge", NOT_STAGED),
    "a seal and its vote before the others": Attack(
        "an agreement", seal_after_opening, "revealed-before-sealed"
    ),
    "a second seal": Attack("a sealed refusal", seal_twice, "frozen-file-changed"),
    "two seals on two branches": Attack(
        "a sealed refusal", vote_on_two_branches, "equivocation", NOT_STAGED
    ),
    "an affirmation of another text": Attack("an agreement", affirm_another_text, "stale-file"),
    "an amendment that says something else": Attack(
        "an amendment",
        lambda t: resign(
            t, f"{R1}/amendment.yaml", "only for open", "for all open", "orchestrator"
        ),
        "amendment-differs",
    ),
    "an amendment is swapped after affirmations": Attack(
        "an amendment", swap_an_amendment, "amendment-differs"
    ),
}
ESCALATION: dict[str, Attack] = {
    **{
        f"a check by the {who}": Attack(
            "an escalated decision", forge_check(member), "check-not-independent"
        )
        for who, member in (("proposer and opener", "orchestrator"), ("winner", "reviewer"))
    },
    "a second look by a voter": Attack(
        "a provisional agreement", forge_look("reviewer"), "rederivation-not-independent"
    ),
    "a second look by the proposer": Attack(
        "a provisional agreement", forge_look("orchestrator"), "rederivation-not-independent"
    ),
    "a ruling before its time": Attack("a refused round", forge_ruling("dana"), "ruling-too-early"),
    "a ruling by an agent": Attack("a synthesis", forge_ruling("otto"), "ruling-not-human"),
    "a ruling on another synthesis": Attack(
        "a synthesis",
        forge_ruling("dana", synthesis=f"sha256:{'0' * 64}"),
        "synthesis-missing",
    ),
    "a ruling without a synthesis": Attack(
        "an escalated decision", forge_ruling("dana"), "synthesis-missing"
    ),
    "a ruling where nobody voted": Attack(
        "two rounds without votes", forge_ruling("dana"), "ruling-without-votes"
    ),
}
RECORDS: dict[str, Attack] = {
    "a record is edited": Attack(
        "an accepted decision",
        lambda t: edit(t, "record.yaml", "status: accepted", "status: rejected"),
        "record-differs",
    ),
    "a record is dropped": Attack(
        "an accepted decision", lambda t: place(t, "record.yaml").unlink(), "record-missing"
    ),
    "a late retraction": Attack("an accepted decision on main", retract_late, "decision-ended"),
    "a late withdrawal": Attack("an accepted decision on main", withdraw_late, "decision-ended"),
    "a further round": Attack(
        "an accepted decision on main", lambda t: open_by_hand(t, 2), "decision-ended"
    ),
    "an import that claims to be accepted": Attack(
        "a policy", claim_to_be_accepted, "record-differs"
    ),
}
ATTACKS: dict[str, Attack] = {
    **FILES,
    **RULES,
    **BALLOTS,
    **VOTES,
    **CITED,
    **LATE,
    **ESCALATION,
    **RECORDS,
    **GUARDS,
    **PASSAGE,
    **PAGES,
    **REDACTIONS,
    **BOUNDS,
}
