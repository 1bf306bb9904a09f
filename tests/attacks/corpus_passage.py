"""Attacks that prepare their ground: what one commit does so that the next one looks harmless."""

from __future__ import annotations

import shutil
from collections.abc import Callable

from accord.model.ids import digest_bytes
from tests.attacks.attack import NOT_STAGED, Attack
from tests.attacks.forge import CHALLENGE, R1, commit, delete, edit_policy, place, sign
from tests.e2e.team import Team, all_agree
from tests.support.keys import FixedKey

SEAL = f"{R1}/seals/challenger.yaml"
PROPOSAL = f"{R1}/proposal.yaml"


def without_policy(act: Callable[[Team], object]) -> Callable[[Team], None]:
    """Nobody can say who may decide while it happens; then the policy is back."""

    def attack(team: Team) -> None:
        policy = team.decisions / "policy.yaml"
        kept = policy.read_bytes()
        policy.unlink()
        commit(team, "1")
        act(team)
        commit(team, "2")
        policy.write_bytes(kept)

    return attack


def under_another_key(act: Callable[[Team], object]) -> Callable[[Team], None]:
    """The challenger has another key while it happens, so what it signed is nobody's."""

    def attack(team: Team) -> None:
        policy = team.decisions / "policy.yaml"
        kept = policy.read_bytes()
        edit_policy(team, (FixedKey("challenger").line, FixedKey("stranger").line))
        commit(team, "1")
        act(team)
        commit(team, "2")
        policy.write_bytes(kept)

    return attack


def under_another_text(act: Callable[[Team], object]) -> Callable[[Team], None]:
    """No ballot is on the proposal that stands there while it happens, so no vote counts."""

    def attack(team: Team) -> None:
        proposal = place(team, PROPOSAL)
        kept = proposal.read_bytes()
        proposal.write_bytes(kept.replace(b"Make it fast", b"Make it slow"))
        commit(team, "1")
        act(team)
        commit(team, "2")
        proposal.write_bytes(kept)

    return attack


def erase_refusal(team: Team) -> None:
    delete(team, CHALLENGE, SEAL)


def erase_decision(team: Team) -> None:
    shutil.rmtree(team.decisions / team.id_of("x"))


def edit_evidence(team: Team) -> None:
    (found,) = place(team, "evidence").iterdir()
    found.write_text("another note")


def close_meanwhile(team: Team) -> None:
    """The seal of a refusal is away when the round is closed, and late when it is back."""
    seal = {place(team, f"{SEAL}{one}"): b"" for one in ("", ".sig")}
    seal = {path: path.read_bytes() for path in seal}
    delete(team, SEAL)
    commit(team, "1")
    team.accord("close", "x", "--reason=waiting is pointless", "--commit")
    for path, data in seal.items():
        path.write_bytes(data)


def take_from(team: Team, tag: str, *rests: str) -> None:
    """Files of the decision as they were at a tag, with their signatures."""
    folder = f"decisions/{team.id_of('x')}"
    paths = [f"{folder}/{rest}{suffix}" for rest in rests for suffix in ("", ".sig")]
    team.repo.git("checkout", "-q", tag, "--", *paths)


def open_early(team: Team) -> None:
    """One vote is opened before two seals are in."""
    take_from(team, "voted", f"{R1}/seals/reviewer.yaml", f"{R1}/votes/reviewer.yaml")


def open_the_rest(team: Team) -> None:
    others = ("implementer", "challenger")
    take_from(
        team, "voted", *(f"{R1}/{kind}/{v}.yaml" for kind in ("seals", "votes") for v in others)
    )


def opening(act: Callable[[Team], None]) -> Callable[[Team], None]:
    """One vote is opened early in some way, the others after it."""

    def attack(team: Team) -> None:
        team.repo.git("reset", "-q", "--hard", "opened")
        act(team)
        commit(team, "3")
        open_the_rest(team)

    return attack


def open_in_another_history(team: Team) -> None:
    """A commit without parents shows no order, and a merge brings what it holds."""
    git = team.repo.git
    git("switch", "-q", "--orphan", "other")
    git("checkout", "-q", "opened", "--", ".")
    open_early(team)
    commit(team, "all of it")
    open_the_rest(team)
    commit(team, "the rest")
    git("switch", "-q", "-C", "work", "main")
    git("merge", "-q", "--allow-unrelated-histories", "--no-edit", "other")


def supersede_governance(team: Team) -> None:
    """What governance enacted it took back, before the policy itself arrived."""
    policy = team.decisions / "policy.yaml"
    weak = policy.read_text().replace("serial: 1", "serial: 2").replace("bug fixes", "everything")
    enacts = [{"path": "decisions/policy.yaml", "digest": digest_bytes(weak.encode())}]
    decide(team, "weak", "Weaken the policy.", enacts=enacts)
    (team.repo.path / "second.txt").write_text("new evidence")
    commit(team, "evidence")
    team.repo.git("branch", "-f", "main", "work")
    evidence = [{"id": "source", "kind": "primary", "artifact": "second.txt"}]
    decide(team, "keep", "Keep it.", supersedes=team.id_of("weak"), evidence=evidence)
    team.repo.git("branch", "-f", "main", "work")
    policy.write_text(weak)


def decide(team: Team, name: str, text: str, **draft: object) -> None:
    team.propose(name, "--class=governance", text=text, **draft)
    team.vote(name, all_agree())
    team.affirm(name)


def sign_as_another(team: Team) -> None:
    """A vote is written anew while its key is another one's."""
    vote = place(team, CHALLENGE)
    vote.write_text(vote.read_text().replace("vote: disagree", "vote: agree"))
    sign(vote, "stranger")


PASSAGE: dict[str, Attack] = {
    "a refusal erased while there was no policy": Attack(
        "a refused round", without_policy(erase_refusal), "signed-file-deleted", NOT_STAGED
    ),
    "a decision erased while there was no policy": Attack(
        "a refused round", without_policy(erase_decision), "signed-file-deleted", NOT_STAGED
    ),
    "evidence edited while there was no policy": Attack(
        "a refused round", without_policy(edit_evidence), "frozen-file-changed", NOT_STAGED
    ),
    "votes opened early while there was no policy": Attack(
        "an agreement",
        opening(without_policy(open_early)),
        "revealed-before-sealed",
        NOT_STAGED,
    ),
    "a refusal erased while its key was another's": Attack(
        "a refused round", under_another_key(erase_refusal), "signed-file-deleted", NOT_STAGED
    ),
    "a refusal turned while its key was another's": Attack(
        "a refused round", under_another_key(sign_as_another), "frozen-file-changed", NOT_STAGED
    ),
    "a refusal erased while the text was another": Attack(
        "a refused round", under_another_text(erase_refusal), "signed-file-deleted", NOT_STAGED
    ),
    "votes opened early while the text was another": Attack(
        "an agreement",
        opening(under_another_text(open_early)),
        "revealed-before-sealed",
        NOT_STAGED,
    ),
    "a round closed while a seal was away": Attack(
        "a sealed refusal", close_meanwhile, "frozen-file-changed", NOT_STAGED
    ),
    "votes opened early in another history": Attack(
        "an agreement", open_in_another_history, "revealed-before-sealed"
    ),
    "a policy whose decision was superseded": Attack(
        "a policy", supersede_governance, "policy-change-unapproved"
    ),
}
