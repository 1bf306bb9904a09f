"""How an attack begins: small histories, made once a session and then copied.

In each of them main holds the policy (and what is said to have landed), and work is checked out.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from accord.model.ids import digest_bytes
from tests.attacks.forge import commit, edit_policy
from tests.e2e.escalated import SUMMARIZED, correlated, make_counted_team
from tests.e2e.team import AGREE, MAJOR, MINOR, Team, all_agree, copy_team, make_team
from tests.support.keys import FixedKey
from tests.support.once import make_once

Make = Callable[[Path, pytest.CaptureFixture[str], pytest.MonkeyPatch], Team]
EVIDENCE: list[dict[str, object]] = [
    {"id": "source", "kind": "primary", "artifact": "source.txt"},
    {"id": "note", "kind": "primary", "artifact": "note.txt"},
]


# What guarded code may be deployed with.
DEPLOYED = "image: v2\n"


class Start(NamedTuple):
    """Who is there, and what has happened."""

    build: Callable[[Team], object]
    make: Make = make_team


def begin_with(team: Team) -> None:
    """Let the policy that stands there be the first one, which nobody has to enact."""
    team.repo.git("add", "--all")
    team.repo.git("commit", "-q", "--amend", "--no-edit")


def land(team: Team) -> None:
    team.repo.git("branch", "-f", "main", "work")


def open_round(team: Team) -> None:
    (team.repo.path / "note.txt").write_text("a note")
    team.propose("x", evidence=EVIDENCE)
    team.repo.git("tag", "opened")


def seal_one(team: Team) -> None:
    open_round(team)
    team.vote("x", {"challenger": MAJOR})


def agree(team: Team) -> None:
    open_round(team)
    team.vote("x", all_agree())
    team.repo.git("tag", "voted")


def refuse(team: Team) -> None:
    open_round(team)
    team.vote("x", all_agree() | {"challenger": MAJOR})


def enroll_a_fourth(team: Team, *more: tuple[str, str]) -> None:
    """Four voters of whom three would do."""
    git = team.repo.git
    git("switch", "-q", "main")
    extra = FixedKey("extra")
    member = "  extra:\n    kind: agent\n    roles:\n      - voter\n    keys:\n      - ssh: "
    edit_policy(
        team,
        ("members:\n", f"members:\n{member}{extra.line}\n"),
        ("        - implementer\n", "        - implementer\n        - extra\n"),
        ("max: 3", "max: 4"),
        *more,
    )
    git("config", "accord.extra.key", str(extra.write(team.folder / "keys")))
    git("commit", "-qa", "--amend", "--no-edit")  # the first policy has all four
    git("branch", "-f", "work", "main")
    git("switch", "-q", "work")


def revise_of_four(team: Team) -> None:
    """The reviewer refused, one of four voters of whom three would do."""
    enroll_a_fourth(team)
    open_round(team)
    team.vote("x", all_agree() | {"extra": AGREE, "reviewer": MAJOR})
    team.accord("resolve", "x", "--rebutted", "reviewer:SCOPE_CREEP=no", "--commit")
    team.accord("revise", "x", "--commit")


def close_of_four(team: Team) -> None:
    """Closed without the fourth, who refuses on a branch of its own (open ballots)."""
    enroll_a_fourth(team, ("    voters:\n", "    ballots: open\n    voters:\n"))
    open_round(team)
    git = team.repo.git
    git("switch", "-qc", "late")
    team.vote("x", {"extra": MAJOR})
    git("switch", "-q", "work")
    team.vote("x", all_agree())
    team.accord("close", "x", "--reason=waiting is pointless", "--commit")


def revise(team: Team) -> None:
    """The objection is answered, and the next round is drafted."""
    refuse(team)
    team.accord("resolve", "x", "--rebutted", "challenger:SCOPE_CREEP=no", "--commit")
    team.accord("revise", "x", "--commit")


def exhaust(team: Team) -> None:
    """Both rounds were refused."""
    revise(team)
    team.accord("open", "x", "--commit")
    team.vote("x", all_agree() | {"challenger": MAJOR})


def amend(team: Team) -> None:
    open_round(team)
    team.vote("x", all_agree() | {"challenger": MINOR})
    team.accord("amend", "x", "--commit")


def accept(team: Team) -> None:
    agree(team)
    team.affirm("x")


def accept_and_land(team: Team) -> None:
    accept(team)
    land(team)


def refuse_and_land(team: Team) -> None:
    """A refusal that was withdrawn is on main."""
    refuse(team)
    team.accord("withdraw", "x", "--reason", "no", "--commit")
    land(team)


def govern(team: Team) -> None:
    """A second policy was enacted, and landed."""
    team.repo.git("tag", "before")
    edit_policy(team, ("serial: 1", "serial: 2"), ("bug fixes", "typing errors"))
    policy = (team.decisions / "policy.yaml").read_bytes()
    team.repo.git("restore", "decisions/policy.yaml")
    enacts = [{"path": "decisions/policy.yaml", "digest": digest_bytes(policy)}]
    team.propose("x", "--class=governance", enacts=enacts)
    team.vote("x", all_agree())
    team.affirm("x")
    (team.decisions / "policy.yaml").write_bytes(policy)
    commit(team, "the second policy")
    land(team)


def guard_and_decide(team: Team) -> None:
    """Code is guarded, and an accepted decision on main enacts `deploy.yml`."""
    team.repo.git("switch", "-q", "main")
    guards = (
        'guarded:\n  - paths: ["src/db/**"]\n    class: architecture\n'
        "  - paths: [deploy.yml]\n    class: architecture\n    by: enacts\n"
    )
    policy = team.decisions / "policy.yaml"
    team.repo.commit({"decisions/policy.yaml": policy.read_text() + guards}, "guards")
    team.repo.git("branch", "-f", "work", "main")
    team.repo.git("switch", "-q", "work")
    enacts = [{"path": "deploy.yml", "digest": digest_bytes(DEPLOYED.encode())}]
    team.propose("x", affects=["src/db/**"], enacts=enacts)
    team.vote("x", all_agree())
    team.affirm("x")
    land(team)


def lose_a_key(team: Team) -> None:
    """The policy knows of a second key of the challenger that was lost long ago; a round is open.

    Whoever found it signs with it, and gives whatever time they like.
    """
    team.repo.git("switch", "-q", "main")
    lost = FixedKey("challenger-lost")
    entry = f'- ssh: {lost.line}\n        revoked_from: "2020-01-01T00:00:00Z"\n      '
    key = f"- ssh: {FixedKey('challenger').line}"
    edit_policy(team, (key, entry + key))
    begin_with(team)
    team.repo.git("branch", "-f", "work", "main")
    team.repo.git("switch", "-q", "work")
    open_round(team)


def escalate(team: Team) -> None:
    correlated(team)


def synthesize(team: Team) -> None:
    escalate(team)
    text = team.write("synthesis.txt", "They agree, and two lean on a summary.\n")
    team.accord("synthesize", "x", "--text", str(text), "--commit")


def open_round_with_a_claim(team: Team) -> None:
    team.propose("x", evidence=SUMMARIZED)


def nobody_votes(team: Team) -> None:
    """Both rounds were closed without a vote."""
    team.propose("x", evidence=SUMMARIZED)
    team.accord("close", "x", "--reason=nobody is here", "--commit")
    team.accord("revise", "x", "--commit")
    team.accord("open", "x", "--commit")
    team.accord("close", "x", "--reason=still nobody", "--commit")


def look_again(team: Team) -> None:
    """All agree, all saw a claim, and otto looked again and confirmed."""
    both = {**AGREE, "evidence": ["source", "summary"]}
    team.propose("x", evidence=SUMMARIZED)
    team.vote("x", dict.fromkeys(all_agree(), both))
    team.affirm("x")


STARTS: dict[str, Start] = {
    "a policy": Start(lambda _: None),
    "an open round": Start(open_round),
    "an open round with a claim": Start(open_round_with_a_claim),
    "a sealed refusal": Start(seal_one),
    "a refused round": Start(refuse),
    "an agreement": Start(agree),
    "a drafted second round": Start(revise),
    "a drafted second round of four": Start(revise_of_four),
    "a closed round, and a late refusal elsewhere": Start(close_of_four),
    "two refused rounds": Start(exhaust),
    "an amendment": Start(amend),
    "an accepted decision": Start(accept),
    "an accepted decision on main": Start(accept_and_land),
    "a withdrawn refusal on main": Start(refuse_and_land),
    "a second policy on main": Start(govern),
    "guarded code, decided": Start(guard_and_decide),
    "a lost key": Start(lose_a_key),
    "an escalated decision": Start(escalate, make_counted_team),
    "a synthesis": Start(synthesize, make_counted_team),
    "two rounds without votes": Start(nobody_votes, make_counted_team),
    "a provisional agreement": Start(look_again, make_counted_team),
}


def begin(
    name: str,
    folder: Path,
    capture: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Team:
    """A copy of a start, in a folder of its own."""
    start = STARTS[name]

    def build(made: Path) -> None:
        start.build(start.make(made, capture, monkeypatch))

    return copy_team(make_once(f"start of {name}", build), folder, capture, monkeypatch)
