"""What a step is about to write, kept until it is staged: one that was killed is taken back.

Files of a step take their places one after another. Who is killed between two of them leaves some
of them, which no command made and none would write over. So the git directory first gets a page
that says what will be written and what stood there. The next accord that wants to write finds it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from accord.errors import AccordError
from accord.model.ids import digest_bytes
from accord.store.files import BESIDE, cannot_write, write_files, write_new
from accord.store.git import Repository
from accord.store.tree import blob_id

FILE = Path("accord", "step.json")


class Note(NamedTuple):
    """A file outside of the repository that is written with a step, and goes with it."""

    path: Path
    data: bytes


class _File(msgspec.Struct, frozen=True):
    """What stood at a path, None if nothing, and the digest of what will, None if nothing."""

    old: bytes | None
    new: str | None


class _Page(msgspec.Struct, frozen=True):
    """A step: its files, the folders that it makes, the notes that it makes."""

    files: dict[str, _File]
    folders: list[str]
    notes: dict[str, bytes]


@contextmanager
def journaled(
    repository: Repository,
    root: Path,
    files: Mapping[str, bytes | None],
    notes: Iterable[Note] = (),
) -> Iterator[None]:
    """While this lasts a kill can be undone; however it ends otherwise, nothing is kept.

    `files` maps paths below `root` to what they will hold, None for nothing. Raises AccordError
    when the page cannot be written.
    """
    file = repository.git_dir / FILE
    page = _Page(
        files={
            path: _File(_read(root / path), None if data is None else digest_bytes(data))
            for path, data in files.items()
        },
        folders=_find_missing(root, [path for path, data in files.items() if data is not None]),
        notes={str(note.path): note.data for note in notes if not note.path.exists()},
    )
    try:
        file.parent.mkdir(exist_ok=True)
        beside = file.with_name(f"{file.name}.{os.getpid()}")
        beside.unlink(missing_ok=True)
        write_new(beside, msgspec.json.encode(page), 0o600)
        beside.replace(file)
    except OSError as error:
        raise cannot_write(file, error) from error
    try:
        yield
    finally:
        file.unlink(missing_ok=True)


def take_back(repository: Repository, root: Path) -> None:
    """Undo a step that was killed before it was staged; the lock of this repository is held.

    What somebody changed since then stays. Raises AccordError when the disk refuses, or the page
    is not as it was written.
    """
    file = repository.git_dir / FILE
    text = _read(file)
    if text is None:
        return
    try:
        page = msgspec.json.decode(text, type=_Page)
    except msgspec.MsgspecError as error:
        raise AccordError(
            f"{file} says what an accord that was killed had begun, and cannot be read: {error}",
            "see what `git status` shows below decisions/, then remove that file",
        ) from error
    try:
        if not _is_staged(repository, root, page):
            _restore(root, page)
        file.unlink()
    except OSError as error:
        raise cannot_write(file, error) from error


def _is_staged(repository: Repository, root: Path, page: _Page) -> bool:
    """Whether the step came to its end: git stages all of it at once."""
    index = repository.index()
    for path, file in page.files.items():
        data, entry = _read(root / path), index.find(path)
        if (None if data is None else digest_bytes(data)) != file.new:
            return False
        oid = None if data is None else blob_id(data, repository.object_format)
        if oid != (entry.oid if entry else None):
            return False
    return True


def _restore(root: Path, page: _Page) -> None:
    for path, file in page.files.items():
        target = root / path
        for left in target.parent.glob(BESIDE):
            left.unlink()
        if _digest(target) == file.new and file.old is None:
            target.unlink(missing_ok=True)
    changed = (path for path, file in page.files.items() if _digest(root / path) == file.new)
    write_files(root, {path: old for path in changed if (old := page.files[path].old) is not None})
    for folder in page.folders:
        with suppress(OSError):  # somebody put something there
            (root / folder).rmdir()
    for name, data in page.notes.items():
        written = _read(Path(name))
        if written is not None and data.startswith(written):  # maybe not to its end
            Path(name).unlink()


def _find_missing(root: Path, files: Iterable[str]) -> list[str]:
    """The folders that are made for these files, the deepest first."""
    missing = set()
    for path in files:
        folder = (root / path).parent
        while folder != root and not folder.exists():
            missing.add(folder.relative_to(root).as_posix())
            folder = folder.parent
    return sorted(missing, key=len, reverse=True)


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _digest(path: Path) -> str | None:
    data = _read(path)
    return None if data is None else digest_bytes(data)
