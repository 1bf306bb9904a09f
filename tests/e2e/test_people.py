"""People, each at a terminal of their own, with a clone and a key of their own (section 10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.e2e.team import BRIEF, MINOR, VOTERS, Team, all_agree
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


def test_what_is_no_answer_any_more(team: Team) -> None:
    """What comes too late, is no text, or is somebody's word, is not signed at all."""
    team.propose("x")
    team.vote("x", all_agree())
    said = f"decisions/{team.id_of('x')}/rounds/1/votes/reviewer.yaml"
    brief = {"context": "c", "text": "t", "class": "architecture"}
    evidence = [{"id": "vote", "kind": "primary", "artifact": said}]
    draft = team.write("y.json", brief | {"evidence": evidence})
    printed = team.accord("propose", "y", "--from", str(draft), code=2)
    assert "is what somebody said, and no primary evidence" in printed
    team.accord("close", "x", "--reason=enough", "--commit")
    printed = team.accord("affirm", "x", "--as=reviewer", "--reason=r", code=2)
    assert "an affirmation that comes now is late" in printed
    retraction = ("--retract", "--category=YAGNI", "--reason=r", "--commit")
    team.accord("affirm", "x", "--as=reviewer", *retraction)


def test_a_text_that_is_not_utf8_is_not_signed(team: Team) -> None:
    team.propose("x")
    team.vote("x", all_agree() | {"challenger": MINOR})
    text = team.folder / "text.txt"
    text.write_bytes(b"caf\xe9\n")
    printed = team.accord("amend", "x", "--text", str(text), code=2)
    assert "is not UTF-8: byte 4" in printed
    text.write_bytes(b"a" * 300_000)
    assert "is too long" in team.accord("amend", "x", "--text", str(text), code=2)


def test_a_folder_of_another_name_is_not_printed_as_a_command(team: Team) -> None:
    team.propose("x")
    odd = team.decisions / "2026-01-01-x; touch $HOME\x1b[31mPWNED"
    (odd / "rounds/1").mkdir(parents=True)
    source = team.file("x", "rounds/1/proposal.yaml")
    (odd / "rounds/1/proposal.yaml").write_bytes(source.read_bytes())
    team.repo.git("add", "-A")
    printed = team.accord("next", "--as=orchestrator")
    assert "touch" not in printed
    assert "PWNED" not in printed


def test_next_says_how_much_more_waits(team: Team) -> None:
    team.propose("x")
    printed = team.accord("next")
    assert "2 more of yours wait: accord status" in printed


def test_a_vote_that_does_not_count_is_marked_in_the_log(team: Team) -> None:
    team.propose("x")
    team.vote("x", all_agree())
    vote = team.file("x", "rounds/1/votes/reviewer.yaml")
    other = vote.with_name("dana.yaml")
    other.write_text(vote.read_text().replace("voter: reviewer", "voter: dana"))
    other.with_name("dana.yaml.sig").write_bytes(FixedKey("dana").sign(other.read_bytes()))
    team.repo.git("add", "-A")
    printed = team.accord("log", "x")
    assert "dana voted agree (not counted)" in printed
    assert "reviewer voted agree (not" not in printed


def test_who_was_retired_holds_no_office(team: Team) -> None:
    team.repo.git("switch", "-q", "main")
    team.accord("member", "retire", "dana")
    team.repo.git("add", "-A")
    assert "no-decider" in team.findings("--staged", code=1)


def test_an_undecided_decision_on_main_is_found_in_the_last_step(team: Team) -> None:
    team.propose("x")
    assert team.findings("--branch", "work", code=0) == {}
    assert "undecided-on-protected-branch" in team.findings("--branch", "main")
    team.repo.git("branch", "-f", "main", "HEAD")
    team.repo.git("switch", "-q", "main")
    assert "undecided-on-protected-branch" in team.findings("--range", "HEAD^..HEAD")
    team.repo.git("switch", "-q", "--detach", "main")
    assert "(--branch NAME)" in team.accord("verify", code=3)
    assert "(--branch NAME)" in team.accord("verify", "--history", code=3)
    assert team.findings("--branch", "work", code=0) == {}
    assert "undecided-on-protected-branch" in team.findings("--branch", "refs/heads/main")
    assert "judges no step" in team.accord("verify", "--rev=HEAD", "--branch=main", code=2)
    team.repo.git("reset", "-q", "--soft", "HEAD^")
    assert "undecided-on-protected-branch" in team.findings("--staged", "--branch", "main")
    assert team.findings("--staged", code=0) == {}


def test_what_is_decided_may_arrive_on_a_branch_that_nobody_named(team: Team) -> None:
    team.propose("x")
    team.vote("x", all_agree())
    team.affirm("x")
    team.repo.git("switch", "-q", "--detach")
    assert "Not measured" not in team.accord("verify")


def test_a_submodule_among_the_pages_or_as_the_first_policy_is_no_traceback(team: Team) -> None:
    head = team.repo.git("rev-parse", "HEAD")
    team.repo.stage_entry("160000", head, "docs/decisions/sub")
    team.accord("adr", "--index", "--check", code=1)
    team.repo.git("switch", "-q", "--orphan", "fresh")
    team.repo.stage_entry("160000", head, "decisions/policy.yaml")
    team.repo.git("commit", "-qm", "a submodule")
    root = "--root=sha256:" + "0" * 64
    assert "root-mismatch" in team.accord("verify", "--history", root, code=1)


def test_a_stray_folder_among_kept_votes_is_passed_over(team: Team, isolation: Path) -> None:
    team.propose("x")
    team.vote("x", {"reviewer": all_agree()["reviewer"]})
    kept = next((isolation / "state").rglob("reviewer.*.yaml"))
    stray = kept.parent.with_name("odd")
    stray.mkdir()
    (stray / kept.name).write_bytes(kept.read_bytes())
    assert "sealed vote of reviewer in round 1" in team.accord("doctor", code=0)
