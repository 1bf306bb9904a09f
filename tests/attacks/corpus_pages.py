"""Attacks on what people read: pages that tell what no record does, and their templates."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from accord.model.ids import digest_bytes
from tests.attacks.attack import NOT_STAGED, Attack
from tests.attacks.forge import commit
from tests.e2e.team import Team, all_agree

INVENTED = "2026-11-30-we-trust-mallory"
MARK = "<!-- accord/page/1 -->"
FORGED = f"# We trust Mallory\n\n**Accepted**, by vote.\n\n{MARK}\n"
TEMPLATE = "decisions/templates/adr.md.j2"
ACCEPTED_BY_ALL = "# {{ page.title }}\n\n**Accepted** by all, without dissent.\n"


def path_of(team: Team, decision: str) -> Path:
    return team.repo.path / "docs" / "decisions" / f"{decision}.md"


def invent(text: str, decision: str | None = None) -> Callable[[Team], None]:
    """Write a page: of a decision that is not there, or of the one that is."""

    def act(team: Team) -> None:
        path = path_of(team, decision or team.id_of("x"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    return act


def edit_page(old: str, new: str) -> Callable[[Team], None]:
    def act(team: Team) -> None:
        path = path_of(team, team.id_of("x"))
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    return act


def link_the_page(team: Team) -> None:
    path = path_of(team, team.id_of("x"))
    path.with_name("elsewhere.md").write_text(FORGED)
    path.unlink()
    path.symlink_to("elsewhere.md")


def write_template(team: Team) -> None:
    team.repo.add({TEMPLATE: ACCEPTED_BY_ALL})


def write_by_own_template(team: Team) -> None:
    """A template, and a page that is as it says."""
    write_template(team)
    path_of(team, team.id_of("x")).write_text(
        f"# X\n\n**Accepted** by all, without dissent.\n\n{MARK}\n"
    )


def borrow_a_template(team: Team) -> None:
    """A template that is gone again at the end, and a page that stays."""
    write_template(team)
    commit(team, "a template")
    write_by_own_template(team)
    commit(team, "a page")
    team.repo.git("rm", "-q", TEMPLATE)
    commit(team, "no template")


def enact_in_another_class(team: Team) -> None:
    digest = digest_bytes(ACCEPTED_BY_ALL.encode())
    team.propose("x", enacts=[{"path": TEMPLATE, "digest": digest}])
    team.vote("x", all_agree())
    team.affirm("x")
    write_template(team)


PAGES: dict[str, Attack] = {
    "an invented page": Attack("a policy", invent(FORGED, INVENTED), "page-without-record"),
    "an invented page that says nothing of accord": Attack(
        "a policy", invent("# We trust Mallory\n", INVENTED), "page-without-record"
    ),
    "a page of what was refused": Attack("a refused round", invent(FORGED), "page-without-record"),
    "an edited page": Attack(
        "an accepted decision", edit_page("It is slow.", "It is fast."), "adr-stale"
    ),
    "an edited page on main": Attack(
        "an accepted decision on main", edit_page("`reviewer`: agrees", "`mallory`: agrees"),
        "adr-stale",
    ),
    "a page under the mark of nobody": Attack(
        "an accepted decision on main", edit_page(MARK, ""), "adr-stale"
    ),
    "a page of a format to come": Attack(
        "an accepted decision on main", invent(FORGED.replace("page/1", "page/2")), "adr-stale"
    ),
    "a page that is a link": Attack("an accepted decision on main", link_the_page, "adr-stale"),
    "a page is removed": Attack(
        "an accepted decision on main",
        lambda t: path_of(t, t.id_of("x")).unlink(),
        "adr-stale",
    ),
    "a record without its page": Attack(
        "an accepted decision", lambda t: path_of(t, t.id_of("x")).unlink(), "adr-stale"
    ),
    "a template that says accepted by all": Attack(
        "an accepted decision on main", write_template, "policy-change-unapproved"
    ),
    "a page by a template of one's own": Attack(
        "an accepted decision on main", write_by_own_template, "adr-stale"
    ),
    "a page by a template that is gone again": Attack(
        "an accepted decision on main", borrow_a_template, "adr-stale", NOT_STAGED
    ),
    "a template that no governance enacts": Attack(
        "a policy", enact_in_another_class, "policy-change-unapproved"
    ),
}  # fmt: skip
