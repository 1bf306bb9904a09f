"""Redactions that are void, and evidence that goes without one (`docs/redaction.md`)."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import Any

from accord.model.ids import digest_bytes
from accord.model.paths import find_location
from accord.model.redaction import Redaction, name_redaction
from tests.attacks.attack import Attack
from tests.attacks.forge import R1, commit, place, put, sign
from tests.e2e.team import Team

NOTE = "evidence/note-note.txt"
AT = "2026-12-24T09:00:00Z"
NONE = "a" * 64


def redact(team: Team, member: str = "dana", rest: str = NOTE, **fields: Any) -> str:
    """Sign a redaction by hand; where it stands. What it names is still there."""
    digest = digest_bytes(place(team, rest).read_bytes())
    record: dict[str, Any] = {
        "decision": team.id_of("x"),
        "path": f"decisions/{team.id_of('x')}/{rest}",
        "digest": digest,
        "reason": "A secret.",
        "by": member,
        "at": AT,
    }
    made = Redaction(**(record | fields))
    where = f"redactions/{name_redaction(made.digest)}.1.yaml"
    put(team, where, made, "redaction", member)
    return where


def take_out(member: str = "dana", rest: str = NOTE, **fields: Any) -> Callable[[Team], None]:
    """A redaction, and the file is gone."""

    def act(team: Team) -> None:
        redact(team, member, rest, **fields)
        place(team, rest).unlink()

    return act


def do_not_sign(team: Team) -> None:
    place(team, f"{redact(team)}.sig").unlink()
    place(team, NOTE).unlink()


def let_another_sign(team: Team) -> None:
    sign(place(team, redact(team)), "orchestrator")
    place(team, NOTE).unlink()


def replace_bytes(team: Team) -> None:
    """The redaction is good, and other bytes stand in the place of the evidence."""
    redact(team)
    place(team, NOTE).write_text("another note")


def bring_back(team: Team) -> None:
    """What was redacted stands there again."""
    bytes_ = place(team, NOTE).read_bytes()
    take_out()(team)
    commit(team, "redact")
    team.repo.git("branch", "-f", "main", "work")
    place(team, NOTE).parent.mkdir(exist_ok=True)
    place(team, NOTE).write_bytes(bytes_)


def take_redaction_back(team: Team) -> None:
    """The redaction is deleted, and the bytes with it stay away."""
    take_out()(team)
    commit(team, "redact")
    team.repo.git("branch", "-f", "main", "work")
    shutil.rmtree(place(team, "redactions/x").parent)


def copy_from_elsewhere(team: Team) -> None:
    """A good redaction of another decision, copied into this one."""
    where = redact(team, decision="2026-01-01-another")
    assert find_location(str(place(team, where).relative_to(team.repo.path))) is not None
    place(team, NOTE).unlink()


def redact_and_undo(team: Team) -> None:
    """What was redacted on the way stands there at the end, as if nothing had been."""
    bytes_ = place(team, NOTE).read_bytes()
    take_out()(team)
    commit(team, "redact")
    shutil.rmtree(place(team, "redactions"))
    place(team, NOTE).parent.mkdir(exist_ok=True)
    place(team, NOTE).write_bytes(bytes_)


def delete_then_redact(team: Team) -> None:
    """First the file goes, and only the next commit says by whose word."""
    bytes_ = place(team, NOTE).read_bytes()
    place(team, NOTE).unlink()
    commit(team, "delete")
    place(team, NOTE).parent.mkdir(exist_ok=True)
    place(team, NOTE).write_bytes(bytes_)
    take_out()(team)


RUNNING, ENDED = "an open round", "an accepted decision on main"
REDACTIONS: dict[str, Attack] = {
    "evidence deleted after the end": Attack(
        ENDED, lambda team: place(team, NOTE).unlink(), "signed-file-deleted"
    ),
    "a redaction by a voter": Attack(RUNNING, take_out("reviewer"), "signer-lacks-role"),
    "a redaction by an agent after the end": Attack(
        ENDED, take_out("orchestrator"), "signer-lacks-role"
    ),
    "what an agent redacts is deleted": Attack(
        ENDED, take_out("orchestrator"), "signed-file-deleted"
    ),
    "an agent's redaction enters after the end": Attack(
        ENDED, take_out("orchestrator"), "decision-ended"
    ),
    "a redaction that nobody signed": Attack(ENDED, do_not_sign, "unsigned"),
    "a redaction that another signed": Attack(ENDED, let_another_sign, "wrong-signer"),
    "a redaction of a stranger's": Attack(ENDED, take_out("stranger", by="dana"), "unknown-signer"),
    "a redaction of a wrong digest": Attack(
        ENDED, take_out(digest=f"sha256:{NONE}"), "redaction-unfounded"
    ),
    "what a wrong digest names is deleted": Attack(
        ENDED, take_out(digest=f"sha256:{NONE}"), "signed-file-deleted"
    ),
    "a redaction of a vote": Attack(
        ENDED, take_out(rest=f"{R1}/votes/challenger.yaml"), "redaction-unfounded"
    ),
    "a redaction of another decision": Attack(ENDED, copy_from_elsewhere, "ballot-mismatch"),
    "other bytes in the place of what was redacted": Attack(
        ENDED, replace_bytes, "frozen-file-changed"
    ),
    "a redaction of what stays": Attack(RUNNING, redact, "redacted-evidence-present"),
    "redacted bytes come back": Attack(ENDED, bring_back, "redacted-evidence-present"),
    "a redaction is undone on the way": Attack(RUNNING, redact_and_undo, "signed-file-deleted"),
    "evidence deleted before it is redacted": Attack(
        RUNNING, delete_then_redact, "signed-file-deleted"
    ),
    "a redaction is taken back": Attack(ENDED, take_redaction_back, "signed-file-deleted"),
}
