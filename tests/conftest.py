"""Fixtures that fail closed: no test sees the outer HOME, git configuration, agent or network."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import HealthCheck, settings

from tests.support.once import keep_in
from tests.support.repos import OBJECT_FORMATS, ObjectFormat, Repo

# A law fails because it is broken, not because the machine is busy, and the same way for everybody.
# To look for more: pytest --hypothesis-profile explore. To be quick, as `make test` is: quick.
steady = settings(derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("steady", steady)
settings.register_profile("quick", steady, max_examples=30)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile("steady")

# Whoever uses these by accident must fail, also as root: nothing can be made below a device.
NOWHERE = "/dev/null/nowhere"
DISCARD = "http://127.0.0.1:9"

GIT_CONFIG = """\
[user]
	name = Some Body
	email = somebody@example.org
[init]
	defaultBranch = main
[protocol "file"]
	allow = always
[advice]
	detachedHead = false
"""

ENVIRONMENT = {
    "HOME": NOWHERE,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_ALLOW_PROTOCOL": "file",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_AUTHOR_DATE": "2026-11-30T12:00:00Z",
    "GIT_COMMITTER_DATE": "2026-11-30T12:00:00Z",
    "SSH_ASKPASS_REQUIRE": "never",
    "http_proxy": DISCARD,
    "https_proxy": DISCARD,
    "all_proxy": DISCARD,
    # Far from UTC and not by whole hours: a local time that slips in is seen.
    "TZ": "Asia/Kathmandu",
    "LC_ALL": "C.UTF-8",
}
FOREIGN = (
    "GIT_",
    "SSH_",
    "XDG_",
    "ACCORD_",
    "LC_",
    "LANG",
    "PRE_COMMIT",
    "DISPLAY",
    "GITHUB_",
    "CI",
)


@pytest.fixture(scope="session", autouse=True)
def _kept(tmp_path_factory: pytest.TempPathFactory) -> None:
    base = tmp_path_factory.getbasetemp()
    keep_in((base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "kept")


@pytest.fixture(autouse=True)
def isolation(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Replace what a process inherits; the value is the folder that stands for the user's own."""
    own = tmp_path_factory.mktemp("own")
    for name in list(os.environ):
        if name.startswith(FOREIGN):
            monkeypatch.delenv(name)
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    for kind in ("CONFIG", "STATE", "DATA", "CACHE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(own / kind.lower()))
    config = own / "gitconfig"
    config.write_text(GIT_CONFIG)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    return own


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = socket.socket.connect

    def connect_locally(self: socket.socket, address: object) -> None:
        if self.family != socket.AF_UNIX:
            _refuse(address)
        connect(self, address)  # type: ignore[arg-type]

    def _refuse(*where: object, **_: object) -> NoReturn:
        raise AssertionError(f"a test wanted to reach {where} over the network")

    monkeypatch.setattr(socket.socket, "connect", connect_locally)
    monkeypatch.setattr(socket.socket, "connect_ex", _refuse)
    monkeypatch.setattr(socket, "getaddrinfo", _refuse)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """An empty repository."""
    return Repo.init(tmp_path / "repo")


@pytest.fixture(params=OBJECT_FORMATS)
def any_repo(request: pytest.FixtureRequest, tmp_path: Path) -> Repo:
    """An empty repository, once of each object format."""
    object_format: ObjectFormat = request.param
    return Repo.init(tmp_path / "repo", object_format)
