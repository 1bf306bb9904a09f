"""Drafts: who proposes, what is signed again, and the evidence that is gathered and pinned."""

from __future__ import annotations

import pytest

from accord.cli.main import run
from accord.model.ids import digest_bytes
from tests.e2e.team import BRIEF, VOTERS, Team


def draft(team: Team, *options: str, code: int = 0, **changes: object) -> str:
    source = str(team.write("d.json", BRIEF | changes))
    return team.accord(
        "propose", "x", "--class=architecture", "--from", source, *options, code=code
    )


def only_keys_of(team: Team, *members: str) -> None:
    for member in (*VOTERS, "orchestrator", "dana"):
        if member not in members:
            team.repo.git("config", "--unset", f"accord.{member}.key")


def test_nothing_is_opened_before_it_is_written(team: Team) -> None:
    told = team.accord("propose", "x", "--class=architecture", "--open", code=2)
    assert "the context of the proposal is not written yet" in told
    path = team.file("x", "rounds/1/proposal.yaml")
    path.write_text(path.read_text().replace("…", "written", 1))
    assert "the text of the proposal is not written yet" in team.accord("open", "x", code=2)
    path.write_text(path.read_text().replace("…", "written", 1))
    assert "WAIT" in team.accord("open", "x")


def test_a_draft_is_signed_again_by_whoever_proposed_it(team: Team) -> None:
    draft(team, "--as=dana")
    path = team.file("x", "rounds/1/proposal.yaml")
    path.write_text(path.read_text().replace("fast", "faster"))
    id_ = team.id_of("x")
    assert "says proposer: dana, not reviewer" in team.accord(
        "propose", id_, "--as=reviewer", code=2
    )
    team.accord("propose", id_)
    team.accord("open", "x", "--commit")
    assert team.findings("--rev", "HEAD", "--tree-only", code=0) == {}


FOREIGN_DRAFTS = {
    "another proposer": ("proposer: orchestrator", "proposer: dana", "no key"),
    "another decision": ('decision: "20', 'decision: "19', "says decision: 19"),
    "no such class": ("class: architecture", "class: nothing", "the classes are"),
}


@pytest.mark.parametrize(("good", "bad", "said"), FOREIGN_DRAFTS.values(), ids=FOREIGN_DRAFTS)
def test_a_draft_of_something_else_is_not_signed(
    good: str, bad: str, said: str, team: Team
) -> None:
    draft(team)
    team.repo.git("config", "--unset", "accord.dana.key")
    path = team.file("x", "rounds/1/proposal.yaml")
    assert good in path.read_text()
    path.write_text(path.read_text().replace(good, bad))
    before = path.with_name("proposal.yaml.sig").read_bytes()
    assert said in team.accord("propose", team.id_of("x"), code=2)
    assert path.with_name("proposal.yaml.sig").read_bytes() == before


def test_the_own_evidence_of_a_draft_is_staged_with_it(team: Team) -> None:
    draft(team)
    path = team.file("x", "rounds/1/proposal.yaml")
    log = team.file("x", "evidence/run.log")
    log.parent.mkdir()
    log.write_text("all well\n")
    entry = {
        "id": "log",
        "kind": "primary",
        "artifact": f"decisions/{team.id_of('x')}/evidence/run.log",
        "digest": digest_bytes(log.read_bytes()),
    }
    lines = "\n    ".join(f"{name}: {value}" for name, value in entry.items())
    path.write_text(path.read_text().replace("evidence:\n", f"evidence:\n  - {lines}\n", 1))
    team.accord("propose", team.id_of("x"))
    assert "evidence/run.log" in team.repo.git("diff", "--cached", "--name-only")
    assert "WAIT" in team.accord("open", "x", "--commit")


@pytest.mark.parametrize(
    "option",
    [["--title=t"], ["--class=governance"], ["--diff=main..work"], ["--from=d.json"]],
    ids=lambda option: option[0],
)
def test_what_is_drafted_is_edited_in_its_file(option: list[str], team: Team) -> None:
    draft(team)
    assert "its file says all" in team.accord("propose", team.id_of("x"), *option, code=2)


PROPOSERS = {
    "the authority, though others are here": (("orchestrator", "dana", "reviewer"), "orchestrator"),
    "who does not vote": (("dana", "reviewer"), "dana"),
}


@pytest.mark.parametrize(("here", "proposer"), PROPOSERS.values(), ids=PROPOSERS)
def test_who_proposes_by_default(here: tuple[str, ...], proposer: str, team: Team) -> None:
    only_keys_of(team, *here)
    draft(team)
    assert f"proposer: {proposer}\n" in team.file("x", "rounds/1/proposal.yaml").read_text()


def test_a_voter_proposes_only_when_it_says_so(team: Team) -> None:
    only_keys_of(team, "reviewer")
    assert "who proposes does not vote" in draft(team, code=2)
    draft(team, "--as=reviewer")
    assert "proposer: reviewer\n" in team.file("x", "rounds/1/proposal.yaml").read_text()


def test_nobody_proposes_without_a_key(team: Team) -> None:
    only_keys_of(team)
    assert "git config accord.dana.key PATH" in draft(team, code=2)


def source(**changes: object) -> list[dict[str, object]]:
    return [{"id": "source", "kind": "primary", "artifact": "source.txt", **changes}]


def manifest_of(team: Team) -> str:
    """The proposal, without the quotes around what looks like a number."""
    return team.file("x", "rounds/1/proposal.yaml").read_text().replace('"', "")


def test_what_a_protected_branch_holds_stays_where_it_is(team: Team) -> None:
    tip = team.repo.git("rev-parse", "main")
    draft(team)
    assert f"artifact: source.txt\n    revision: {tip}" in manifest_of(team)
    assert not team.file("x", "evidence").exists()


def test_an_older_commit_of_a_protected_branch_stays_too(team: Team) -> None:
    first = team.repo.git("rev-list", "--max-parents=0", "main")
    draft(team, evidence=source(revision=first))
    assert f"artifact: source.txt\n    revision: {first}" in manifest_of(team)


def test_what_only_a_feature_branch_holds_is_copied(team: Team) -> None:
    commit = team.repo.commit({"source.txt": "another\n"})
    draft(team, evidence=source(revision=commit))
    copy = team.file("x", "evidence/source-source.txt")
    assert copy.read_text() == "another\n"
    assert commit not in manifest_of(team)


def test_without_a_protected_branch_here_everything_is_copied(team: Team) -> None:
    team.repo.git("branch", "-qD", "main")
    draft(team)
    assert team.file("x", "evidence/source-source.txt").is_file()


def test_an_artifact_is_its_digest(team: Team) -> None:
    told = draft(team, code=2, evidence=source(digest="sha256:" + "0" * 64))
    assert "source.txt is not what the draft lists" in told


def test_no_link_is_followed(team: Team) -> None:
    secret = team.folder / "outside"
    secret.mkdir()
    (secret / "source.txt").write_text("secret\n")
    (team.repo.path / "link").symlink_to(secret)
    (team.repo.path / "direct").symlink_to(secret / "source.txt")
    for artifact in ("link/source.txt", "direct"):
        told = draft(team, code=2, evidence=source(artifact=artifact))
        assert f"{artifact} is not there" in told


def test_a_claim_and_a_page_are_listed_as_they_are(team: Team) -> None:
    claim = {"id": "said", "kind": "claim", "text": "It is fast.", "summarizes": "source"}
    page = {"id": "page", "kind": "primary", "artifact": "https://example.org/a"}
    draft(team, evidence=[*source(), claim, page])
    assert "text: It is fast." in manifest_of(team)
    assert "artifact: https://example.org/a" in manifest_of(team)


def test_a_diff_looks_the_same_for_everybody(team: Team) -> None:
    team.repo.commit({"source.txt": "changed\n"})
    for setting in ("diff.noprefix", "diff.mnemonicPrefix", "color.diff"):
        team.repo.git("config", setting, "true" if setting != "color.diff" else "always")
    draft(team, "--diff=main..work")
    diff = team.file("x", "evidence/diff.diff").read_text()
    assert diff.startswith("diff --git a/source.txt b/source.txt\n")


def test_what_a_command_prints_is_kept_with_its_exit_code(team: Team) -> None:
    source_ = str(team.write("d.json", BRIEF))
    team.accord(
        "propose", "x", "--class=architecture", "--from", source_, "--output", "--",
        "sh", "-c", "echo out; echo err >&2; exit 3",
    )  # fmt: skip
    assert team.file("x", "evidence/output.txt").read_text() == (
        "$ sh -c 'echo out; echo err >&2; exit 3'\nout\nerr\n[exit code 3]\n"
    )


def test_a_draft_from_standard_input(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    path = team.write("d.json", BRIEF)
    with path.open() as file:
        monkeypatch.setattr("sys.stdin", file)
        assert run(["propose", "x", "--class=architecture", "--from", "-"]) == 0
    assert "Make it fast." in manifest_of(team)


def test_a_folder_that_is_there_is_in_the_way(team: Team) -> None:
    draft(team)
    id_ = team.id_of("x")
    team.repo.git("rm", "-rq", "--cached", f"decisions/{id_}")
    assert "exists and is not staged" in draft(team, code=2)


def test_a_class_that_is_gone_opens_nothing(team: Team) -> None:
    draft(team, "--commit")
    path = team.file("x", "rounds/1/proposal.yaml")
    path.write_text(path.read_text().replace("class: architecture", "class: nothing"))
    assert "there is no class nothing" in team.accord("open", "x", code=2)


def test_evidence_that_is_gone_opens_nothing(team: Team) -> None:
    team.repo.git("branch", "-qD", "main")
    draft(team, "--commit")
    copy = team.file("x", "evidence/source-source.txt")
    team.repo.git("rm", "-q", str(copy))
    told = team.accord("open", "x", code=1)
    assert "evidence-missing" in told
    assert "not what the proposal lists" in told


def test_what_needs_no_vote_may_be_unsaid(team: Team) -> None:
    policy = team.decisions / "policy.yaml"
    policy.write_text(policy.read_text().partition("# What nobody has")[0])
    team.repo.commit({"decisions/policy.yaml": policy.read_bytes()}, "shorter")
    told = team.accord(
        "propose", "x", "--class=none", "--from=" + str(team.write("d", BRIEF)), code=2
    )
    assert "the classes are architecture" in told
    assert "no vote is needed" not in told
