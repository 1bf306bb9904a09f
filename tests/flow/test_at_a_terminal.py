"""Questions at a terminal: what the options leave out is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.e2e.team import AGREE, VOTERS, Team, all_agree
from tests.support.keys import FixedKey
from tests.support.repos import Repo
from tests.support.terminal import run_at_terminal

Answers = Sequence[tuple[str, str]]
RATED = [
    ("testability", "strong"),
    ("workflow integration", "adequate"),
    ("incremental verifiability", "not_applicable"),
]


def ask(team: Team, arguments: Sequence[str], answers: Answers, code: int = 0) -> str:
    ended, shown = run_at_terminal(team.repo.path, arguments, answers)
    assert ended == code, shown
    return " ".join(shown.split())


def test_propose_shows_the_classes_and_what_needs_no_vote(team: Team) -> None:
    answers = [
        ("Class (architecture, governance)", "architecture"),
        ("Title [Use it]", "Use it now"),
    ]
    shown = ask(team, ["propose", "use-it"], answers)
    assert "architecture: Tech stack, architecture, system-wide design" in shown
    assert "no vote is needed for feature details" in shown
    text = team.file("use-it", "rounds/1/proposal.yaml").read_text()
    assert "title: Use it now\nclass: architecture\n" in text


VOTES: dict[str, tuple[Answers, str, list[str]]] = {
    "agrees": (
        [("Your vote", "agree"), ("Why", "ok"), *RATED, ("have read, of source", "source")],
        "reviewer",
        ["vote: agree", "rationale: ok", "rating: not_applicable", "id: source"],
    ),
    "disagrees": (
        [
            ("Your vote", "disagree"),
            ("Why", "no"),
            ("How grave", "minor"),
            ("What instead", "half of it"),
            ("INSUFFICIENT_EVIDENCE: ", "YAGNI, SCOPE_CREEP"),
            *RATED,
            ("have read", ""),
        ],
        "reviewer",
        ["severity: minor", "alternative: half of it", "- YAGNI", "- SCOPE_CREEP"],
    ),
    "abstains": (
        [("Your vote", "abstain"), ("Why", "cannot read it"), ("have read", "")],
        "reviewer",
        ["vote: abstain"],
    ),
    "challenges": (
        [
            ("Your vote", "agree"),
            ("Why", "ok"),
            ("You are the challenger: name a concern", "slow"),
            *RATED,
            ("have read", "source"),
        ],
        "challenger",
        ["text: slow"],
    ),
}


@pytest.mark.parametrize(("answers", "voter", "said"), VOTES.values(), ids=VOTES)
def test_a_vote_is_asked_for(
    answers: Answers, voter: str, said: list[str], team: Team, isolation: Path
) -> None:
    team.propose("x")
    shown = ask(team, ["vote", "x", "--as", voter], answers)
    assert f"read first: accord packet {team.id_of('x')} --voter {voter}" in shown
    assert "sealed 1 of 3" in shown
    kept = next((isolation / "state").rglob(f"{voter}.*.yaml")).read_text()
    for part in said:
        assert part in kept


def test_a_retraction_is_asked_for(team: Team) -> None:
    team.propose("x")
    team.vote("x", all_agree())
    answers = [
        ("Does it stand", "retract"),
        ("Categories, of", "SECURITY_RISK"),
        ("Why it stands, or not", "I erred"),
        ("have read", "source"),
    ]
    assert "FAIL" in ask(team, ["affirm", "x", "--as=reviewer"], answers)
    text = team.file("x", "rounds/1/affirmations/reviewer.1.yaml").read_text()
    for part in ("stance: retract", "- SECURITY_RISK", "severity: major", "id: source"):
        assert part in text


def test_next_is_declined(team: Team) -> None:
    team.propose("x")
    shown = ask(team, ["next", "--as=reviewer"], [("Do it now?", "n")])
    assert "reviewer: vote" in shown
    assert not team.file("x", "rounds/1").joinpath("seals").exists()


def test_next_opens_the_round_with_the_key_that_is_named(team: Team) -> None:
    team.write("d.json", {"context": "c", "text": "t"})
    draft = str(team.folder / "d.json")
    team.accord("propose", "x", "--class=architecture", "--from", draft, "--commit")
    team.repo.git("config", "--unset", "accord.orchestrator.key")
    key = str(team.folder / "keys" / "orchestrator")
    shown = ask(team, ["next", "--key", key, "--commit"], [("Do it now?", "y")])
    assert "orchestrator: open the first round" in shown
    assert team.status_of("x") == "open"
    assert team.repo.git("status", "--short") == ""


def test_next_passes_over_what_has_ended(team: Team) -> None:
    team.propose("x")
    team.vote("x", all_agree())
    team.affirm("x")
    team.propose("y", text="Another.")
    assert "reviewer: vote" in team.accord("next", "--as=reviewer")
    team.vote("y", dict.fromkeys(VOTERS, AGREE))
    assert "affirm" in team.accord("next", "--as=reviewer")


def test_next_writes_the_record_that_is_due(team: Team) -> None:
    team.propose("x")
    team.vote("x", all_agree())
    team.affirm("x")
    record = team.file("x", "record.yaml")
    data = record.read_bytes()
    team.repo.git("rm", "-q", str(record))
    printed = team.accord("next")
    assert f"wrote decisions/{team.id_of('x')}/record.yaml Nothing waits for you." in printed
    assert record.read_bytes() == data


def test_init_asks_who_takes_part(tmp_path: Path) -> None:
    repo = Repo.init(tmp_path / "repo", "sha1", "--initial-branch=main")
    keys = [FixedKey(name).write(tmp_path / "keys") for name in ("a", "b", "c", "o")]
    arguments = ["init", *(f"--member-key={key.name}={key}.pub" for key in keys)]
    answers = [
        ("Voters, separated by commas", "a, b, c"),
        ("Who opens rounds", "o"),
        ("Guard CI workflows", "y"),
    ]
    ended, shown = run_at_terminal(repo.path, arguments, answers)
    assert ended == 0, shown
    assert "wrote decisions/policy.yaml" in shown
    assert ".gitlab-ci.yml" in (repo.path / "decisions" / "policy.yaml").read_text()
