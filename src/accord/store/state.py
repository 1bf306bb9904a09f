"""What this user keeps outside the repository: sealed votes, and a journal of what was signed.

It stands in `$XDG_STATE_HOME/accord/<project>/`, for its owner alone (section 4). Sealed votes
may be kept elsewhere (`--keep DIR`), and never in the repository.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal, NamedTuple

from accord.errors import AccordError, UsageError
from accord.model.ids import digest_bytes
from accord.store.files import cannot_write, write_new
from accord.store.journal import Note

SignedOnce = Literal["round", "seal", "vote"]

_FILE_MODE = 0o600
_FOLDER_MODE = 0o700


class Slot(NamedTuple):
    """The one place that a voter has in a round; `member` is "" for the ballot itself."""

    decision: str
    round: int
    member: str = ""

    def __str__(self) -> str:
        whose = f" of {self.member}" if self.member else ""
        return f"{whose} in round {self.round} of {self.decision}".lstrip()


class State:
    """The state of one user for one project."""

    def __init__(self, directory: Path, votes: Path) -> None:
        self.directory = directory
        self._votes = votes

    @classmethod
    def of_project(cls, project: str, outside: Iterable[Path], keep: Path | None = None) -> State:
        """The state for a project; `keep` is where its sealed votes are kept instead.

        `outside` are the folders of the repository. Raises UsageError when the state would be
        in one of them, AccordError when it belongs to somebody else.
        """
        directory = _find_state_home() / "accord" / project
        votes = directory / "votes" if keep is None else keep / project
        for repository in outside:
            for folder in (directory, votes):
                if folder.resolve().is_relative_to(repository.resolve()):
                    raise UsageError(
                        f"sealed votes may not be kept in the repository: {folder}",
                        "set XDG_STATE_HOME, or --keep, to a folder outside of it",
                    )
        _require_own(directory)
        return cls(directory, votes)

    @classmethod
    def find_of_project(cls, project: str) -> State | None:
        """The state for a project as it is; None where nothing was ever kept. Makes no folder."""
        directory = _find_state_home() / "accord" / project
        return cls(directory, directory / "votes") if directory.is_dir() else None

    def keep_vote(self, slot: Slot, data: bytes) -> None:
        """Keep a sealed vote until it is opened. It is on the disk when this returns."""
        path = self._vote_path(slot, digest_bytes(data))
        try:
            _write_once(path, data)
        except _Taken:
            # Not what its name says: the machine went down while it was written.
            path.unlink()
            _write_once(path, data)

    def find_vote(self, slot: Slot, digest: str) -> bytes | None:
        """The kept vote of which a seal holds the digest; None when it is not here."""
        try:
            data = self._vote_path(slot, digest).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise AccordError(
                f"the sealed vote {slot} cannot be read: {error}", "mend that and repeat"
            ) from error
        return data if digest_bytes(data) == digest else None

    def find_damaged(self, slot: Slot, digest: str) -> Path | None:
        """Where a kept vote stands that is not as it was sealed; None if it is, or is not here."""
        path = self._vote_path(slot, digest)
        return path if path.is_file() and self.find_vote(slot, digest) is None else None

    def load_vote(self, slot: Slot, digest: str) -> bytes:
        """The kept vote of which a seal holds the digest. Raises AccordError when it is lost."""
        data = self.find_vote(slot, digest)
        if data is None:
            raise AccordError(
                f"the sealed vote {slot} is not here, or not as it was sealed:"
                f" {self._vote_path(slot, digest)}",
                "open it where it was sealed: as that user, on that machine, with that --keep;"
                " if it is lost, the authority closes the round",
            )
        return data

    def forget_vote(self, slot: Slot, digest: str) -> None:
        """Remove a kept vote that has been opened."""
        with suppress(OSError):
            self._vote_path(slot, digest).unlink()

    def note(self, kind: SignedOnce, slot: Slot, digest: str) -> Note:
        """Where it is noted that something was signed, and how."""
        name = f"{kind}.{slot.member}" if slot.member else kind
        path = self.directory / "signed" / slot.decision / str(slot.round) / name
        return Note(path, f"{digest}\n".encode())

    @contextmanager
    def sign_once(self, kind: SignedOnce, slot: Slot, digest: str) -> Iterator[None]:
        """Note that this is being signed; nothing else of its kind may be for this place.

        The note is taken back when the body fails. Raises UsageError when something else was
        signed before; the same file again is no other.
        """
        path, data = self.note(kind, slot, digest)
        try:
            made = _write_once(path, data)
        except _Taken as error:
            raise UsageError(
                f"another {kind} {slot} was signed here before",
                "two that differ are equivocation, and none of them counts; only if the first"
                f" was never shown to anybody, remove {path}",
            ) from error
        try:
            yield
        except BaseException:
            if made:
                path.unlink(missing_ok=True)
            raise

    def remember_seals(self, slot: Slot, seals: Mapping[str, str]) -> None:
        """Note which seals a voter saw before opening its own vote: voter → digest.

        The first look counts: what is there already stays.
        """
        with suppress(_Taken):
            _write_once(self._seals_path(slot), json.dumps(dict(seals)).encode())

    def find_seals(self, slot: Slot) -> dict[str, str] | None:
        """The seals that a voter saw before opening its own vote; None when nothing is known."""
        try:
            seen: object = json.loads(self._seals_path(slot).read_bytes())
        except (OSError, ValueError):
            return None
        return seen if isinstance(seen, dict) else None

    def _vote_path(self, slot: Slot, digest: str) -> Path:
        # By its digest: an attempt that failed is never in the way of the next.
        name = f"{slot.member}.{digest.removeprefix('sha256:')}.yaml"
        return self._votes / slot.decision / str(slot.round) / name

    def _seals_path(self, slot: Slot) -> Path:
        return self.directory / "seals" / slot.decision / str(slot.round) / f"{slot.member}.json"


class _Taken(Exception):
    """Something else stands where a file was to be written once."""


def _write_once(path: Path, data: bytes) -> bool:
    """Write a file; whether it is new. Raises _Taken when it is there with other bytes."""
    try:
        _make_folders(path.parent)
        try:
            write_new(path, data, _FILE_MODE)
        except FileExistsError:
            if path.read_bytes() != data:
                raise _Taken from None
            return False
    except OSError as error:
        raise cannot_write(path, error) from error
    return True


def _find_state_home() -> Path:
    named = os.environ.get("XDG_STATE_HOME", "")
    if Path(named).is_absolute():  # the XDG specification: others are ignored
        return Path(named)
    try:
        return Path.home() / ".local/state"
    except RuntimeError as error:
        raise AccordError("you have no home directory", "set XDG_STATE_HOME") from error


def _require_own(directory: Path) -> None:
    """Nobody else may read or plant votes here: the folder is ours, and closed to others."""
    try:
        _make_folders(directory)
        status = directory.stat()
        if status.st_uid != os.geteuid():
            raise AccordError(
                f"{directory} belongs to another user", "set XDG_STATE_HOME to a folder of yours"
            )
        directory.chmod(_FOLDER_MODE)
    except OSError as error:
        raise cannot_write(directory, error) from error


def _make_folders(folder: Path) -> None:
    for each in [*reversed(folder.parents), folder]:
        if not each.is_dir():
            each.mkdir(_FOLDER_MODE, exist_ok=True)
