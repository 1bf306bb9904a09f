"""What the hook refuses: each way of getting something unverified past it, and its finding."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.attacks.forge import (
    CHALLENGE,
    R1,
    REVIEW,
    commit,
    edit,
    edit_policy,
    place,
    put_submodule,
    sign,
    write,
)
from tests.e2e.team import AGREE, BRIEF, MAJOR, Team, all_agree
from tests.support.keys import FixedKey
from tests.support.repos import Repo


@pytest.fixture
def refused(team: Team) -> Team:
    """A decision whose first round the challenger refused."""
    note = team.repo.path / "note.txt"
    note.write_text("a note")
    entry = {"id": "note", "kind": "primary", "artifact": "note.txt"}
    source = {"id": "source", "kind": "primary", "artifact": "source.txt"}
    team.propose("x", evidence=[source, entry])
    team.vote("x", all_agree() | {"challenger": MAJOR})
    return team


def test_what_belongs_to_no_decision_is_seen_in_a_tree_too(team: Team) -> None:
    for allowed in ("README.md", "templates/adr.md.j2", "templates/deep/er"):
        path = team.decisions / allowed
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("hello\n")
    team.repo.git("add", "--all", "decisions")
    assert team.findings("--staged").keys() == {"policy-change-unapproved"}
    team.repo.commit({})
    assert team.findings("--rev", "HEAD", code=0) == {}
    write(team, "evil.txt")
    (team.decisions / "templates/x").symlink_to("adr.md.j2")
    team.repo.git("add", "--all", "decisions")
    team.repo.commit({})
    assert team.findings("--rev", "HEAD") == {
        "unexpected-file": "decisions/evil.txt",
        "not-a-regular-file": "decisions/templates/x",
    }


def put_executable(path: Path) -> None:
    path.write_text("text: Make it small.\n")
    path.chmod(0o755)


NOT_PLAIN = {
    "a submodule": put_submodule,
    "a link": lambda path: path.symlink_to("proposal.yaml"),
    "an executable": put_executable,
}


@pytest.mark.parametrize("put", NOT_PLAIN.values(), ids=NOT_PLAIN)
def test_a_proposal_is_a_plain_file(refused: Team, put: Callable[[Path], None]) -> None:
    """When a round opens, and when a policy changes, the proposals of others are searched."""
    path = refused.decisions / f"2026-01-01-other/{R1}/proposal.yaml"
    path.parent.mkdir(parents=True)
    put(path)
    refused.repo.git("add", "--all", "decisions")
    draft = refused.write("y.json", BRIEF | {"text": "Make it small."})
    refused.accord("propose", "y", "--class=architecture", "--from", str(draft), "--open")
    edit_policy(refused, ("min: 3", "min: 2"))
    refused.repo.git("add", "--all", "decisions")
    assert {"not-a-regular-file", "policy-change-unapproved"} <= refused.findings().keys()


def test_a_replaced_blob_changes_nothing(refused: Team) -> None:
    path = f"decisions/{refused.id_of('x')}/{CHALLENGE}"
    old = refused.repo.git("rev-parse", f"HEAD:{path}")
    text = place(refused, CHALLENGE).read_text().replace("vote: disagree", "vote: agree")
    refused.repo.git("replace", old, refused.repo.blob(text.encode()))
    assert refused.status_of("x") == "contested"


def test_an_accepted_record_cannot_be_edited_or_dropped(team: Team) -> None:
    team.propose("x")
    team.vote("x", all_agree())
    team.affirm("x")
    edit(team, "record.yaml", "status: accepted", "status: rejected")
    team.repo.git("add", "--all", "decisions")
    assert team.findings() == {"record-differs": f"decisions/{team.id_of('x')}/record.yaml"}
    place(team, "record.yaml").unlink()
    team.repo.git("add", "--all", "decisions")
    assert "record-missing" in team.findings()


def test_nothing_enters_once_it_has_ended(team: Team) -> None:
    team.propose("x")
    team.vote("x", all_agree())
    team.affirm("x")
    first = place(team, f"{R1}/affirmations/reviewer.1.yaml")
    second = first.with_name("reviewer.2.yaml")
    second.write_text(
        first.read_text()
        .replace("stance: affirm", "stance: retract\nseverity: major\ncategories: [YAGNI]")
        .replace("commitment: no_reversal_without_redecision\n", "")
    )
    sign(second, "reviewer")
    team.repo.git("add", "--all", "decisions")
    assert {"decision-ended", "record-early"} <= team.findings().keys()


def test_a_copied_ballot_opens_no_further_round(team: Team) -> None:
    team.propose("x")
    team.vote("x", all_agree() | {"challenger": MAJOR})
    for number in (1, 2):
        last = f"rounds/{number}/round.yaml"
        following = place(team, last).parent.with_name(str(number + 1))
        following.mkdir()
        for name in ("round.yaml", "proposal.yaml"):
            text = place(team, f"rounds/{number}/{name}").read_text()
            (following / name).write_text(text.replace(f"round: {number}", f"round: {number + 1}"))
            sign(following / name, "orchestrator")
    team.repo.git("add", "--all", "decisions")
    assert "proposal-changed" in team.findings()


def lose_key(team: Team, member: str, name: str) -> FixedKey:
    """Another key of a member, lost long ago; it is in the policy of the base."""
    key = FixedKey(name)
    entry = f'- ssh: {key.line}\n        revoked_from: "2020-01-01T00:00:00Z"\n      '
    text = (team.decisions / "policy.yaml").read_text()
    at = text.index("- ssh:", text.index(f"  {member}:"))
    (team.decisions / "policy.yaml").write_text(text[:at] + entry + text[at:])
    team.repo.git("add", "--all", "decisions")
    team.repo.commit({})
    team.repo.git("config", "--unset", f"accord.{member}.key")
    return key


def test_a_signature_by_a_lost_key_is_new_however_old_its_file(team: Team) -> None:
    draft = team.write("x.json", BRIEF)
    team.accord("propose", "x", "--as=dana", "--class=architecture", "--from", str(draft))
    lost = lose_key(team, "dana", "dana-lost")
    path = place(team, f"{R1}/proposal.yaml")
    good = path.with_name("proposal.yaml.sig")
    signature = good.read_bytes()
    good.unlink()
    team.repo.git("add", "--all", "decisions")
    team.repo.commit({})
    good.write_bytes(lost.sign(path.read_bytes()))
    team.repo.git("add", "--all", "decisions")
    assert "is revoked from" in team.accord("open", "x", "--commit", code=1)
    good.write_bytes(signature)
    team.repo.git("add", "--all", "decisions")
    team.accord("open", "x", "--commit")


def test_the_proposal_of_a_lost_key_is_found_in_a_tree(team: Team) -> None:
    draft = team.write("x.json", BRIEF)
    team.accord("propose", "x", "--as=dana", "--class=architecture", "--from", str(draft))
    team.accord("open", "x", "--commit")
    lost = lose_key(team, "dana", "dana-lost")
    path = place(team, f"{R1}/proposal.yaml")
    path.with_name("proposal.yaml.sig").write_bytes(lost.sign(path.read_bytes()))
    team.repo.git("add", "--all", "decisions")
    frozen = {"frozen-file-changed", "key-not-valid", "proposal-changed"}
    assert team.findings().keys() == frozen
    team.repo.git("add", "--all", "decisions")
    team.repo.commit({})
    assert "key-not-valid" in team.findings("--rev=HEAD", "--tree-only")


def test_what_counts_keeps_its_signature(team: Team) -> None:
    team.propose("x")
    team.vote("x", all_agree())
    second = FixedKey("reviewer-second")
    text = (team.decisions / "policy.yaml").read_text()
    at = text.index("- ssh:", text.index("  reviewer:"))
    (team.decisions / "policy.yaml").write_text(
        f"{text[:at]}- ssh: {second.line}\n      {text[at:]}"
    )
    team.repo.git("add", "--all", "decisions")
    team.repo.commit({})
    vote = place(team, REVIEW)
    vote.with_name("reviewer.yaml.sig").write_bytes(second.sign(vote.read_bytes()))
    team.repo.git("add", "--all", "decisions")
    path = f"decisions/{team.id_of('x')}/{REVIEW}"
    assert team.findings() == {"frozen-file-changed": path}
    assert "signature" in team.accord("verify", "--staged", code=1)


def copy_proposal(team: Team, source: Path, target: Path) -> None:
    """A proposal and its signature, in another place; staged."""
    target.mkdir(parents=True)
    for name in ("proposal.yaml", "proposal.yaml.sig"):
        shutil.copyfile(source / name, target / name)
    team.repo.git("add", "--all", "decisions")


def open_by_hand(round_: Path, source: Path, *changes: tuple[str, str]) -> None:
    """A ballot made from another one, signed by the authority."""
    text = (source / "round.yaml").read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (round_ / "round.yaml").write_text(text)
    sign(round_ / "round.yaml", "orchestrator")


def test_the_proposal_of_another_decision_opens_no_round(team: Team) -> None:
    team.propose("x")
    team.accord("withdraw", "x", "--reason", "no", "--commit")
    source = place(team, R1)
    other = f"{team.id_of('x')[:11]}other"
    copy_proposal(team, source, team.decisions / other / R1)
    assert f"says decision: {team.id_of('x')}" in team.accord("open", "other", code=2)
    open_by_hand(team.decisions / other / R1, source, (team.id_of("x"), other))
    team.repo.git("add", "--all", "decisions")
    assert team.findings() == {"ballot-mismatch": f"decisions/{other}/{R1}/proposal.yaml"}
    assert team.status_of("other") == "draft"


def test_the_proposal_of_another_round_opens_no_round(team: Team) -> None:
    team.propose("x")
    team.vote("x", all_agree() | {"challenger": MAJOR})
    team.accord("resolve", "x", "--rebutted", "challenger:SCOPE_CREEP=no", "--commit")
    copy_proposal(team, place(team, R1), place(team, "rounds/2"))
    assert "says round: 1, not 2" in team.accord("open", "x", code=2)
    open_by_hand(place(team, "rounds/2"), place(team, R1), ("round: 1", "round: 2"))
    team.repo.git("add", "--all", "decisions")
    path = f"decisions/{team.id_of('x')}/rounds/2/proposal.yaml"
    assert team.findings()["ballot-mismatch"] == path


def test_before_a_round_is_open_only_the_proposer_withdraws(team: Team) -> None:
    draft = team.write("x.json", BRIEF)
    options = ("--class=architecture", "--from", str(draft), "--commit")
    team.accord("propose", "x", "--as=dana", *options)
    said = team.accord("withdraw", "x", "--reason=no", "--as=orchestrator", code=1)
    assert "orchestrator did not make the proposal, and no round is open yet" in said
    assert "Only dana can withdraw it" in said
    team.accord("withdraw", "x", "--reason=no", "--commit")
    assert team.status_of("x") == "withdrawn"
    team.accord("propose", "other", "--as=dana", *options)
    shutil.rmtree(team.file("other", ""))
    team.repo.git("add", "--all", "decisions")
    assert team.findings(code=0) == {}


def test_no_round_revives_what_was_withdrawn(team: Team) -> None:
    team.propose("x")
    team.vote("x", all_agree() | {"challenger": MAJOR})
    team.accord("resolve", "x", "--rebutted", "challenger:SCOPE_CREEP=no", "--commit")
    before = team.repo.git("rev-parse", "HEAD")
    team.accord("withdraw", "x", "--reason", "no", "--commit")
    names = ("withdrawal.yaml", "withdrawal.yaml.sig")
    withdrawn = {name: place(team, name).read_bytes() for name in names}
    team.repo.git("reset", "-q", "--hard", before)
    team.accord("revise", "x", "--commit")
    team.accord("open", "x", "--commit")
    for name, data in withdrawn.items():
        place(team, name).write_bytes(data)
    team.repo.git("add", "--all", "decisions")
    # It names the older ballot, and counts all the same.
    assert team.findings().keys() == {"record-missing"}
    assert team.status_of("x") == "withdrawn"
    # What brings the round and the withdrawal in one step brings a round on top of it.
    team.repo.git("reset", "-q", "--soft", "main")
    assert {"round-not-allowed", "record-missing"} <= team.findings().keys()
    assert team.status_of("x") == "withdrawn"


def test_a_decision_of_another_project_is_found_in_a_tree_too(team: Team) -> None:
    team.propose("x")
    team.vote("x", all_agree())
    team.affirm("x")
    assert team.findings("--rev=HEAD", "--tree-only", code=0) == {}
    policy = team.decisions / "policy.yaml"
    lines = policy.read_text().splitlines(keepends=True)
    other = [f"project: {'a' * 32}\n" if line.startswith("project:") else line for line in lines]
    policy.write_text("".join(other))
    team.repo.git("add", "--all", "decisions")
    team.repo.commit({})
    ballot = f"decisions/{team.id_of('x')}/{R1}/round.yaml"
    assert team.findings("--rev=HEAD", "--tree-only") == {"wrong-project": ballot}


def test_an_opened_vote_before_all_seals(team: Team) -> None:
    team.propose("x")
    team.vote("x", {"reviewer": AGREE})
    kept = next(Path(os.environ["XDG_STATE_HOME"]).rglob("reviewer.*.yaml"))
    path = place(team, REVIEW)
    path.parent.mkdir()
    path.write_bytes(kept.read_bytes())
    sign(path, "reviewer")
    team.repo.git("add", "--all", "decisions")
    assert "revealed-before-sealed" in team.findings()


def test_undecided_stays_off_the_protected_branch(team: Team) -> None:
    team.repo.git("switch", "-q", "main")
    team.propose("x")
    team.vote("x", {"reviewer": AGREE})
    team.repo.git("reset", "-q", "--soft", "HEAD^")
    assert team.findings().keys() == {"undecided-on-protected-branch"}


def test_a_second_ballot_for_one_round_is_not_signed(team: Team) -> None:
    team.propose("x")
    team.repo.git("reset", "-q", "--hard", "HEAD^")
    edit(team, f"{R1}/proposal.yaml", "fast", "faster")
    team.accord("propose", team.id_of("x"))
    assert "another round" in team.accord("open", "x", code=2)


IMPORT = """\
format: accord/record/1
protocol: 1
decision: 2026-01-01-older
title: Use one formatter
class: architecture
status: imported
basis: imported
directive: "-"
decided_at: 2026-01-01T00:00:00Z
source: {path: docs/adr/1.md, digest: "sha256:DIGITS"}
manifest_digest: sha256:DIGITS
""".replace("DIGITS", "0" * 64)


def put_import(team: Team, text: str = IMPORT) -> Path:
    path = team.decisions / "2026-01-01-older/record.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    team.repo.git("add", "--all", "decisions")
    return path


def test_an_import_is_judged_and_frozen(team: Team) -> None:
    forged = IMPORT.replace("basis: imported", "basis: vote\nverdict: UNANIMITY_VERIFIED")
    path = put_import(team, forged)
    assert team.findings() == {"record-differs": "decisions/2026-01-01-older/record.yaml"}
    assert team.status_of("older") == "draft"
    assert "record-differs" in team.accord("record", "older", "--check", code=1)
    put_import(team)
    assert team.findings("--staged", code=0) == {}
    assert "record.yaml: right" in team.accord("record", "older", "--check")
    (path.parent / "evidence").mkdir()
    (path.parent / "evidence/page.md").write_text("# Use one formatter\n")
    team.repo.git("add", "--all", "decisions")
    assert team.findings().keys() == {"unexpected-file"}
    shutil.rmtree(path.parent / "evidence")
    commit(team)
    put_import(team, IMPORT.replace("one formatter", "no formatter"))
    assert team.findings().keys() == {"frozen-file-changed"}
    path.unlink()
    team.repo.git("add", "--all", "decisions")
    assert team.findings().keys() == {"signed-file-deleted"}


def test_an_import_arrives_only_where_its_class_lets_it(team: Team) -> None:
    team.repo.git("switch", "-q", "main")
    put_import(team)
    assert team.findings() == {
        "undecided-on-protected-branch": "decisions/2026-01-01-older/record.yaml"
    }


@pytest.mark.parametrize("how", ["staged", "committed"])
def test_no_policy_is_trusted_over_one_that_cannot_be_read(team: Team, how: str) -> None:
    """Neither another policy nor a decision that it would allow, nor anything else, is judged."""
    good = (team.decisions / "policy.yaml").read_text()
    edit_policy(team, ("serial: 1", "serial: 1\nsurprise: 1"))
    commit(team)
    assert team.findings("--format=json") == {"schema-invalid": "decisions/policy.yaml"}
    (team.decisions / "policy.yaml").write_text(good.replace("min: 3", "min: 2"))
    if how == "committed":
        commit(team)
    else:
        team.repo.git("add", "--all", "decisions")
        assert "of the base cannot be read" in team.accord("hook", "run", "accord-verify", code=3)
        assert "of the base cannot be read" in team.accord("hook", "run", "accord-generate", code=3)
        assert "of the base cannot be read" in team.accord("status", code=3)
    told = team.accord("verify", code=3)
    assert "policy.yaml of the base cannot be read, line 7: " in told
    assert "git revert" in told


def test_a_link_is_no_policy_to_start_from(team: Team) -> None:
    path = team.decisions / "policy.yaml"
    good = path.read_text()
    path.unlink()
    path.symlink_to("other.yaml")
    commit(team)
    path.unlink()
    path.write_text(good)
    team.repo.git("add", "--all", "decisions")
    assert "a symbolic link stands where" in team.accord("verify", "--staged", code=3)


def test_after_a_policy_no_other_is_the_first(team: Team) -> None:
    good = (team.decisions / "policy.yaml").read_text()
    (team.decisions / "policy.yaml").unlink()
    commit(team)
    write(team, "policy.yaml")
    (team.decisions / "policy.yaml").write_text(good.replace("min: 3", "min: 2"))
    team.repo.git("add", "--all", "decisions")
    assert team.findings() == {"policy-removed": "decisions/policy.yaml"}
    assert "was there and was removed" in team.accord("status", code=1)
    assert "Nothing" not in team.accord("hook", "run", "accord-generate")
    commit(team)
    assert team.findings("--format=json") == {"policy-removed": "decisions/policy.yaml"}


def test_the_first_policy_is_trusted_and_said_to_be(team: Team) -> None:
    team.repo.git("switch", "-q", "--orphan", "fresh")
    team.repo.git("restore", "--source=main", "--staged", "--worktree", ".")
    report = team.json("verify", "--staged")
    assert isinstance(report, dict)
    assert [note.partition(":")[0] for note in report["notes"]] == [
        "the first policy is trusted on first use"
    ]
    assert "trusted on first use" in team.accord("hook", "run", "accord-verify")


def test_only_drafts_come_with_the_first_policy(team: Team) -> None:
    team.repo.git("switch", "-q", "--orphan", "fresh")
    team.repo.git("restore", "--source=main", "--staged", "--worktree", ".")
    draft = team.write("x.json", BRIEF)
    team.accord("propose", "x", "--class=architecture", "--from", str(draft))
    assert team.findings("--staged", code=0) == {}
    withdrawn = team.accord("withdraw", "x", "--reason=no", code=1)
    assert "only drafts and imports come with the first policy" in withdrawn


def test_whether_there_was_a_policy_is_not_measured_in_a_shallow_clone(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = (team.decisions / "policy.yaml").read_text()
    (team.decisions / "policy.yaml").unlink()
    commit(team)
    team.repo.git("clone", "-q", "--depth=1", f"file://{team.repo.path}", str(team.folder / "c"))
    clone = Repo(team.folder / "c")
    clone.add({"decisions/policy.yaml": policy})
    monkeypatch.chdir(clone.path)
    told = team.accord("verify", "--staged", code=3)
    assert "the history of decisions/policy.yaml is not all at hand" in told
    assert "git fetch --unshallow" in told
    assert "There are no decisions" in team.accord("status")


def test_no_ballot_beside_the_first_policy(team: Team) -> None:
    team.repo.git("switch", "-q", "--orphan", "fresh")
    team.repo.git("restore", "--source=main", "--staged", "--worktree", ".")
    draft = team.write("x.json", {"context": "c", "text": "t"})
    team.accord("propose", "x", "--class=architecture", "--from", str(draft))
    assert "Commit the policy first" in team.accord("open", "x", code=1)
    team.repo.commit({})
    team.accord("open", "x", "--commit")
