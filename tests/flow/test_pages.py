"""Pages are written with the records, point to each other, and follow from the tree alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from accord.model.ids import digest_bytes
from tests.e2e.team import AFFIRM, MAJOR, VOTERS, Team, all_agree

PAGES = "docs/decisions"


def page(team: Team, name: str) -> Path:
    return team.repo.path / PAGES / f"{team.id_of(name)}.md"


def status(team: Team, name: str) -> str:
    """The status in the front matter of a page."""
    return page(team, name).read_text().splitlines()[1].removeprefix("status: ")


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
    team.propose("x")
    team.vote("x", all_agree())
    told = team.affirm("x")

    name = team.id_of("x")
    assert f"wrote {PAGES}/{name}.md" in told
    assert team.repo.git("show", "--stat=200", "--format=").count(f"{name}.md ") == 1
    assert status(team, "x") == '"accepted"'
    assert clean(team)
    assert team.findings("--rev", "HEAD", "--tree-only", code=0) == {}
    assert team.accord("adr", "--check") == "Everything is as it must be."


def test_a_page_stays_as_it_is_when_it_is_decided_anew(team: Team) -> None:
    """What newer decisions make of it stands in the index alone."""
    team.decide("old")
    before = page(team, "old").read_bytes()
    redecide(team, "new", "old")
    newer = team.id_of("new")
    assert f"being decided anew by `{newer}`" in team.accord("adr", "--index")
    team.vote("new", all_agree())
    told = team.affirm("new")

    assert told.count(f"wrote {PAGES}/") == 1
    assert page(team, "old").read_bytes() == before
    assert (
        f"Supersedes [{team.id_of('old')}]({team.id_of('old')}.md)."
        in page(team, "new").read_text()
    )
    assert f"superseded by [{newer}]({newer}.md)" in team.accord("adr", "--index")
    assert clean(team)
    assert team.accord("adr", "--check") == "Everything is as it must be."
    assert team.findings("--range=main..work", "--branch=main", code=0) == {}


def test_the_index_says_against_what_a_decision_was_upheld(team: Team) -> None:
    team.decide("old")
    redecide(team, "new", "old", "reopens")
    team.accord("withdraw", "new", "--reason=no", "--commit")

    newer = team.id_of("new")
    assert f"| accepted, upheld against [{newer}]({newer}.md) |" in team.accord("adr", "--index")
    assert "Was to reverse [" in page(team, "new").read_text()


def test_votes_touch_no_page(team: Team) -> None:
    team.decide("old")
    redecide(team, "new", "old")
    before = team.repo.git("rev-parse", "HEAD")
    team.vote("new", all_agree())
    assert PAGES not in team.repo.git("diff", "--name-only", before, "HEAD")


def test_a_page_follows_a_lost_record(team: Team) -> None:
    team.decide("old")
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
    assert status(team, "old") == '"accepted"'


def test_a_page_that_was_typed_and_not_staged_is_kept(team: Team) -> None:
    team.propose("x")
    team.vote("x", all_agree())
    path = page(team, "x")
    path.parent.mkdir(parents=True)
    path.write_text("my own page\n")
    draft = team.write("a.json", AFFIRM)
    affirm = [("affirm", "x", "--as", voter, "--from", str(draft)) for voter in VOTERS]
    for one in affirm[:2]:
        team.accord(*one)
    assert "is not staged; it would be overwritten" in team.accord(*affirm[2], code=2)
    assert path.read_text() == "my own page\n"
    assert not team.file("x", "record.yaml").exists()
    team.repo.git("add", "docs")
    told = team.accord(*affirm[2], code=2)
    assert f"{PAGES}/{path.name} was not written by accord, and would be written over" in told
    assert not team.file("x", "record.yaml").exists()
    (way_out,) = re.findall(r"\((git mv [^)]+)\)", told)
    team.repo.git(*way_out.split()[1:])
    team.accord(*affirm[2])
    assert status(team, "x") == '"accepted"'
    assert (path.parent / f"by-hand-{path.name}").read_text() == "my own page\n"


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
    team.decide("x")
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
    team.decide("x")
    team.repo.git("reset", "-q", "--soft", "HEAD^")
    team.repo.git("rm", "-qf", str(team.file("x", "record.yaml")), str(page(team, "x")))

    told = generate(team, 1)

    assert "record.yaml: stage it and commit again wrote docs/decisions/" in told
    assert status(team, "x") == '"accepted"'


def test_the_hook_writes_nothing_over_that_accord_did_not_write(team: Team) -> None:
    path = page(team, decide_by_hand(team))
    told = team.accord("hook", "run", "accord-generate", code=2)
    assert "was not written by accord, and would be written over" in told
    assert path.read_text() == "by hand\n"


def decide_by_hand(team: Team) -> str:
    """A decision that ended, whose page somebody wrote by hand, before any was there."""
    team.decide("x")
    team.repo.git("reset", "-q", "--soft", "HEAD^")
    team.repo.add({f"{PAGES}/{team.id_of('x')}.md": "by hand\n"})
    return "x"


def test_the_hook_leaves_other_pages_alone(team: Team) -> None:
    team.decide("x")
    notes = {f"{PAGES}/notes.md": "ours\n", f"{PAGES}/2026-01-01-gone.md": "ours too\n"}
    team.repo.add(notes)
    assert generate(team, 0) == ""
    assert (team.repo.path / f"{PAGES}/notes.md").read_text() == "ours\n"


# ---------------------------------------------------------------------- templates

TEMPLATE = "decisions/templates/adr.md.j2"
OWN = "# Ours: {{ page.title }}\n"
END = "\n\n<!-- accord/page/1 -->\n"


def test_the_template_comes_from_the_base(team: Team) -> None:
    team.repo.commit({TEMPLATE: OWN})
    team.repo.add({TEMPLATE: "# Staged\n"})
    team.decide("x")
    assert page(team, "x").read_text() == f"# Ours: X{END}"
    team.repo.git("commit", "-qam", "another template")
    assert "adr-stale" in team.accord("adr", "--check", code=1)
    team.accord("adr", "--write", "--commit")
    assert page(team, "x").read_text() == f"# Staged{END}"


def test_a_style_that_is_named_goes_before_the_template(team: Team) -> None:
    team.repo.commit({TEMPLATE: OWN})
    team.decide("x")
    assert team.accord("adr", "x") == " ".join(f"# Ours: X{END}".split())
    assert "## Decision Outcome" in team.accord("adr", "x", "--style=madr")


def test_without_an_own_template_both_styles_will_do(team: Team) -> None:
    """They say the same, in two orders."""
    team.decide("x")
    team.accord("adr", "x", "--write", "--style=nygard")
    assert page(team, "x").read_text().startswith("# X\n\nDate: ")
    assert team.findings(code=0) == {}
    assert generate(team, 0) == ""
    assert "nothing was written" in team.accord("adr", "--write")


def test_a_broken_template_stops_no_decision(team: Team) -> None:
    """It could not be mended else: that takes a decision, which has a page."""
    team.repo.commit({TEMPLATE: "# {{ page.title }}\n\n{{ page.nothing }}\n"})
    fault = f"{TEMPLATE}, line 3: the template cannot be filled in"
    team.propose("x")
    team.accord("withdraw", "x", "--reason=no")
    assert "## Decision Outcome" in page(team, "x").read_text()
    report = team.json("verify", "--staged")
    assert isinstance(report, dict)
    assert [note for note in report["notes"] if fault in note]
    assert "accord's own took its place" in team.accord("adr", "--check")
    assert fault in team.accord("adr", "x", code=2)


def test_a_template_that_a_decision_enacts(team: Team) -> None:
    """The page of that decision is by the old template, and the next one by the new."""
    enacts = [{"path": TEMPLATE, "digest": digest_bytes(OWN.encode())}]
    team.propose("x", "--class=governance", enacts=enacts)
    team.vote("x", all_agree())
    team.affirm("x")
    team.repo.add({TEMPLATE: OWN})
    assert team.findings(code=0) == {}
    team.repo.git("commit", "-qm", "our template")
    team.decide("y")
    assert page(team, "y").read_text() == f"# Ours: Y{END}"
    assert "## Decision Outcome" in page(team, "x").read_text()
    assert team.findings("--range=main..work", "--branch=main", code=0) == {}

    team.repo.add({TEMPLATE: "# Accepted by all\n"})
    assert team.findings() == {"policy-change-unapproved": TEMPLATE}


UNREADABLE: dict[str, tuple[bytes | None, str]] = {
    "not UTF-8": (b"\xff", "is not UTF-8"),
    "a link": (None, "is no plain file"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_template_that_is_no_text(name: str, team: Team) -> None:
    team.decide("x")
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


def test_templates_may_come_with_the_first_policy(team: Team) -> None:
    """As that policy is, they are trusted on first use."""
    git = team.repo.git
    policy = git("show", "main:decisions/policy.yaml")
    git("checkout", "-q", "--orphan", "first")
    git("rm", "-rqf", ".")
    team.repo.commit({"decisions/policy.yaml": f"{policy}\n", TEMPLATE: OWN})
    assert team.findings("--history", "--branch=main", code=0) == {}
    git("rm", "-q", TEMPLATE)
    assert team.findings() == {"policy-change-unapproved": TEMPLATE}


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
