"""What leaves accord: nothing in it is obeyed, and a stream that is gone is nobody's fault."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from accord.errors import Exit
from accord.render.escape import disarm, disarm_json
from accord.render.sink import guarded_streams, say, write_painted, write_rendered, write_text

# What it looks like → what leaves.
LINES = {
    "GitHub": ("::error::x", r"\x3a:error::x"),
    "GitHub, indented": ("  \u3000::error file=a::x", "  \u3000\\x3a:error file=a::x"),
    "GitHub, a later line": ("a\n::stop-commands::x", "a\n\\x3a:stop-commands::x"),
    "GitHub, after an empty line": ("a\n\n\n::x", "a\n\n\n\\x3a:x"),
    "GitHub, painted": ("\x1b[1m::error::x", "\x1b[1m\\x3a:error::x"),
    "GitHub, of old": ("a ##[error]x", r"a \x23#[error]x"),
    "Azure": ("a ##vso[task.setvariable variable=a]x", r"a \x23#vso[task.setvariable variable=a]x"),
    "Azure, one sign more": ("###VSO[a]x", r"#\x23#VSO[a]x"),
    "TeamCity": ("##teamcity[a]", r"\x23#teamcity[a]"),
    "GitLab": ("section_start:15:a", r"section_start\x3a15:a"),
    "GitLab, the end": ("x section_end:15:a", r"x section_end\x3a15:a"),
    "a path in C++": ("a::b", "a::b"),
    "a place": ("a.yaml:1:2: error", "a.yaml:1:2: error"),
    "a heading": ("## [a]", "## [a]"),
    "a section in words": ("section_start: now", "section_start: now"),
}


@pytest.mark.parametrize("name", LINES)
def test_no_line_is_a_command(name: str) -> None:
    typed, shown = LINES[name]

    assert disarm(typed) == shown
    assert disarm(shown) == shown


@pytest.mark.parametrize("name", LINES)
def test_no_line_of_json_is_a_command_and_its_value_is_the_same(name: str) -> None:
    value = [LINES[name][0]]
    text = json.dumps(value)

    assert json.loads(disarm_json(text)) == value
    assert disarm(disarm_json(text)) == disarm_json(text)


def test_what_each_way_out_does(capsys: pytest.CaptureFixture[str]) -> None:
    write_text("::a\x1b\n")
    write_painted("::a\x1b[1m\n")
    write_rendered("::a\n")
    say("::a\n")

    assert capsys.readouterr() == ("\\x3a:a\\x1b\n\\x3a:a\x1b[1m\n::a\n", "\\x3a:a\n")


ACCORD = [sys.executable, "-m", "accord"]
PRINTS = {
    "a verb": (["schema", "vote"], 0),
    "help": (["--help"], 0),
    "help of a verb": (["vote", "--help"], 0),
    "the version": (["--version"], 0),
}


@pytest.mark.parametrize("name", PRINTS)
def test_a_reader_that_went_away(name: str) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as broken:
        done = subprocess.run([*ACCORD, *PRINTS[name][0]], stdout=broken, stderr=subprocess.PIPE)

    assert (done.returncode, done.stderr) == (141, b"")


def test_a_reader_that_went_away_from_errors() -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as broken:
        done = subprocess.run([*ACCORD, "vot"], stdout=broken, stderr=broken)

    assert done.returncode == Exit.USAGE


@pytest.mark.parametrize("name", PRINTS)
def test_a_full_disk(name: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*ACCORD, *PRINTS[name][0]], stdout=full, stderr=subprocess.PIPE)

    assert done.returncode == Exit.USAGE
    first, *_ = done.stderr.decode().splitlines()
    assert first == "error: standard output cannot be written: No space left on device"
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_streams_that_were_closed(closed: str, tmp_path: Path) -> None:
    """What is opened next does not take their place."""
    line = f'"$0" -m accord schema --write "$1" {closed}'
    out = tmp_path / "out"

    done = subprocess.run(["sh", "-c", line, sys.executable, str(out)], capture_output=True)

    assert done.returncode == 0
    assert done.stderr == b""
    assert all(json.loads(file.read_bytes())["title"] for file in out.iterdir())


class Broken(io.StringIO):
    def __init__(self, error: OSError, descriptor: int) -> None:
        super().__init__()
        self.error = error
        self.descriptor = descriptor

    def fileno(self) -> int:
        return self.descriptor

    def write(self, _: str) -> int:
        raise self.error


CODES = {
    "all went well": (0, 141, 2),
    "findings": (1, 141, 1),
    "usage": (2, 2, 2),
    "cannot judge": (3, 3, 3),
}


@pytest.mark.parametrize("name", CODES)
def test_the_exit_code_says_that_output_was_lost(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, gone, full = CODES[name]
    for error, expected in ((BrokenPipeError(32, "gone"), gone), (OSError(28, "full"), full)):
        with (tmp_path / "x").open("w") as file, guarded_streams() as before:
            assert before.settle(code) == code
            monkeypatch.setattr(sys, "stdout", Broken(error, file.fileno()))
            with guarded_streams() as streams:
                sys.stdout.write("a")
                sys.stdout.write("b")
                assert streams.settle(code) == expected
    told = capsys.readouterr().err
    assert ("cannot be written: full" in told) is (code < 2)
