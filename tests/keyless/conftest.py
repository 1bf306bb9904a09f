"""Instances of Sigstore, and a team some of whose members have no key."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from accord.model.ids import digest_bytes
from tests.attacks.forge import commit, edit_policy
from tests.e2e.team import Team, make_team
from tests.keyless.instance import ISSUER, Instance, Running, need_node
from tests.support.keys import FixedKey

_CONNECT = socket.socket.connect
_LOOK_UP = socket.getaddrinfo


@pytest.fixture(scope="session")
def instance(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instance]:
    """The Sigstore of the project."""
    need_node()
    running = Running(tmp_path_factory.mktemp("sigstore"))
    yield running.instance
    running.stop()


@pytest.fixture(scope="session")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instance]:
    """Somebody else's."""
    need_node()
    running = Running(tmp_path_factory.mktemp("stranger"))
    yield running.instance
    running.stop()


@contextmanager
def online() -> Iterator[None]:
    """Loopback can be reached while this lasts, and nothing else; else nothing can."""

    def connect(self: socket.socket, address: tuple[str, int]) -> None:
        assert address[0] == "127.0.0.1"
        _CONNECT(self, address)

    def look_up(host: str, *arguments: object, **options: object) -> object:
        assert host == "127.0.0.1"
        return _LOOK_UP(host, *arguments, **options)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(socket.socket, "connect", connect)
        patched.setattr(socket, "getaddrinfo", look_up)
        patched.setenv("no_proxy", "127.0.0.1")
        yield


def use_identity(team: Team, member: str, *claims: str, beside: bool = False) -> None:
    """The policy names an identity instead of the member's key, or beside it."""
    line = f"      - ssh: {FixedKey(member).line}\n"
    entry = [
        "      - sigstore:\n",
        f"          identity: {member}@example.org\n",
        f"          issuer: {ISSUER}\n",
        *(f"          {claim}\n" for claim in claims),
    ]
    edit_policy(team, (line, (line if beside else "") + "".join(entry)))


@pytest.fixture
def team(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    instance: Instance,
) -> Team:
    """A team whose reviewer and decider sign with accounts; the policy pins the trust root."""
    team = make_team(tmp_path, capsys, monkeypatch)
    team.repo.git("switch", "-q", "main")
    for member in ("reviewer", "dana"):
        use_identity(team, member)
        team.repo.git("config", "--unset", f"accord.{member}.key")
    pin(team, instance)
    commit(team, "accounts instead of keys")
    team.repo.git("branch", "-f", "work", "main")
    team.repo.git("switch", "-q", "work")
    return team


def pin(team: Team, instance: Instance) -> None:
    root = team.decisions / "trusted_root.json"
    root.write_bytes(instance.root)
    policy = team.decisions / "policy.yaml"
    text = policy.read_text().partition("trusted_root:")[0]
    digest = digest_bytes(instance.root)
    pinned = f"trusted_root:\n  path: decisions/trusted_root.json\n  digest: {digest}\n"
    policy.write_text(text + pinned)
