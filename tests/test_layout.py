"""The house rules that import-linter and ruff cannot say (docs/architecture.md)."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "accord"
FILES = sorted(SOURCE.rglob("*.py"))

MAX_LINES = 400
NO_ROOMS = {"util", "helper", "common", "misc", "manager", "service"}

# What may be imported by one file alone. A name covers its submodules.
SOLE_IMPORTERS = {
    "git": "store/git_command.py",
    "ruamel": "store/reader.py",
    "_ruamel_yaml": "store/reader.py",
    "sigstore": "signing/sigstore.py",
    "detect_secrets": "flow/secrets.py",
}

# What `accord --version` must not pay for: each is imported by the command that needs it.
HEAVY = (
    "git",
    "sigstore",
    "detect_secrets",
    "requests",
    "jinja2",
    "rich",
    "cryptography",
    "pre_commit",
)


def name_of(file: Path) -> str:
    return file.relative_to(SOURCE).as_posix()


def find_imports(tree: ast.AST) -> Iterator[str]:
    """The modules that a file imports anywhere, inside functions and by `import_module` too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
        elif isinstance(node, ast.Call) and "import" in ast.unparse(node.func):
            yield from (str(arg.value) for arg in node.args if isinstance(arg, ast.Constant))


def find_importers(module: str) -> set[str]:
    return {
        name_of(file)
        for file in FILES
        for imported in find_imports(ast.parse(file.read_text()))
        if imported == module or imported.startswith(module + ".")
    }


def find_callers(name: str) -> set[str]:
    """The files that call `name`, also as `module.name` and as `name[T]`."""
    callers = set()
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text())):
            if not isinstance(node, ast.Call):
                continue
            called = node.func.value if isinstance(node.func, ast.Subscript) else node.func
            if (isinstance(called, ast.Name) and called.id == name) or (
                isinstance(called, ast.Attribute) and called.attr == name
            ):
                callers.add(name_of(file))
    return callers


def test_there_is_something_to_look_at() -> None:
    assert len(FILES) > 20


def test_no_file_is_longer_than_a_reader_is_patient() -> None:
    lengths = {name_of(file): len(file.read_text().splitlines()) for file in FILES}

    assert {name: lines for name, lines in lengths.items() if lines > MAX_LINES} == {}


def test_every_room_has_a_name_that_says_what_is_in_it() -> None:
    names = {part for file in FILES for part in file.relative_to(SOURCE).with_suffix("").parts}

    assert {name for name in names if name.removesuffix("s") in NO_ROOMS} == set()


@pytest.mark.parametrize(("module", "importer"), SOLE_IMPORTERS.items(), ids=SOLE_IMPORTERS)
def test_one_file_alone_imports(module: str, importer: str) -> None:
    assert find_importers(module) <= {importer}


def test_only_authenticate_says_who_signed() -> None:
    assert find_callers("Authenticated") == {"signing/authenticate.py"}


def test_one_file_alone_writes_to_standard_streams() -> None:
    """It escapes. The worker answers the accord that started it, in bytes."""
    named = {
        name_of(file)
        for file in FILES
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Attribute) and node.attr in ("write", "buffer")
        if ast.unparse(node.value) in ("sys.stdout", "sys.stderr")
    }

    assert named == {"render/sink.py", "verify/worker.py"}
    assert find_callers("print") | find_callers("echo") | find_callers("secho") == set()


def test_imports_are_absolute() -> None:
    relative = {
        name_of(file)
        for file in FILES
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.ImportFrom) and node.level
    }

    assert relative == set()


def test_every_file_says_what_it_is_for() -> None:
    silent = {name_of(file) for file in FILES if not ast.get_docstring(ast.parse(file.read_text()))}

    assert silent == set()


def test_the_command_line_starts_without_what_most_commands_do_not_need() -> None:
    program = f"import sys, accord.cli.main\nprint(*sorted(set(sys.modules) & {set(HEAVY)!r}))"
    started = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert started.stdout.split() == []
