"""The bytes that a decision would bring into force, wherever this clone has them (section 10).

A proposal names them by digest, and nobody agrees to a digest. They are searched for where they
may be before they land: staged, in the working tree, among the decision's own evidence, and on
the branches of this clone.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from shlex import quote
from typing import NamedTuple

from accord.model.ids import digest_bytes
from accord.model.paths import POLICY, evidence_directory
from accord.model.policy import Policy
from accord.model.policy_change import Difference
from accord.model.proposal import Enacted
from accord.render.enacted import EnactedFile, Fate
from accord.render.packet import diff_text
from accord.rules.counting import CountedRound
from accord.rules.policy_changes import compare_policies
from accord.store.git import Repository
from accord.store.git_trees import SUBMODULE
from accord.store.parse import parse_file
from accord.store.refs import HEADS, list_tips
from accord.store.tree import Tree, TreeEntry

MOST_BYTES = 64 * 1024  # of a file that is shown whole; what is longer is opened
_MOST_TIPS = 500
_BRANCHES = (HEADS, "refs/remotes/")
_LINK = "120000"


class _Found(NamedTuple):
    """Bytes, where they are, and the command that prints them."""

    data: bytes
    place: str
    opening: str


def find_enacted(
    repository: Repository, base: Tree, tree: Tree, round_: CountedRound
) -> tuple[EnactedFile, ...]:
    """What the text of a round would bring into force, on top of what `base` has.

    `tree` is what is staged.
    """
    text = round_.amendment or round_.proposal
    decision = round_.ballot.record.decision
    return tuple(
        _describe(entry, _find(repository, tree, decision, entry), base)
        for entry in text.record.enacts
    )


def _find(repository: Repository, tree: Tree, decision: str, entry: Enacted) -> _Found | None:
    places = (
        _list_staged(tree, decision, entry),
        _list_working(repository.root, entry),
        _list_branches(repository, entry.path),
    )
    for found in (one for place in places for one in place):
        if digest_bytes(found.data) == entry.digest:
            return found
    return None


def _list_staged(tree: Tree, decision: str, entry: Enacted) -> Iterator[_Found]:
    there = tree.find(entry.path)
    if there is not None and there.mode != SUBMODULE:
        yield _Found(tree.read(entry.path), "among what is staged", _open(there))
    for copy in tree.list(evidence_directory(decision)):
        if copy.mode != SUBMODULE:
            yield _Found(tree.read(copy.path), "in the decision's evidence", _open(copy))


def _list_working(root: Path | None, entry: Enacted) -> Iterator[_Found]:
    """A plain file of the working tree. No link is followed, in no part of the path."""
    parts = (entry.path, *map(str, PurePosixPath(entry.path).parents))
    if root is None or entry.mode == _LINK or any((root / part).is_symlink() for part in parts):
        return
    file = root / entry.path
    if file.is_file():
        yield _Found(file.read_bytes(), "in the working tree", f"cat {quote(entry.path)}")


def _list_branches(repository: Repository, path: str) -> Iterator[_Found]:
    """The file on each branch, each version once."""
    seen: set[str] = set()
    tips = [one for one in sorted(list_tips(repository).items()) if one[0].startswith(_BRANCHES)]
    for ref, tip in tips[:_MOST_TIPS]:
        there = repository.commit(tip).find(path)
        if there is None or there.mode == SUBMODULE or there.oid in seen:
            continue
        seen.add(there.oid)
        name = next(ref.removeprefix(start) for start in _BRANCHES if ref.startswith(start))
        data = repository.commit(tip).read(path)
        yield _Found(data, f"on the branch {name}", _open(there))


def _open(entry: TreeEntry) -> str:
    return f"git cat-file blob {entry.oid}"


def _describe(entry: Enacted, found: _Found | None, base: Tree) -> EnactedFile:
    there = base.find(entry.path)
    before = base.read(entry.path) if there and there.mode != SUBMODULE else None
    if found is None:
        return EnactedFile(entry.path, entry.digest, entry.mode, "missing")
    old, new = _read_text(before), _read_text(found.data)
    differences, remark = _compare(before, found.data) if entry.path == POLICY else ((), "")
    return EnactedFile(
        path=entry.path,
        digest=entry.digest,
        mode=entry.mode,
        fate=_find_fate(there, before, entry),
        place=found.place,
        opening=found.opening,
        differences=differences,
        remark=remark,
        changes=diff_text(old, new) if old is not None and new is not None else "",
        text=new or "",
        unshown=_tell_unshown(found.data) if new is None else "",
    )


def _find_fate(there: TreeEntry | None, before: bytes | None, entry: Enacted) -> Fate:
    if there is None or before is None:
        return "new"
    same = (there.mode, digest_bytes(before)) == (entry.mode, entry.digest)
    return "the same" if same else "changed"


def _compare(before: bytes | None, after: bytes) -> tuple[tuple[Difference, ...], str]:
    """What changes in the policy, as far as both can be read, and what to say besides."""
    old, new = (_read_policy(data) for data in (before, after))
    if new is None:
        return (), "accord cannot read it: nothing could be judged by it"
    if old is None:
        return (), "accord cannot read the one that is in force"
    differences = compare_policies(old, new)
    same = before != after and not differences
    return differences, "nothing but comments and layout" if same else ""


def _read_policy(data: bytes | None) -> Policy | None:
    record, findings = parse_file(data or b"", POLICY, "policy")
    return record if isinstance(record, Policy) and not findings else None


def _read_text(data: bytes | None) -> str | None:
    """What can be shown as text; None for what is none, or is too long."""
    if data is None or len(data) > MOST_BYTES or b"\0" in data:
        return None
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def _tell_unshown(data: bytes) -> str:
    why = "too long to be shown here" if len(data) > MOST_BYTES else "no text"
    return f"It has {len(data):,} bytes, and is {why}."
