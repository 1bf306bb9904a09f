"""What accord signed, verified by the tools of Sigstore; and what they signed, by accord."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from accord.signing.base import Good
from accord.signing.keyring import KeyRing
from accord.signing.sigstore import verify_sigstore
from tests.attacks.forge import R1, place
from tests.e2e.team import AGREE, Team
from tests.keyless.instance import FOLDER, ISSUER, Instance, token_of
from tests.keyless.test_bundles import DANA, DATA, ring_of
from tests.keyless.test_round import vote

SIGSTORE = (sys.executable, "-m", "sigstore")


def run(*command: str, folder: Path, code: int = 0) -> str:
    environment = os.environ | {"no_proxy": "127.0.0.1", "HOME": str(folder)}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    printed = done.stdout + done.stderr
    assert (done.returncode != 0) == bool(code), printed
    return printed


def test_the_command_line_of_sigstore_verifies_a_vote(
    team: Team, instance: Instance, tmp_path: Path
) -> None:
    team.propose("x")
    vote(team, instance, "reviewer", AGREE)
    seal = place(team, f"{R1}/seals/reviewer.yaml")
    command = (*SIGSTORE, "--trust-config", str(instance.config), "verify", "identity")
    expected = ("--cert-identity", "reviewer@example.org", "--cert-oidc-issuer", ISSUER)
    assert "OK" in run(*command, *expected, "--offline", str(seal), folder=tmp_path)
    seal.write_bytes(seal.read_bytes() + b"\n")
    run(*command, *expected, "--offline", str(seal), folder=tmp_path, code=1)


def test_the_npm_client_verifies_a_vote(team: Team, instance: Instance, tmp_path: Path) -> None:
    team.propose("x")
    vote(team, instance, "reviewer", AGREE)
    seal = place(team, f"{R1}/seals/reviewer.yaml")
    bundle = seal.with_name(seal.name + ".sigstore.json")
    command = ("node", str(FOLDER / "verify.mjs"), str(instance.config), str(bundle), str(seal))
    assert "verified" in run(*command, "reviewer@example.org", ISSUER, folder=tmp_path)
    run(*command, "mallory@example.org", ISSUER, folder=tmp_path, code=1)


def test_accord_takes_what_the_command_line_of_sigstore_signed(
    instance: Instance, tmp_path: Path
) -> None:
    from accord.model.policy import Key
    from accord.signing.trust import Trust

    file, bundle = tmp_path / "vote.yaml", tmp_path / "vote.yaml.sigstore.json"
    file.write_bytes(DATA)
    command = (*SIGSTORE, "--trust-config", str(instance.config), "sign")
    token = ("--identity-token", token_of("dana"))
    # The command line knows people of issuers that it does not know by their subject.
    run(*command, *token, "--bundle", str(bundle), str(file), folder=tmp_path)
    ring: KeyRing = ring_of(Trust(instance.root), Key(sigstore=DANA))
    assert isinstance(verify_sigstore(DATA, bundle.read_bytes(), ring), Good)
