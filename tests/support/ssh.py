"""The real ssh-keygen and ssh-agent."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory


def run(*command: str, data: bytes = b"", **environment: str) -> bytes:
    """Run a command; its standard output. Fails on any error."""
    done = subprocess.run(
        command, input=data, capture_output=True, check=False, env=os.environ | environment
    )
    if done.returncode:
        raise AssertionError(f"{' '.join(command)}: {done.stderr.decode()}")
    return done.stdout


def make_key(file: Path, *options: str) -> str:
    """Make a key pair with ssh-keygen; the public line without its comment."""
    run("ssh-keygen", "-q", "-N", "", "-C", "a comment", "-f", str(file), *options)
    return " ".join(file.with_name(f"{file.name}.pub").read_text().split(" ")[:2])


def sign(file: Path, data: bytes, *options: str, namespace: str = "accord") -> bytes:
    """What stock `ssh-keygen -Y sign` writes."""
    return run("ssh-keygen", "-Y", "sign", "-n", namespace, "-f", str(file), *options, data=data)


def stock_verifies(
    folder: Path, signers: str, member: str, data: bytes, signature: bytes, *options: str
) -> bool:
    """Whether stock `ssh-keygen -Y verify` calls it good; anybody can ask so."""
    (folder / "allowed_signers").write_text(signers)
    (folder / "stock.sig").write_bytes(signature)
    command = ["ssh-keygen", "-Y", "verify", "-f", str(folder / "allowed_signers")]
    command += ["-I", member, "-n", "accord", "-s", str(folder / "stock.sig"), *options]
    return subprocess.run(command, input=data, capture_output=True, check=False).returncode == 0


@contextmanager
def agent() -> Iterator[str]:
    """A fresh ssh-agent; the path of its socket, for SSH_AUTH_SOCK."""
    # The name of a socket may not be long, and the folders of pytest have long ones.
    with TemporaryDirectory(prefix="agent-") as folder:
        socket = f"{folder}/socket"
        with subprocess.Popen(
            ["ssh-agent", "-D", "-a", socket], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as process:
            try:
                # It prints how to reach it once it listens.
                if process.stdout is None or not process.stdout.readline():
                    raise AssertionError("ssh-agent did not start")
                yield socket
            finally:
                process.terminate()
