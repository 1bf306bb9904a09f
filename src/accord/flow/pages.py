"""The pages that follow from a tree: which are due, and what they say (section 11).

A page is a function of the tree and of the template, which comes from the base.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from accord.errors import UsageError
from accord.model.adr import Adr, IndexEntry, Reference
from accord.model.paths import (
    ADR_TEMPLATE,
    INDEX_TEMPLATE,
    page_of,
)
from accord.model.succession import Succession
from accord.render.adr import Style, render_adr, render_index
from accord.render.templates import Override
from accord.rules.adr import build_adr, build_entry, find_named, find_older, has_page, refer
from accord.rules.successors import find_successions, read_successor
from accord.store.load import list_decisions
from accord.store.tree import REGULAR, Tree, read_plain
from accord.verify import Judged, Sources
from accord.verify.step import judging_upon


class Library:
    """The decisions of a tree, each judged when it is first asked for, and how they are linked."""

    def __init__(self, base: Tree, tree: Tree, sources: Sources) -> None:
        self.base = base
        self.tree = tree
        self._judge = judging_upon(base, tree, sources)
        self._mentions = sources.means.mentions
        self._judged: dict[str, Judged] = {}
        self._successions: Mapping[str, Succession] | None = None

    def judged(self, decision: str) -> Judged:
        """One decision. It need not be there: then nothing follows from it."""
        if decision not in self._judged:
            self._judged[decision] = self._judge(decision)
        return self._judged[decision]

    def judge_all(self) -> tuple[str, ...]:
        """Judge every decision of the tree, and see once how all are linked; their ids."""
        names = list_decisions(self.tree)
        self._successions = self._find_successions(names)
        return names

    def adr(self, decision: str) -> Adr | None:
        """The page of a decision as data, None while none follows from it."""
        one = self.judged(decision)
        if not has_page(one.judgement):
            return None
        named = find_named(one.files, one.judgement)
        succession = self.find_succession(decision)
        return build_adr(one.files, one.judgement, self._refer(named, succession), succession)

    def entry(self, decision: str) -> IndexEntry | None:
        """The line of the index about a decision, None while it has none."""
        one = self.judged(decision)
        succession = self.find_succession(decision)
        return build_entry(one.files, one.judgement, self._refer((), succession), succession)

    def find_succession(self, decision: str) -> Succession | None:
        """What newer decisions make of this one."""
        if self._successions is not None:
            return self._successions.get(decision)
        naming = self._mentions.list_naming(self.tree, decision)
        return self._find_successions(naming).get(decision)

    def _find_successions(self, names: Iterable[str]) -> Mapping[str, Succession]:
        successors = [read_successor(self.judged(name).judgement) for name in names]
        return find_successions(each for each in successors if each is not None)

    def _refer(
        self, named: Iterable[str], succession: Succession | None
    ) -> Mapping[str, Reference]:
        newer = (succession.by,) if succession is not None else ()
        judged = {name: self.judged(name) for name in (*named, *newer)}
        return {name: refer(one.files, one.judgement) for name, one in judged.items()}


def find_pages(
    library: Library, decisions: Collection[str], style: Style | None = None
) -> dict[str, bytes]:
    """The pages of some decisions and of those that they decide anew: path → bytes.

    `style` None means the repository's own template, else MADR. Raises UsageError when a
    template of the repository is broken.
    """
    names = set(decisions)
    for decision in decisions:
        names.update(find_older(library.judged(decision).judgement))
    pages = {name: library.adr(name) for name in sorted(names)}
    return {
        page_of(name): show_page(library, adr, style).encode()
        for name, adr in pages.items()
        if adr is not None
    }


def show_page(library: Library, adr: Adr, style: Style | None = None) -> str:
    """One page. Raises UsageError when the template of the repository is broken."""
    return render_adr(adr, style or load_override(library.base, ADR_TEMPLATE) or "madr")


def find_stale(tree: Tree, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Those files that a tree lacks or has otherwise."""
    return {path: data for path, data in files.items() if read_plain(tree, path) != data}


def find_entries(library: Library) -> tuple[IndexEntry, ...]:
    """The lines of the index: all decisions of the tree that have ended."""
    entries = [library.entry(name) for name in library.judge_all()]
    return tuple(entry for entry in entries if entry is not None)


def show_index(library: Library, entries: Sequence[IndexEntry]) -> str:
    """The index. Raises UsageError when the template of the repository is broken."""
    return render_index(entries, load_override(library.base, INDEX_TEMPLATE))


def load_override(base: Tree, path: str) -> Override | None:
    """A template of the repository, from the base: no change is shown by its own template.

    Raises UsageError when what stands there is no text.
    """
    entry = base.find(path)
    if entry is None:
        return None
    if entry.mode != REGULAR:
        raise UsageError(
            f"{path} is no plain file, and accord follows no links", "put the template itself there"
        )
    try:
        return Override(path, base.read(path).decode())
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8: {error}", "save it as UTF-8") from error
