"""The pages that follow from a tree: which are due, and what they say (section 11).

A page is a function of the tree and of the template, which comes from the base.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from accord.errors import UsageError
from accord.model.adr import Adr, IndexEntry, Reference
from accord.model.paths import ADR_TEMPLATE, INDEX_TEMPLATE, page_of
from accord.model.succession import Succession
from accord.render.adr import Style, render_adr, render_index
from accord.render.templates import Override
from accord.rules.adr import build_adr, build_entry, find_named, has_page, refer
from accord.rules.successors import find_successions, read_successor
from accord.store.load import list_decisions
from accord.store.tree import REGULAR, Tree
from accord.verify.decision import Judged

# What a repository without a template of its own may have: both say the same.
STYLES: tuple[Style, ...] = ("madr", "nygard")


class Library:
    """The decisions of a tree, each judged when it is first asked for, and how they are linked.

    `base` has the templates. `faults` says which of them could not be filled in: such a one
    counts as none, so that it stops no decision.
    """

    def __init__(self, base: Tree, tree: Tree, judge: Callable[[str], Judged]) -> None:
        self.base = base
        self.tree = tree
        self.faults: dict[str, UsageError] = {}
        self._judge = judge
        self._judged: dict[str, Judged] = {}

    def judged(self, decision: str) -> Judged:
        """One decision. It need not be there: then nothing follows from it."""
        if decision not in self._judged:
            self._judged[decision] = self._judge(decision)
        return self._judged[decision]

    def adr(self, decision: str) -> Adr | None:
        """The page of a decision as data, None while none follows from it."""
        one = self.judged(decision)
        if not has_page(one.judgement):
            return None
        named = find_named(one.files, one.judgement)
        return build_adr(one.files, one.judgement, self._refer(named))

    def entries(self) -> tuple[IndexEntry, ...]:
        """The lines of the index: all decisions of the tree that have ended."""
        names = list_decisions(self.tree)
        successors = [read_successor(self.judged(name).judgement) for name in names]
        successions = find_successions(one for one in successors if one is not None)
        entries = [self._entry(name, successions.get(name)) for name in names]
        return tuple(entry for entry in entries if entry is not None)

    def _entry(self, decision: str, succession: Succession | None) -> IndexEntry | None:
        one = self.judged(decision)
        newer = (succession.by,) if succession is not None else ()
        return build_entry(one.files, one.judgement, self._refer(newer), succession)

    def _refer(self, named: Iterable[str]) -> Mapping[str, Reference]:
        judged = {name: self.judged(name) for name in named}
        return {name: refer(one.files, one.judgement) for name, one in judged.items()}

    def override(self, tree: Tree, path: str) -> Override | None:
        """A template of a tree; None where there is none, or none that can be read."""
        try:
            return load_override(tree, path)
        except UsageError as error:
            self.faults[path] = error
            return None

    def pages(self, adr: Adr, template: Override | None) -> tuple[bytes, ...]:
        """What a page may be: by a template of the repository, else in the styles of accord."""
        if template is not None:
            try:
                return (render_adr(adr, template).encode(),)
            except UsageError as error:
                self.faults[template.path] = error
        return tuple(render_adr(adr, style).encode() for style in STYLES)

    def index(self, entries: Collection[IndexEntry]) -> bytes:
        """The index, by the repository's template if it has one that can be filled in."""
        template = self.override(self.base, INDEX_TEMPLATE)
        try:
            return render_index(tuple(entries), template).encode()
        except UsageError as error:
            self.faults[INDEX_TEMPLATE] = error
        return render_index(tuple(entries), None).encode()


def find_pages(
    library: Library, decisions: Iterable[str], style: Style | None = None
) -> dict[str, tuple[bytes, ...]]:
    """The pages of some decisions: path → what may stand there, and first what is written.

    `style` None means the repository's own template, else MADR.
    """
    pages = {name: library.adr(name) for name in sorted(decisions)}
    template = None if style else library.override(library.base, ADR_TEMPLATE)
    return {
        page_of(name): (
            (render_adr(adr, style).encode(),) if style else library.pages(adr, template)
        )
        for name, adr in pages.items()
        if adr is not None
    }


def load_override(tree: Tree, path: str) -> Override | None:
    """A template of the repository, as a tree has it: no change is shown by its own template.

    Raises UsageError when what stands there is no text.
    """
    entry = tree.find(path)
    if entry is None:
        return None
    if entry.mode != REGULAR:
        raise UsageError(
            f"{path} is no plain file, and accord follows no links", "put the template itself there"
        )
    try:
        return Override(path, tree.read(path).decode())
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8: {error}", "save it as UTF-8") from error
