"""The one way in and the one way out: help, errors, exit codes, colour, pipes."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import click
import pytest

from accord import __version__
from accord.cli import asking, output
from accord.cli import main as main_module
from accord.cli.main import GROUPS, VERBS, run
from accord.errors import AccordError, CannotJudge, Exit, Refused, UsageError
from accord.model.finding import Finding
from accord.render.page import Page, Span
from tests.golden import check_golden

Out = pytest.CaptureFixture[str]
ACCORD = [sys.executable, "-m", "accord"]
HEAVY = ("git", "msgspec", "jinja2", "rich", "ruamel", "_ruamel_yaml", "cryptography", "sigstore")


def test_help(capsys: Out) -> None:
    assert run(["--help"]) == 0
    check_golden("help.txt", capsys.readouterr().out)


def test_version(capsys: Out) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"accord {__version__}\n"


def test_without_a_verb_help_is_an_error(capsys: Out) -> None:
    assert run([]) == Exit.USAGE
    assert "Deciding:" in capsys.readouterr().err


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_every_verb_is_there_and_explains_itself(verb: main_module.Verb, capsys: Out) -> None:
    command = import_module(f"accord.cli.{verb.module}").command

    assert run([verb.name, "--help"]) == 0

    page = capsys.readouterr().out
    assert page.startswith(f"Usage: accord {verb.name}")
    assert f"accord {verb.name}" in page.partition("\n")[2] or isinstance(command, click.Group)
    assert verb.group in GROUPS
    assert verb.summary.endswith(".")


@pytest.mark.parametrize("arguments", [["--help"], ["--version"]], ids=" ".join)
def test_help_and_version_import_almost_nothing(arguments: list[str]) -> None:
    program = (
        "import sys, accord.cli.main as m\n"
        f"m.run({arguments})\n"
        f"sys.exit(str(sorted(set({HEAVY}) & set(sys.modules))))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    assert done.stderr == "[]\n"


USAGE = {
    "unknown verb": (["shw"], "error: there is no verb 'shw'. Did you mean 'show'?\n", "accord"),
    "unknown option": (
        ["show", "--formt", "x"],
        "error: No such option '--formt'. Did you mean '--format'?\n",
        "accord show",
    ),
    "missing argument": (["show"], "error: Missing argument 'ID'.\n", "accord show"),
    "option of the group": (["--colour"], "error: No such option '--colour'.", "accord"),
}


@pytest.mark.parametrize("name", USAGE)
def test_usage_errors_name_the_help_that_helps(name: str, capsys: Out) -> None:
    arguments, message, path = USAGE[name]

    assert run(arguments) == Exit.USAGE

    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(message)
    assert told.err.endswith(f"hint: {path} --help\n")


FINDING = Finding(code="unsigned", path="a\x1b[31m", message="no \u202esignature")
STOPS: dict[str, tuple[BaseException, int, str]] = {
    "usage": (UsageError("not here", "go there"), 2, "error: not here\nhint: go there\n"),
    "no hint": (AccordError("full"), 2, "error: full\n"),
    "cannot judge": (CannotJudge("shallow", "fetch"), 3, "error: shallow\nhint: fetch\n"),
    "escapes": (UsageError("a\x1b[2Jb\nc\u202e"), 2, "error: a\\x1b[2Jb\nc\\u202e\n"),
    "interrupt": (KeyboardInterrupt(), 130, "\nerror: interrupted\n"),
    "end of input": (EOFError(), 130, "\nerror: interrupted\n"),
    "click": (click.ClickException("odd"), 2, "error: odd\n"),
    "bug": (
        ZeroDivisionError("by\x1b zero"),
        4,
        "error: accord failed in a way it should not: ZeroDivisionError: by\\x1b zero\n"
        "hint: this is a bug in accord, nothing was judged. Please report it, with the output of"
        " the same command under ACCORD_DEBUG=1\n",
    ),
}


@pytest.fixture
def stopping(monkeypatch: pytest.MonkeyPatch) -> list[BaseException]:
    """`accord schema` raises what is put into this list."""
    stops: list[BaseException] = []

    def stop() -> NoReturn:
        raise stops[0]

    monkeypatch.setattr("accord.cli.schema.command", click.Command("schema", callback=stop))
    return stops


@pytest.mark.parametrize("name", STOPS)
def test_every_stop_has_its_exit_code(
    name: str, stopping: list[BaseException], capsys: Out
) -> None:
    stop, code, told = STOPS[name]
    stopping.append(stop)

    assert run(["schema"]) == code
    assert capsys.readouterr() == ("", told)


def test_a_refusal_reports_all_findings_on_stdout(
    stopping: list[BaseException], capsys: Out
) -> None:
    stopping.append(Refused("refused", [FINDING, FINDING], "mend"))

    assert run(["schema"]) == Exit.FINDINGS

    told = capsys.readouterr()
    assert told.out == "a\\x1b[31m: error[unsigned]: no \\u202esignature\n" * 2
    assert told.err == "error: refused\nhint: mend\n"


def test_a_traceback_is_shown_on_request_only(
    stopping: list[BaseException], capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopping.append(ZeroDivisionError("x"))
    monkeypatch.setenv("ACCORD_DEBUG", "1")

    assert run(["schema"]) == Exit.INTERNAL
    assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as broken:
        done = subprocess.run([*ACCORD, "schema", "vote"], stdout=broken, stderr=subprocess.PIPE)

    assert (done.returncode, done.stderr) == (141, b"")


def test_what_the_terminal_cannot_show_is_shown_as_a_number(tmp_path: Path) -> None:
    case = tmp_path / "case.yaml"
    case.write_text("format: accord/case/1\ntitle: Größe\nclass: {rule: unanimity}\nvoters: {}\n")
    plain = {**os.environ, "PYTHONIOENCODING": "ascii:strict"}

    done = subprocess.run([*ACCORD, "simulate", str(case)], capture_output=True, env=plain)

    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Gr\\xf6\\xdfe" in done.stdout


COLOURS = {
    "always": ("always", False, {}, True),
    "never": ("never", True, {}, False),
    "auto at a terminal": ("auto", True, {}, True),
    "auto on a pipe": ("auto", False, {}, False),
    "NO_COLOR": ("auto", True, {"NO_COLOR": "1"}, False),
    "empty NO_COLOR": ("auto", True, {"NO_COLOR": ""}, True),
    "dumb terminal": ("auto", True, {"TERM": "dumb"}, False),
}


@pytest.mark.parametrize("name", COLOURS)
def test_colour_is_for_people_who_want_it(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    choice, at_terminal, variables, painted = COLOURS[name]
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    for variable, value in variables.items():
        monkeypatch.setenv(variable, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: at_terminal)
    page = Page()
    page.line(Span("good", "good"))

    output.choose_colour(choice)  # type: ignore[arg-type]
    output.write_page(page)

    assert ("\x1b[" in capsys.readouterr().out) is painted


def test_color_is_an_option_of_the_group(capsys: Out) -> None:
    assert run(["--color", "always", "show"]) == 2
    assert run(["--color", "always", "packet", "x"]) == 2
    assert "\x1b[1;31merror:\x1b[0m" in capsys.readouterr().err


def test_on_a_pipe_nobody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False)

    for question in (
        lambda: asking.ask("Title?", "--title"),
        lambda: asking.choose("Class?", "--class", ["a"]),
        lambda: asking.confirm("Sure?", "--yes"),
    ):
        with pytest.raises(UsageError, match="nobody is here to be asked") as refused:
            question()
        assert refused.value.hint.startswith("answer with --")


def test_at_a_terminal_people_are_asked(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    answers = iter(["", "b", "y"])
    monkeypatch.setattr(asking, "is_interactive", lambda: True)
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda _: next(answers))

    assert asking.ask("Title?", "--title", default="T") == "T"
    assert asking.choose("Class?", "--class", ["a", "b"]) == "b"
    assert asking.confirm("Sure?", "--yes") is True
    assert capsys.readouterr().out == ""


def test_somebody_is_there_at_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    for stdin, stderr in ((True, True), (True, False), (False, True)):
        monkeypatch.setattr(sys.stdin, "isatty", lambda there=stdin: there)
        monkeypatch.setattr(sys.stderr, "isatty", lambda there=stderr: there)
        assert asking.is_interactive() is (stdin and stderr)


def test_notes_go_to_stderr(capsys: Out) -> None:
    output.tell("looking\x07")

    assert capsys.readouterr() == ("", "looking\\x07\n")
