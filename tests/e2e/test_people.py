"""People, each at a terminal of their own, with a clone and a key of their own (section 10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.e2e.team import BRIEF, VOTERS, Team
from tests.support.keys import FixedKey
from tests.support.repos import Repo
from tests.support.terminal import run_at_terminal

RATED = [
    ("testability", "strong"),
    ("workflow integration", "adequate"),
    ("incremental verifiability", "weak"),
    ("What you have read, of source", "source"),
]
ANSWER = [("Do it now?", "y"), ("Your vote", "agree"), ("Why", "The source says so.")]
VOTE = [*ANSWER, *RATED]
CONCERN = [*ANSWER, ("name a concern", "it may be slow"), *RATED]
AFFIRM = [
    ("Do it now?", "y"),
    ("Does it stand", "affirm"),
    ("Why it stands", "It stands."),
    ("What you have read", ""),
]


@dataclass(frozen=True)
class Person:
    """Somebody with a clone, a key and a state directory that nobody else has."""

    name: str
    repo: Repo
    state: Path

    def accord(
        self, *arguments: str, answers: Sequence[tuple[str, str]] = (), code: int = 0
    ) -> str:
        """Run a command at a terminal; what was shown there, white space folded."""
        self.repo.git("pull", "-q", "--rebase")
        environment = {"XDG_STATE_HOME": str(self.state)}
        ended, shown = run_at_terminal(self.repo.path, arguments, answers, environment)
        assert ended == code, shown
        return " ".join(shown.split())


@pytest.fixture
def people(team: Team) -> dict[str, Person]:
    bare = Repo.init(team.folder / "bare.git", "sha1", "--bare")
    team.repo.git("push", "-q", bare.path.as_uri(), "main", "work")
    found = {}
    for name in ("orchestrator", *VOTERS):
        repo = Repo.clone(bare, team.folder / name, "--branch=work")
        repo.git("config", f"accord.{name}.key", str(team.folder / "keys" / FixedKey(name).name))
        found[name] = Person(name, repo, team.folder / f"{name}-state")
    return found


def test_each_runs_next_until_nothing_waits(team: Team, people: dict[str, Person]) -> None:
    brief = str(team.write("x.json", BRIEF))
    propose = ("propose", "x", "--class=architecture", "--from", brief, "--open", "--push")
    assert "pushed to origin/work" in people["orchestrator"].accord(*propose)
    for voter in VOTERS:
        answers = CONCERN if voter == "challenger" else VOTE
        shown = people[voter].accord("next", "--push", answers=answers)
        assert f"{voter}: vote" in shown
    assert "opened 1 of 3" in shown
    assert "opened 2 of 3" in people["implementer"].accord("next", "--push")
    later = [("Do it now?", "n")]
    assert "opened 3 of 3" in people["reviewer"].accord("next", "--push", answers=later)
    for voter in VOTERS:
        shown = people[voter].accord("next", "--push", answers=AFFIRM)
    assert "UNANIMITY_VERIFIED" in shown
    for person in people.values():
        assert person.accord("next") == "Nothing waits for you."
    team.repo.git("pull", "-q", str(team.folder / "bare.git"), "work")
    assert team.status_of("x") == "accepted"
    assert team.findings("--rev", "HEAD", "--tree-only", code=0) == {}
    # Each proved by itself that all seals came first, in whatever order commits arrive.
    texts = [path.read_text() for path in team.file("x", "rounds/1/affirmations").glob("*.yaml")]
    seals = {line for text in texts for line in text.splitlines() if line.startswith("seals:")}
    assert len(seals) == 1
