"""The fixtures of conftest.py refuse what no test may touch."""

from __future__ import annotations

import os
import socket
import subprocess
from pathlib import Path

import pytest


def test_nothing_can_be_written_below_home() -> None:
    with pytest.raises(OSError, match="Not a directory"):
        (Path.home() / ".ssh").mkdir(parents=True)


def test_no_connection_leaves_the_machine() -> None:
    with (
        socket.socket(socket.AF_INET, socket.SOCK_STREAM) as plug,
        pytest.raises(AssertionError, match="over the network"),
    ):
        plug.connect(("127.0.0.1", 9))
    with pytest.raises(AssertionError, match="over the network"):
        socket.create_connection(("example.org", 443))


def test_git_sees_only_the_configuration_of_the_tests(isolation: Path) -> None:
    origins = subprocess.run(
        ["git", "config", "--list", "--show-origin", "--name-only"],
        capture_output=True,
        text=True,
        check=True,
        cwd=isolation,
    ).stdout

    assert {line.split("\t")[0] for line in origins.splitlines()} == {f"file:{isolation}/gitconfig"}


def test_no_agent_and_no_foreign_git_variable_is_inherited() -> None:
    assert "SSH_AUTH_SOCK" not in os.environ
    assert "GIT_DIR" not in os.environ
    assert "GIT_INDEX_FILE" not in os.environ
