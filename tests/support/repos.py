"""Real git repositories in temporary folders."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

ObjectFormat = Literal["sha1", "sha256"]
OBJECT_FORMATS: tuple[ObjectFormat, ...] = ("sha1", "sha256")


@dataclass(frozen=True)
class Repo:
    """A repository and its working tree, driven by plain git."""

    path: Path

    @classmethod
    def init(cls, path: Path, object_format: ObjectFormat = "sha1", *options: str) -> Repo:
        """Make an empty repository; `options` are those of `git init`."""
        path.mkdir(parents=True, exist_ok=True)
        repo = cls(path)
        repo.git("init", "--quiet", f"--object-format={object_format}", *options)
        return repo

    @classmethod
    def clone(cls, source: Repo, path: Path, *options: str) -> Repo:
        """Clone over the file protocol, so that depth and filters hold."""
        subprocess.run(
            ["git", "clone", "--quiet", *options, source.path.as_uri(), str(path)],
            check=True,
            capture_output=True,
        )
        return cls(path)

    def git(self, *arguments: str, data: bytes = b"") -> str:
        """Run git; its standard output without the last newline. Fails on any error."""
        done = subprocess.run(
            ["git", *arguments], cwd=self.path, input=data, capture_output=True, check=False
        )
        if done.returncode:
            raise AssertionError(f"git {' '.join(arguments)}: {done.stderr.decode()}")
        return done.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")

    def write(self, files: Mapping[str, bytes | str]) -> None:
        """Write files into the working tree."""
        for name, content in files.items():
            path = self.path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)

    def add(self, files: Mapping[str, bytes | str]) -> None:
        """Write files and stage them."""
        self.write(files)
        self.git("--literal-pathspecs", "add", "--", *files)

    def commit(self, files: Mapping[str, bytes | str], message: str = "a step") -> str:
        """Write files, stage and commit them with whatever is staged; the commit id."""
        if files:
            self.add(files)
        self.git("commit", "--quiet", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")

    def blob(self, data: bytes) -> str:
        """Store a blob as it is; its id."""
        return self.git("hash-object", "-w", "--stdin", "--no-filters", data=data)

    def stage_entry(self, mode: str, oid: str, path: str) -> None:
        """Put an entry of any mode into the index."""
        line = f"{mode} {oid}\t{path}".encode("utf-8", "surrogateescape") + b"\0"
        self.git("update-index", "-z", "--index-info", data=line)

    def hook(self, name: str, script: str) -> Path:
        """Install a hook; the file it may write to is given back."""
        folder = Path(self.git("rev-parse", "--path-format=absolute", "--git-path", "hooks"))
        folder.mkdir(exist_ok=True)
        file = folder / name
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)
        return file
