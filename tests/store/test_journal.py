"""The journal: a step that was killed is taken back, and nothing else is."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from accord.errors import AccordError
from accord.store.files import write_files
from accord.store.git import Repository
from accord.store.journal import FILE, Note, journaled, take_back
from tests.support.repos import Repo

FILES = {"old.txt": b"new\n", "a/b/new.txt": b"new\n"}


class Killed(BaseException):
    """Stands for a kill: the page is put back, as if nothing had run after it."""


class Step:
    """A step in a repository that has `old.txt` alone."""

    def __init__(self, folder: Path) -> None:
        self.repo = Repo.init(folder / "repo")
        self.repo.commit({"old.txt": b"old\n"})
        self.root = self.repo.path
        self.note = Note(folder / "note", b"a digest\n")
        self.repository = Repository.discover(self.root)
        self.page = self.repository.git_dir / FILE

    def kill(self, work: Callable[[], object], *notes: Note) -> None:
        """Begin the step, and be killed when so much of its work is done."""
        with suppress(Killed), journaled(self.repository, self.root, FILES, notes):
            page = self.page.read_bytes()
            work()
            raise Killed
        self.page.write_bytes(page)

    def take_back(self) -> str:
        """Take it back; what git says of the working tree then."""
        take_back(self.repository, self.root)
        assert not self.page.exists()
        return self.repo.git("status", "--short", "--untracked-files=all")

    def write(self) -> None:
        write_files(self.root, FILES)


@pytest.fixture
def step(tmp_path: Path) -> Step:
    return Step(tmp_path)


def test_a_removal_is_taken_back(step: Step) -> None:
    gone: dict[str, bytes | None] = {"old.txt": None, "never.txt": None}
    with suppress(Killed), journaled(step.repository, step.root, gone):
        page = step.page.read_bytes()
        write_files(step.root, gone)
        raise Killed
    step.page.write_bytes(page)

    assert step.take_back() == ""
    assert (step.root / "old.txt").read_bytes() == b"old\n"


def test_a_removal_that_was_staged_stays(step: Step) -> None:
    gone: dict[str, bytes | None] = {"old.txt": None}
    with suppress(Killed), journaled(step.repository, step.root, gone):
        page = step.page.read_bytes()
        write_files(step.root, gone)
        step.repository.stage(gone)
        raise Killed
    step.page.write_bytes(page)

    assert step.take_back() == "D  old.txt"


def test_nothing_to_take_back(step: Step) -> None:
    assert step.take_back() == ""


def test_no_page_stays(step: Step) -> None:
    with journaled(step.repository, step.root, FILES):
        assert step.page.exists()
    assert not step.page.exists()
    with suppress(ValueError), journaled(step.repository, step.root, FILES):
        raise ValueError
    assert not step.page.exists()


def test_before_the_first_file(step: Step) -> None:
    step.kill(lambda: None)
    assert step.take_back() == ""


def test_between_two_files(step: Step) -> None:
    step.kill(lambda: write_files(step.root, {"a/b/new.txt": b"new\n"}))
    assert step.take_back() == ""
    assert not (step.root / "a").exists()


def test_after_the_last_file(step: Step) -> None:
    step.kill(step.write)
    assert step.take_back() == ""
    assert (step.root / "old.txt").read_bytes() == b"old\n"


def test_after_it_was_staged_it_stands(step: Step) -> None:
    def stage() -> None:
        step.write()
        step.repository.stage(FILES)

    step.kill(stage, step.note)
    step.note.path.write_bytes(step.note.data)
    assert step.take_back() == "A  a/b/new.txt\nM  old.txt"
    assert step.note.path.exists()


def test_what_was_written_beside_goes(step: Step) -> None:
    step.kill(lambda: (step.root / ".accord-0123456789abcdef.tmp").write_bytes(b"half of"))
    assert step.take_back() == ""


def test_what_somebody_wrote_since_stays(step: Step) -> None:
    step.kill(step.write)
    (step.root / "old.txt").write_bytes(b"mine\n")
    (step.root / "a/b/mine.txt").write_bytes(b"mine\n")
    assert step.take_back().split() == ["M", "old.txt", "??", "a/b/mine.txt"]


@pytest.mark.parametrize("written", [b"", b"a di", b"a digest\n"])
def test_a_note_goes_with_its_step(step: Step, written: bytes) -> None:
    step.kill(lambda: None, step.note)
    step.note.path.write_bytes(written)
    step.take_back()
    assert not step.note.path.exists()


def test_a_note_that_was_there_before_stays(step: Step) -> None:
    step.note.path.write_bytes(step.note.data)
    step.kill(lambda: None, step.note)
    step.take_back()
    assert step.note.path.exists()


def test_the_note_of_another_step_stays(step: Step) -> None:
    step.kill(lambda: None, step.note)
    step.note.path.write_bytes(b"another digest\n")
    step.take_back()
    assert step.note.path.exists()


def test_a_page_that_cannot_be_read(step: Step) -> None:
    step.page.parent.mkdir()
    step.page.write_bytes(b"{")
    with pytest.raises(AccordError, match=r"step\.json says what .* cannot be read") as told:
        step.take_back()
    assert "git status" in told.value.hint


def test_a_page_that_cannot_be_written(step: Step) -> None:
    (step.repository.git_dir / "accord").write_text("in the way")
    with (
        pytest.raises(AccordError, match="cannot be written"),
        journaled(step.repository, step.root, FILES),
    ):
        pass
