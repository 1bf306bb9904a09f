"""Attacks by what came late, or is said to have come late."""

from __future__ import annotations

from tests.attacks.attack import Attack
from tests.attacks.forge import commit
from tests.e2e.team import Team

VOTE = "rounds/1/votes/extra.yaml"
THREE = tuple(f"--voter={voter}" for voter in ("challenger", "implementer", "reviewer"))


def fetch_late_vote(team: Team) -> None:
    """The late refusal, out of the branch that it stands on."""
    path = f"decisions/{team.id_of('x')}/{VOTE}"
    team.repo.git("checkout", "late", "--", path, f"{path}.sig")


def open_without_the_late(team: Team) -> None:
    """A next round without the one that refuses, whose late vote comes in the same commit."""
    team.accord("revise", "x", "--commit")
    team.accord("open", "x", *THREE)
    fetch_late_vote(team)
    commit(team)


def open_and_let_it_come(team: Team) -> None:
    """The next round is opened without it, and decides; then the late vote is merged."""
    team.accord("revise", "x", "--commit")
    team.accord("open", "x", *THREE, "--commit")
    team.repo.git("merge", "-q", "--no-edit", "late")


LATE: dict[str, Attack] = {
    "a late dissent that comes with the ballot that leaves it out": Attack(
        "a closed round, and a late refusal elsewhere",
        open_without_the_late,
        "dissenter-dropped",
    ),
    "a late dissent that is merged under a ballot that leaves it out": Attack(
        "a closed round, and a late refusal elsewhere",
        open_and_let_it_come,
        "dissenter-dropped",
        frozenset({"hook", "history"}),
    ),
}
