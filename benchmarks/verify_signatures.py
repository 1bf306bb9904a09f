"""Verifying SSH signatures in process, against `ssh-keygen -Y verify` in a loop (section 13)."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from accord.model.policy import Key, Member, Policy
from accord.signing.base import Good
from accord.signing.keyring import KeyRing, allowed_signers
from accord.signing.ssh import verify_ssh
from accord.signing.ssh_keygen import generate_key

DATA = b"format: accord/vote/1\n" * 50


def mean_milliseconds(action: Callable[[], object], times: int) -> float:
    """The mean duration of an action."""
    start = time.perf_counter()
    for _ in range(times):
        action()
    return (time.perf_counter() - start) / times * 1000


def main() -> None:
    """Print both durations and their ratio."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        public = generate_key(folder / "key", "voter")
        sign = ["ssh-keygen", "-Y", "sign", "-q", "-f", str(folder / "key"), "-n", "accord"]
        signature = subprocess.run(sign, input=DATA, capture_output=True, check=True).stdout
        (folder / "sig").write_bytes(signature)
        member = Member(kind="agent", roles=("voter",), keys=(Key(ssh=public.line),))
        policy = Policy(project="0" * 32, serial=1, members={"voter": member}, classes={})
        (folder / "allowed").write_text(allowed_signers(policy))
        ring = KeyRing.from_policy(policy)
        if not isinstance(verify_ssh(DATA, signature, ring), Good):
            sys.exit("the signature is not good: nothing was measured")
        verify = ["ssh-keygen", "-Y", "verify", "-f", str(folder / "allowed"), "-I", "voter"]
        verify += ["-n", "accord", "-s", str(folder / "sig")]
        inside = mean_milliseconds(lambda: verify_ssh(DATA, signature, ring), 2000)
        outside = mean_milliseconds(
            lambda: subprocess.run(verify, input=DATA, capture_output=True, check=True), 200
        )
    sys.stdout.write(
        f"in process            {inside:7.3f} ms a signature\n"
        f"ssh-keygen -Y verify  {outside:7.3f} ms a signature\n"
        f"ratio                 {outside / inside:7.1f}\n"
    )


if __name__ == "__main__":
    main()
