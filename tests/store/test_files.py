"""All files or none, no way through a link, and one accord at a time."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from accord.errors import AccordError, UsageError
from accord.store.files import lock, write_files
from tests.support.privileges import as_nobody, open_folder
from tests.support.tables import table


def snapshot(root: Path) -> dict[str, bytes | None]:
    """Everything below a folder; None for what is no file."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes() if path.is_file() else None
        for path in root.rglob("*")
    }


class TestWrite:
    def test_writes_new_files_and_over_old_ones(self, tmp_path: Path) -> None:
        (tmp_path / "old").write_bytes(b"1")

        write_files(tmp_path, {"old": b"2", "a/b/c": b"\x00\r\n", "a/ü": b""})

        assert snapshot(tmp_path) == {
            "a": None,
            "a/b": None,
            "a/b/c": b"\x00\r\n",
            "a/ü": b"",
            "old": b"2",
        }

    def test_writes_nothing_when_there_is_nothing(self, tmp_path: Path) -> None:
        write_files(tmp_path, {})

        assert snapshot(tmp_path) == {}

    def test_removes_what_is_none(self, tmp_path: Path) -> None:
        (tmp_path / "a").mkdir()
        (tmp_path / "a/gone").write_bytes(b"1")

        write_files(tmp_path, {"a/gone": None, "a/never": None, "b/never": None, "new": b"2"})

        assert snapshot(tmp_path) == {"a": None, "new": b"2"}

    def test_brings_back_what_it_removed_when_the_rest_fails(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "gone").write_bytes(b"1")
        (tmp_path / "stays").write_bytes(b"2")
        unlink = Path.unlink

        def fail(path: Path, missing_ok: bool = False) -> None:
            if path.name == "stays":
                raise OSError(5, "Input/output error")
            unlink(path, missing_ok)

        monkeypatch.setattr(Path, "unlink", fail)
        with pytest.raises(AccordError, match="stays cannot be written"):
            write_files(tmp_path, {"gone": None, "stays": None})

        assert snapshot(tmp_path) == {"gone": b"1", "stays": b"2"}

    def test_others_may_read_what_the_mask_lets_them(self, tmp_path: Path) -> None:
        mask = os.umask(0o027)
        try:
            write_files(tmp_path, {"a": b"1"})
        finally:
            os.umask(mask)

        assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640

    @pytest.mark.parametrize(
        "path", ["link/a", "deep/link/x/a", "link", "dangling", "deep/to-file", "to-folder"]
    )
    def test_writes_through_no_link(self, tmp_path: Path, path: str) -> None:
        root = tmp_path / "root"
        outside = tmp_path / "outside"
        (root / "deep").mkdir(parents=True)
        (outside / "x").mkdir(parents=True)
        (outside / "file").write_bytes(b"kept")
        for name, target in {
            "link": outside,
            "deep/link": outside,
            "dangling": outside / "nothing",
            "deep/to-file": outside / "file",
            "to-folder": root / "deep",
        }.items():
            (root / name).symlink_to(target)
        before = snapshot(tmp_path)

        with pytest.raises(UsageError, match="symbolic link"):
            write_files(root, {"fine": b"1", path: b"1"})

        assert snapshot(tmp_path) == before

    @table(
        ("path", "reason"),
        {
            "a-folder": ("folder", "is not a file"),
            "through-a-file": ("file/a", "is not a folder"),
            "a-pipe": ("pipe", "is not a file"),
            "absolute": ("/etc/accord", "not a path inside"),
            "upwards": ("folder/../../x", "not a path inside"),
            "the-root": (".", "not a path inside"),
            "nul": ("a\0b", "not a path inside"),
        },
    )
    def test_refuses_what_is_no_place_for_a_file(
        self, tmp_path: Path, path: str, reason: str
    ) -> None:
        (tmp_path / "folder").mkdir()
        (tmp_path / "file").write_bytes(b"kept")
        os.mkfifo(tmp_path / "pipe")
        before = snapshot(tmp_path)

        with pytest.raises(UsageError, match=reason):
            write_files(tmp_path, {"fine": b"1", path: b"1"})

        assert snapshot(tmp_path) == before

    def test_undoes_everything_when_one_cannot_take_its_place(self, tmp_path: Path) -> None:
        (tmp_path / "old").write_bytes(b"1")
        (tmp_path / "old").chmod(0o604)
        (tmp_path / "here").mkdir()
        before = snapshot(tmp_path)
        files = {
            "old": b"2",
            "new/deep/z": b"1",
            "here/x": b"1",
            "a/b": b"a file where the next one needs a folder",
            "a/b/c": b"1",
        }

        with pytest.raises(AccordError, match="a/b cannot be written: Is a directory") as failed:
            write_files(tmp_path, files)

        assert "nothing was written" in failed.value.hint
        assert snapshot(tmp_path) == before
        assert (tmp_path / "old").stat().st_mode & 0o777 == 0o604

    def test_leaves_nothing_half_written(self, tmp_path: Path) -> None:
        """The limit of a file's size makes a write fail in its middle, as a full disk does."""
        (tmp_path / "old").write_bytes(b"1")
        before = snapshot(tmp_path)
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
        try:
            with pytest.raises(AccordError, match="new/large cannot be written: File too large"):
                write_files(tmp_path, {"old": b"2", "small": b"1", "new/large": b"x" * 200_000})
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)

        assert snapshot(tmp_path) == before

    def test_a_full_disk(self, tmp_path: Path) -> None:
        program = (
            "from pathlib import Path\n"
            "from accord.errors import AccordError\n"
            "from accord.store.files import write_files\n"
            "Path('old').write_bytes(b'1')\n"
            "try: write_files(Path.cwd(), {'old': b'2', 'new/large': b'x' * 900_000})\n"
            "except AccordError as error: print(error.message, error.hint, sep='\\n')\n"
            "print(*Path.cwd().rglob('*'), Path('old').read_text())\n"
        )
        mount = f'mount -t tmpfs -o size=64k none "{tmp_path}" && cd "{tmp_path}" && "$@"'
        command = ["unshare", "-rm", "sh", "-c", mount, "sh", sys.executable, "-c", program]
        allowed = (
            shutil.which("unshare")
            and not subprocess.run(
                [*command[:5], "true"], capture_output=True, check=False
            ).returncode
        )
        if not allowed:
            pytest.skip("no small disk can be mounted here")

        done = subprocess.run(command, capture_output=True, text=True, check=True)

        assert done.stdout.splitlines() == [
            "new/large cannot be written: No space left on device",
            "make room on the disk; nothing was written",
            f"{tmp_path}/old 1",
        ]

    @pytest.mark.parametrize("path", ["closed/a", "closed/new/a", "closed/old"])
    def test_a_folder_that_is_closed(self, path: str) -> None:
        with open_folder() as root:
            (root / "closed").mkdir()
            (root / "closed/old").write_bytes(b"1")
            (root / "open").mkdir(mode=0o777)
            (root / "closed").chmod(0o555)
            (root / "open").chmod(0o777)
            before = snapshot(root)

            with as_nobody(), pytest.raises(AccordError, match=path) as failed:
                write_files(root, {"open/fine": b"1", path: b"2"})

            assert "Permission denied" in failed.value.message
            assert "give yourself permission" in failed.value.hint
            assert snapshot(root) == before

    def test_a_folder_that_cannot_be_looked_into(self) -> None:
        with open_folder() as root:
            (root / "hidden").mkdir()
            (root / "hidden").chmod(0)

            with as_nobody(), pytest.raises(AccordError, match="hidden/a cannot be written"):
                write_files(root, {"hidden/a": b"1"})


HOLD = (
    "import sys\n"
    "from pathlib import Path\n"
    "from accord.store.files import lock\n"
    "with lock(Path(sys.argv[1]), 'accord vote'):\n"
    "    print('held', flush=True)\n"
    "    sys.stdin.read()\n"
)


def hold(folder: Path) -> subprocess.Popen[str]:
    """Another process that holds the lock until its standard input ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


class TestLock:
    def test_names_who_holds_it(self, tmp_path: Path) -> None:
        with hold(tmp_path) as other:
            with (
                pytest.raises(AccordError, match=f"by process {other.pid} .accord vote.") as busy,
                lock(tmp_path, "accord open", wait_seconds=0.05),
            ):
                pytest.fail("two had the lock")
            assert "wait" in busy.value.hint

        with lock(tmp_path, "accord open", wait_seconds=0):
            pass

    def test_of_a_process_that_died_is_free(self, tmp_path: Path) -> None:
        with hold(tmp_path) as other:
            other.kill()

        with lock(tmp_path, "accord open", wait_seconds=0):
            assert f"process {os.getpid()}" in (tmp_path / "accord.lock.holder").read_text()

        assert not (tmp_path / "accord.lock.holder").exists()

    def test_is_released_by_an_error(self, tmp_path: Path) -> None:
        with pytest.raises(KeyError), lock(tmp_path, "accord open"):
            raise KeyError

        with lock(tmp_path, "accord open", wait_seconds=0):
            pass

    def test_needs_a_place(self) -> None:
        with (
            pytest.raises(AccordError, match="cannot be written"),
            lock(Path("/dev/null/x"), "accord open", wait_seconds=0),
        ):
            pytest.fail("there is nothing to lock")
