"""The files that a decision would bring into force, for those who decide on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec

from accord.model.policy_change import Difference
from accord.render.page import Page, Span
from accord.render.policy_changes import describe_policy_changes
from accord.render.templates import render_template

Fate = Literal["new", "changed", "the same", "missing"]
_FATES: dict[Fate, str] = {
    "new": "a new file",
    "changed": "changed",
    "the same": "in force already",
    "missing": "its bytes are not at hand: fetch the branch that has them",
}
_KINDS = {
    "100644": "A plain file",
    "100755": "An executable",
    "120000": "A link, whose bytes are the path that it names",
}


@dataclass(frozen=True, slots=True)
class EnactedFile:
    """A file that would come into force.

    `fate` is what becomes of what is in force. `place` says where its bytes were found, `opening`
    is the command that prints them. `differences` are the changes of a policy, `remark` is what
    is to be said of it besides; `changes` are those of any text line by line, `text` is all of
    it, and `unshown` says why there is none.
    """

    path: str
    digest: str
    mode: str
    fate: Fate
    place: str = ""
    opening: str = ""
    differences: tuple[Difference, ...] = ()
    remark: str = ""
    changes: str = ""
    text: str = ""
    unshown: str = ""

    @property
    def kind(self) -> str:
        """What git calls such a file."""
        return _KINDS[self.mode]

    @property
    def words(self) -> str:
        """The changes of a policy, one sentence a line."""
        return "\n".join(filter(None, (self.remark, *describe_policy_changes(self.differences))))

    def to_plain(self) -> dict[str, object]:
        """The file as plain data, without its text."""
        return {
            "path": self.path,
            "digest": self.digest,
            "mode": self.mode,
            "fate": self.fate,
            "found": self.place or None,
            "open": self.opening or None,
            "differences": [msgspec.to_builtins(one) for one in self.differences],
        }


def write_enacted(page: Page, files: Sequence[EnactedFile]) -> None:
    """The same on a page for people, without texts."""
    if files:
        page.heading("Would bring into force")
    for file in files:
        page.prose(Span(file.path, "path"), f" ({_FATES[file.fate]})", indent=2, hanging=4)
        page.line(Span(file.digest, "dim"), indent=4)
        for sentence in file.words.splitlines():
            page.prose("- ", sentence, indent=4, hanging=6)
        if file.opening:
            page.line(Span(file.opening, "command"), indent=4)


def render_enacted(files: Sequence[EnactedFile]) -> str:
    """The section of a packet, as Markdown; "" when nothing would come into force."""
    return render_template("packet-enacts.md.j2", files=files) if files else ""
