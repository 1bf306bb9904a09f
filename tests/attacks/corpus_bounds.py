"""Attacks by what looks sound: a key that needs no secret, a file that costs more than it says."""

from __future__ import annotations

import base64

from tests.attacks.attack import Attack
from tests.attacks.forge import R1, commit, edit_policy, place, sign
from tests.e2e.team import Team
from tests.support.keys import FixedKey, pack


def let_anybody_sign(team: Team) -> None:
    """The key of the reviewer becomes the point that is nothing: every signature fits it."""
    blob = pack(b"ssh-ed25519", b"\1" + bytes(31))
    line = f"ssh-ed25519 {base64.b64encode(blob).decode()}"
    edit_policy(team, (FixedKey("reviewer").line, line))
    commit(team)


def vote_at_length(team: Team) -> None:
    path = place(team, f"{R1}/round.yaml").parent / "votes" / "reviewer.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(bytes(300_000))
    sign(path, "reviewer")
    commit(team)


def hide_a_joiner(team: Team) -> None:
    path = place(team, f"{R1}/round.yaml").parent / "votes" / "reviewer.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text("format: accord/vote/1\nvote: dis\u200dagree\n", encoding="utf-8")
    sign(path, "reviewer")
    commit(team)


BOUNDS: dict[str, Attack] = {
    "a key with which anybody signs": Attack("a policy", let_anybody_sign, "policy-invalid"),
    "a vote that is too large to be read": Attack(
        "an open round", vote_at_length, "file-too-large"
    ),
    "a joiner inside a word": Attack("an open round", hide_a_joiner, "yaml-invalid"),
}
