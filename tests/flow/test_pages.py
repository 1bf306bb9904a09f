"""Pages are written with the records, point to each other, and follow from the tree alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from accord.cli.main import run
from tests.e2e.team import MAJOR, VOTERS, Team, all_agree

PAGES = "docs/decisions"


def page(team: Team, name: str) -> Path:
    return team.repo.path / PAGES / f"{team.id_of(name)}.md"


def status(team: Team, name: str) -> str:
    """The status in the front matter of a page."""
    return page(team, name).read_text().splitlines()[1].removeprefix("status: ")


def decide(team: Team, name: str, **changes: object) -> str:
    """Take a decision to its end; what the last command printed."""
    team.propose(name, **changes)
    team.vote(name, all_agree())
    return team.affirm(name)


def redecide(team: Team, name: str, older: str, word: str = "supersedes") -> None:
    """Open a decision about an older one, with evidence that it lacked."""
    team.repo.commit({f"{name}.txt": f"measured for {name}\n"})
    evidence = [
        {"id": "source", "kind": "primary", "artifact": "source.txt"},
        {"id": "new", "kind": "primary", "artifact": f"{name}.txt"},
    ]
    changes: dict[str, object] = {word: team.id_of(older), "evidence": evidence}
    team.propose(name, text=f"Decide {name}.", **changes)


def clean(team: Team) -> bool:
    return team.repo.git("status", "--short") == ""


def test_a_page_is_written_and_committed_with_the_record(team: Team) -> None:
    told = decide(team, "x")

    name = team.id_of("x")
    assert f"wrote {PAGES}/{name}.md" in told
    assert team.repo.git("show", "--stat=200", "--format=").count(f"{name}.md ") == 1
    assert status(team, "x") == '"accepted"'
    assert clean(team)
    assert team.findings("--rev", "HEAD", "--tree-only", code=0) == {}
    assert team.accord("adr", "--check") == "Everything is as it must be."


def test_a_page_says_what_a_newer_decision_makes_of_it(team: Team) -> None:
    decide(team, "old")
    redecide(team, "new", "old")
    newer = team.id_of("new")
    assert status(team, "old") == f'"accepted, being decided anew by `{newer}`"'
    assert f"being decided anew by `{newer}`" in team.accord("adr", "old")
    assert f"being decided anew by `{newer}`" in team.accord("adr", "--index")
    assert not page(team, "new").exists()
    assert team.accord("adr", "--check") == "Everything is as it must be."

    team.vote("new", all_agree())
    told = team.affirm("new")

    assert told.count(f"wrote {PAGES}/") == 2
    assert status(team, "old") == f'"superseded by [{newer}]({newer}.md)"'
    assert (
        f"Supersedes [{team.id_of('old')}]({team.id_of('old')}.md)."
        in page(team, "new").read_text()
    )
    assert clean(team)
    assert team.accord("adr", "--check") == "Everything is as it must be."


def test_a_decision_that_is_upheld_says_against_what(team: Team) -> None:
    decide(team, "old")
    redecide(team, "new", "old", "reopens")
    told = team.accord("withdraw", "new", "--reason=no", "--commit")

    newer = team.id_of("new")
    assert told.count(f"wrote {PAGES}/") == 2
    assert status(team, "old") == f'"accepted, upheld against [{newer}]({newer}.md)"'
    assert "Was to reverse [" in page(team, "new").read_text()
    redecide(team, "third", "old", "reopens")
    assert status(team, "old").startswith('"accepted, being decided anew by')


def test_votes_that_change_no_standing_touch_no_page(team: Team) -> None:
    decide(team, "old")
    redecide(team, "new", "old")
    before = team.repo.git("rev-parse", "HEAD")
    team.vote("new", all_agree())
    assert PAGES not in team.repo.git("diff", "--name-only", before, "HEAD")


def test_a_page_follows_a_lost_record(team: Team) -> None:
    decide(team, "old")
    redecide(team, "new", "old")
    team.repo.git("rm", "-q", str(team.file("old", "record.yaml")))
    team.repo.git("commit", "-qm", "lose the record")

    told = team.accord("record", "old", "--write", "--commit")

    commit = team.repo.git("rev-parse", "HEAD")
    assert told == f"wrote decisions/{team.id_of('old')}/record.yaml committed {commit[:12]}"
    assert team.accord("adr", "--check") == "Everything is as it must be."
    team.repo.git("rm", "-q", str(team.file("old", "record.yaml")), str(page(team, "old")))
    told = team.accord("record", "old", "--write")
    assert told.endswith(f"wrote {PAGES}/{team.id_of('old')}.md")
    assert status(team, "old").startswith('"accepted, being decided anew by')


def test_a_page_that_was_typed_and_not_staged_is_kept(team: Team) -> None:
    team.propose("x")
    team.vote("x", all_agree())
    path = page(team, "x")
    path.parent.mkdir(parents=True)
    path.write_text("my own page\n")
    draft = team.write("a.json", {"stance": "affirm", "reason": "It stands."})
    affirm = [("affirm", "x", "--as", voter, "--from", str(draft)) for voter in VOTERS]
    for one in affirm[:2]:
        team.accord(*one)
    assert "is not staged; it would be overwritten" in team.accord(*affirm[2], code=2)
    assert path.read_text() == "my own page\n"
    assert not team.file("x", "record.yaml").exists()
    team.repo.git("add", "docs")
    team.accord(*affirm[2])
    assert status(team, "x") == '"accepted"'


def test_pages_are_not_written_through_a_link(team: Team) -> None:
    (team.repo.path / "docs").symlink_to(team.folder)
    team.propose("x")
    told = team.accord("withdraw", "x", "--reason=no", code=2)
    assert "docs is a symbolic link" in told
    assert not (team.folder / "decisions").exists()
    assert not team.file("x", "withdrawal.yaml").exists()


# ---------------------------------------------------------------------- the hook


def generate(team: Team, code: int) -> str:
    return team.accord("hook", "run", "accord-generate", code=code)


def test_the_hook_writes_a_page_that_is_missing_or_edited(team: Team) -> None:
    decide(team, "x")
    right = page(team, "x").read_bytes()
    assert generate(team, 0) == ""
    page(team, "x").write_text("edited\n")
    team.repo.git("add", "docs")

    told = generate(team, 1)

    assert told == f"wrote {PAGES}/{team.id_of('x')}.md: stage it and commit again"
    assert page(team, "x").read_bytes() == right
    team.repo.git("add", "docs")
    assert generate(team, 0) == ""


def test_the_hook_writes_the_page_with_the_record(team: Team) -> None:
    decide(team, "x")
    team.repo.git("reset", "-q", "--soft", "HEAD^")
    team.repo.git("rm", "-qf", str(team.file("x", "record.yaml")), str(page(team, "x")))

    told = generate(team, 1)

    assert "record.yaml: stage it and commit again wrote docs/decisions/" in told
    assert status(team, "x") == '"accepted"'


def test_the_hook_knows_what_is_staged_together(team: Team) -> None:
    """Both decisions are new to HEAD, and the older one names the newer one all the same."""
    before = team.repo.git("rev-parse", "HEAD")
    decide(team, "old")
    redecide(team, "new", "old")
    team.repo.git("reset", "-q", "--soft", before)

    assert generate(team, 0) == ""
    team.repo.git("rm", "-qf", str(page(team, "old")))
    generate(team, 1)
    assert status(team, "old").startswith('"accepted, being decided anew by')


def test_the_hook_leaves_other_pages_alone(team: Team) -> None:
    decide(team, "x")
    notes = {f"{PAGES}/notes.md": "ours\n", f"{PAGES}/2026-01-01-gone.md": "ours too\n"}
    team.repo.add(notes)
    assert generate(team, 0) == ""
    assert (team.repo.path / f"{PAGES}/notes.md").read_text() == "ours\n"


# ---------------------------------------------------------------------- templates

TEMPLATE = "decisions/templates/adr.md.j2"
OWN = "# Ours: {{ page.title }}\n"


def test_the_template_comes_from_the_base(team: Team) -> None:
    team.repo.commit({TEMPLATE: OWN})
    team.repo.add({TEMPLATE: "# Staged\n"})
    decide(team, "x")
    assert page(team, "x").read_text() == "# Ours: X\n"
    team.repo.git("commit", "-qam", "another template")
    assert "adr-stale" in team.accord("adr", "--check", code=1)
    team.accord("adr", "--write", "--commit")
    assert page(team, "x").read_text() == "# Staged\n"


def test_a_style_that_is_named_goes_before_the_template(team: Team) -> None:
    team.repo.commit({TEMPLATE: OWN})
    decide(team, "x")
    assert team.accord("adr", "x") == "# Ours: X"
    assert "## Decision Outcome" in team.accord("adr", "x", "--style=madr")


def test_a_broken_template_is_told_and_nothing_is_written(team: Team) -> None:
    team.repo.commit({TEMPLATE: "# {{ page.title }}\n\n{{ page.nothing }}\n"})
    team.propose("x")
    told = team.accord("withdraw", "x", "--reason=no", code=2)
    assert f"{TEMPLATE}, line 3: the template cannot be filled in" in told
    assert not team.file("x", "withdrawal.yaml").exists()


UNREADABLE: dict[str, tuple[bytes | None, str]] = {
    "not UTF-8": (b"\xff", "is not UTF-8"),
    "a link": (None, "is no plain file"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_template_that_is_no_text(name: str, team: Team) -> None:
    decide(team, "x")
    content, reason = UNREADABLE[name]
    path = team.repo.path / TEMPLATE
    path.parent.mkdir()
    if content is None:
        path.symlink_to("../../source.txt")
    else:
        path.write_bytes(content)
    team.repo.git("add", TEMPLATE)
    team.repo.git("commit", "-qm", "a template")
    assert f"{TEMPLATE} {reason}" in team.accord("adr", "x", code=2)


def test_templates_are_no_decisions(team: Team) -> None:
    """They may come, change and go, and nothing takes them for files of a decision."""
    decide(team, "x")
    for content in (OWN, "# Other\n"):
        team.repo.add({TEMPLATE: content})
        assert team.findings(code=0) == {}
        team.repo.git("commit", "-qm", "a template")
    team.repo.git("rm", "-q", TEMPLATE)
    assert team.findings(code=0) == {}
    team.repo.git("commit", "-qm", "no template")
    assert run(["verify"]) == 0


# ---------------------------------------------------------------------- an end without a yes


def test_a_refusal_has_a_page_with_its_dissent(team: Team) -> None:
    team.propose("x")
    team.vote("x", all_agree() | {"challenger": MAJOR})
    team.accord("withdraw", "x", "--reason=not *now*", "--commit")

    text = page(team, "x").read_text()

    assert status(team, "x") == '"withdrawn"'
    assert "**`challenger`, round 1:** disagrees, major (`SCOPE_CREEP`)." in text
    assert r"> not \*now\*" in text


def test_a_withdrawn_draft_has_a_page(team: Team) -> None:
    draft = team.write("x.json", {"context": "c", "text": "t"})
    team.accord("propose", "x", "--class=architecture", "--from", str(draft), "--commit")
    team.accord("withdraw", "x", "--reason=no", "--commit")
    assert "The text that was drafted:\n\n> t\n" in page(team, "x").read_text()
    assert "No round was opened." in page(team, "x").read_text()
