"""A Sigstore on loopback (tests/support/sigstore), and the tokens that it takes."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[1] / "support" / "sigstore"
# Set where a test that is skipped would be a test that was forgotten.
NEEDED = "TESTS_NEED_SIGSTORE" in os.environ
ISSUER = "https://accounts.example.org"


@dataclass(frozen=True)
class Instance:
    """A running instance: its client trust config."""

    config: Path

    @property
    def root(self) -> bytes:
        """Its trusted root, as a policy pins it."""
        return json.dumps(json.loads(self.config.read_text())["trustedRoot"]).encode()


class Running:
    """The server as a process; it ends with its standard input."""

    def __init__(self, folder: Path) -> None:
        self.instance = Instance(folder / "config.json")
        self._process = subprocess.Popen(
            ["node", str(FOLDER / "server.mjs"), str(self.instance.config)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n"

    def stop(self) -> None:
        self._process.communicate()


def need_node() -> None:
    """Skip where there is no Node or its packages, unless the tests were told that there is."""
    missing = None
    if shutil.which("node") is None:
        missing = "Node.js is not there"
    elif not (FOLDER / "node_modules").is_dir():
        missing = f"npm ci was not run in {FOLDER.relative_to(FOLDER.parents[2])}"
    if missing and NEEDED:
        pytest.fail(missing)
    if missing:
        pytest.skip(f"no local Sigstore: {missing}")


def make_token(*, lifetime: int = 300, **claims: Any) -> str:
    """A token that nobody signed: the mock takes it, as Fulcio would one of its issuers."""
    now = int(time.time())
    body = {
        "aud": "sigstore",
        "iss": ISSUER,
        "sub": "somebody",
        "iat": now - 10,
        "nbf": now - 10,
        "exp": now + lifetime,
        **claims,
    }
    return f"{_encode({'alg': 'none'})}.{_encode(body)}.c2lnbmF0dXJl"


def token_of(member: str, lifetime: int = 300) -> str:
    """The token of a person, whom the issuer knows by an address."""
    address = f"{member}@example.org"
    return make_token(lifetime=lifetime, sub=address, email=address, email_verified=True)


def _encode(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")
