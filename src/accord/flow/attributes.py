"""What git does to the bytes of `decisions/` when it stores them and checks them out.

Attributes come from many places, and the last line that fits counts. So git is asked, about the
files that are there and about names that other lines of the attributes are made for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from accord.flow.session import Session
from accord.model.paths import POLICY, ROOT, evidence_directory, path_of

# `-working-tree-encoding` is fatal to git, and an unspecified one does nothing.
UNTOUCHED = f"{ROOT}/** -text -filter -ident -eol !working-tree-encoding"
_ASKED = ("text", "filter", "ident", "working-tree-encoding")
_LEFT_ALONE = {
    "text": ("unset",),
    "filter": ("unset", "unspecified"),
    "ident": ("unset", "unspecified"),
    "working-tree-encoding": ("unspecified",),
}
_LOOK_ALIKE = "2000-01-01-look-alike"
_SUFFIXES = ("bin", "csv", "diff", "json", "log", "md", "patch", "pdf", "png", "sql", "txt", "zip")


class Altered(NamedTuple):
    """A path whose bytes git would change, by which attribute and value."""

    path: str
    attribute: str
    value: str


def find_altered(session: Session) -> Altered | None:
    """The first path below `decisions/` that git would not leave alone; None is good."""
    paths = sorted({*(entry.path for entry in session.tree.list(ROOT)), *_imagine(session)})
    named = "".join(f"{path}\0" for path in paths).encode("utf-8", "surrogateescape")
    answer = session.repository.reading.ask("check-attr", "-z", "--stdin", *_ASKED, data=named)
    return next(_read(answer.out), None)


def _read(answer: bytes) -> Iterator[Altered]:
    words = answer.decode("utf-8", "surrogateescape").split("\0")
    for path, attribute, value in zip(words[::3], words[1::3], words[2::3], strict=False):
        if value not in _LEFT_ALONE[attribute]:
            yield Altered(path, attribute, value)


def _imagine(session: Session) -> Iterable[str]:
    """Files that could come: one of each kind, and evidence of names that attributes speak of."""
    evidence = evidence_directory(_LOOK_ALIKE)
    vote = path_of("vote", _LOOK_ALIKE, round_number=1, name="look-alike")
    yield from (POLICY, vote, f"{vote}.sig", path_of("record", _LOOK_ALIKE))
    yield from (f"{evidence}look-alike.{suffix}" for suffix in _SUFFIXES)
    yield from (f"{evidence}{name}" for name in _list_named(session))


def _list_named(session: Session) -> Iterator[str]:
    """Plain names that fit the patterns of this repository's own attributes."""
    places = (session.root / ".gitattributes", session.repository.common_dir / "info/attributes")
    for place in places:
        lines = place.read_text("utf-8", "replace").splitlines() if place.is_file() else []
        for line in lines:
            pattern = line.split(maxsplit=1)[0] if line.strip() else "#"
            chosen = re.sub(r"\[([^]!^])[^]]*\]", r"\1", pattern.rsplit("/", 1)[-1])
            name = re.sub(r"\[[^]]*\]|[*?]", "x", chosen)
            if name and not name.startswith(("#", "[", '"')):
                yield name
