"""Hooks for people without pre-commit: put where git looks for them, never over others."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from accord.bundle import read_bundled
from accord.errors import UsageError
from accord.store.files import cannot_write
from accord.store.git import Repository

# Stage → the hook that its file in hooks/ runs. `accord-generate` writes files: it is asked for.
_AT_WORK = {
    "commit-msg": "accord-commit-msg",
    "pre-commit": "accord-verify",
    "pre-merge-commit": "accord-verify",
    "pre-push": "accord-range",
}
# A bare repository is one that others push to.
_ON_A_SERVER = {"pre-receive": "accord-receive"}
# What goes into a hook that is there, where the stage asks for more than its arguments.
_LINES = {
    "pre-receive": "accord hook run {hook} || exit  # the first that reads standard input",
}


@dataclass(frozen=True, slots=True)
class Installed:
    """What was written, what ran accord already, and hooks of others: path → the line to add."""

    written: list[Path] = field(default_factory=list)
    there: list[Path] = field(default_factory=list)
    taken: dict[Path, str] = field(default_factory=dict)


def install_hooks(repository: Repository) -> Installed:
    """Write the hooks of all stages: those of a developer, or, in a bare repository, of a server.

    Raises UsageError when git looks for hooks outside of this repository: others use those too.
    """
    folder = _find_folder(repository)
    installed = Installed()
    stages = _AT_WORK if repository.root is not None else _ON_A_SERVER
    for stage, hook in sorted(stages.items()):
        line = _LINES.get(stage, 'accord hook run {hook} "$@"').format(hook=hook)
        path = folder / stage
        if path.is_symlink() or path.exists():
            text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
            if f"accord hook run {hook}" in text:
                installed.there.append(path)
            else:
                installed.taken[path] = line
            continue
        _write(path, read_bundled("hooks", stage))
        installed.written.append(path)
    return installed


def _find_folder(repository: Repository) -> Path:
    answer = repository.reading.ask("rev-parse", "--path-format=absolute", "--git-path", "hooks")
    folder = Path(answer.text)
    inside = [repository.common_dir, *([repository.root] if repository.root else [])]
    if not any(folder.is_relative_to(one) for one in inside):
        raise UsageError(
            f"git looks for hooks in {folder}, which other repositories use too",
            "set core.hooksPath for this repository, or add there what `accord hook list` lists",
        )
    return folder


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Exclusive: what appeared meanwhile is not written over.
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
        path.chmod(0o755)
    except OSError as error:
        raise cannot_write(path, error) from error
