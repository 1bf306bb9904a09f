"""Running the command of a check: the same for everybody, as far as that can be had (section 7)."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from accord.errors import UsageError
from accord.model.ids import digest_bytes

# What a command is given of the environment: enough to be found and to run, and no more, so that
# nobody's locale or time zone decides what it prints. Settings in HOME still do: a command that
# reads any (git, curl) is to be told not to.
_FIXED = {"LC_ALL": "C.UTF-8", "TZ": "UTC"}
_KEPT = ("PATH", "HOME")
_SIGNALLED = 128


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command did: its exit code, all that it printed, and where it ran."""

    exit_code: int
    output: bytes
    environment: dict[str, str]


def run_command(argv: Sequence[str], root: Path, tools: Sequence[str] = ()) -> Ran:
    """Run a command in `root` and wait for it; it is not given anything on standard input.

    `tools` are programs whose version is noted, from the first line of `TOOL --version`.
    Raises UsageError when the command, or a tool, cannot be run.
    """
    environment = _describe(argv[0], root)
    for tool in tools:
        environment[f"version of {tool}"] = _read_version(tool, root)
    done = _run(argv, root)
    code = done.returncode if done.returncode >= 0 else _SIGNALLED - done.returncode
    return Ran(code, done.stdout, environment)


def _describe(program: str, root: Path) -> dict[str, str]:
    """Where it runs: the system, what is fixed, and which program stands behind its name."""
    path = shutil.which(program, path=os.environ.get("PATH"))
    known = {"system": platform.system(), "machine": platform.machine(), **_FIXED}
    if os.sep in program:
        path = str(root / program)
    if path is not None and Path(path).is_file():
        known["program"] = digest_bytes(Path(path).read_bytes())
    return known


def _read_version(tool: str, root: Path) -> str:
    lines = _run([tool, "--version"], root).stdout.decode("utf-8", "replace").splitlines()
    told = "".join(c if c.isprintable() else " " for c in lines[0]) if lines else ""
    return told.strip()[:200] or "it tells none"


def _run(argv: Sequence[str], root: Path) -> subprocess.CompletedProcess[bytes]:
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    try:
        return subprocess.run(
            list(argv),
            cwd=root,
            env=kept | _FIXED,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"{argv[0]} cannot be run: {reason}", "say the command as here") from error
