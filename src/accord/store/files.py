"""Writing into the working tree: all files of a step or none, and one accord at a time."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path, PurePosixPath

from accord.errors import AccordError, UsageError
from accord.model.ids import is_repo_path

LOCK = "accord.lock"
HOLDER = "accord.lock.holder"
BESIDE = ".accord-*.tmp"  # where files are written before they take their places
WAIT_SECONDS = 10.0

_REMEDIES = {
    errno.ENOSPC: "make room on the disk",
    errno.EDQUOT: "make room: your disk quota is used up",
    errno.EACCES: "give yourself permission to write there",
    errno.EPERM: "give yourself permission to write there",
    errno.EROFS: "the file system is mounted read-only: remount it, or work elsewhere",
}


def write_files(root: Path, files: Mapping[str, bytes | None]) -> None:
    """Write files, given by their paths below `root`: all of them, or none. None removes one.

    Everything is on the disk under other names before the first one takes its place. When
    anything fails, whatever took its place goes back, and folders that were made go away.
    Raises UsageError for a path that leads through a link, a file or out of `root`, AccordError
    when the disk refuses.
    """
    for path in files:
        _refuse_detour(root, path)
    path = ""
    # Copies of what was there, removed in any case; and what is undone unless all went well.
    with ExitStack() as copies, ExitStack() as undo:
        try:
            moves: list[tuple[Path | None, Path]] = []
            for path, data in files.items():
                target = root / path
                if data is not None:
                    _make_folders(root, target.parent, undo)
                elif not target.exists():
                    continue
                new = None if data is None else _write_beside(target, data, undo)
                moves.append((new, target))
                if target.exists():
                    undo.callback(_put_back, _copy_beside(target, copies), target)
                else:
                    undo.callback(_remove, target)
            for new, target in moves:
                path = target.relative_to(root).as_posix()
                if new is None:
                    target.unlink()
                else:
                    new.replace(target)
            for folder in {target.parent for _, target in moves}:
                _sync_folder(folder)
        except OSError as error:
            raise cannot_write(path, error) from error
        undo.pop_all()


def find_unlike(root: Path, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Those of some files that are not there below `root`, or are there with other bytes."""
    there = {path: root / path for path in files}
    return {
        path: data
        for path, data in files.items()
        if not there[path].is_file() or there[path].read_bytes() != data
    }


def write_new(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Write a file that is not there yet, to the disk. Raises OSError; then it is not there."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
    except BaseException:
        _remove(path)
        raise


def cannot_write(path: object, error: OSError) -> AccordError:
    """What an error of the operating system means to who wanted to write a file."""
    reason = os.strerror(error.errno) if error.errno else str(error)
    remedy = _REMEDIES.get(error.errno or 0, "mend that")
    return AccordError(f"{path} cannot be written: {reason}", f"{remedy}; nothing was written")


@contextmanager
def lock(common_dir: Path, holder: str, wait_seconds: float = WAIT_SECONDS) -> Iterator[None]:
    """Keep other accords from writing to this repository, in all its worktrees.

    `holder` tells them who it is, like `accord vote`. Raises AccordError that names who holds
    the lock when it is not free in time. The lock of a process that died is free.
    """
    from filelock import FileLock, Timeout

    who = common_dir / HOLDER
    waiting = FileLock(common_dir / LOCK)
    try:
        waiting.acquire(timeout=wait_seconds)
    except Timeout as error:
        with suppress(OSError):
            holder = who.read_text()
        raise AccordError(
            f"this repository is in use by {holder}", "wait until it is done, or end it"
        ) from error
    except OSError as error:
        raise cannot_write(common_dir / LOCK, error) from error
    try:
        with suppress(OSError):  # it only serves the message
            who.write_text(f"process {os.getpid()} ({holder})")
        yield
    finally:
        _remove(who)
        waiting.release()


def _refuse_detour(root: Path, path: str) -> None:
    if not is_repo_path(path):
        raise UsageError(f"{path!r} is not a path inside the repository")
    parts = [*reversed(PurePosixPath(path).parents), PurePosixPath(path)][1:]
    for part in parts:
        try:
            mode = (root / part).lstat().st_mode
        except FileNotFoundError:
            return
        except OSError as error:
            raise cannot_write(path, error) from error
        if stat.S_ISLNK(mode):
            raise UsageError(
                f"{part} is a symbolic link, and accord writes through none",
                "put a real file or folder in its place",
            )
        expected = stat.S_ISREG if part is parts[-1] else stat.S_ISDIR
        if not expected(mode):
            kind = "file" if part is parts[-1] else "folder"
            raise UsageError(f"{part} is not a {kind}", "move it away")


def _make_folders(root: Path, folder: Path, undo: ExitStack) -> None:
    missing = []
    while folder != root and not folder.is_dir():
        missing.append(folder)
        folder = folder.parent
    for each in reversed(missing):
        each.mkdir()
        undo.callback(_remove_folder, each)


def _write_beside(target: Path, data: bytes, undo: ExitStack) -> Path:
    beside = _name_beside(target)
    write_new(beside, data)
    undo.callback(_remove, beside)
    return beside


def _copy_beside(target: Path, copies: ExitStack) -> Path:
    beside = _name_beside(target)
    copies.callback(_remove, beside)
    shutil.copy2(target, beside)
    return beside


def _name_beside(target: Path) -> Path:
    return target.with_name(BESIDE.replace("*", secrets.token_hex(8)))


def _put_back(copy: Path, target: Path) -> None:
    with suppress(OSError):
        copy.replace(target)


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


def _remove_folder(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()


def _sync_folder(folder: Path) -> None:
    # Not every system can; the files themselves are on the disk already.
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
