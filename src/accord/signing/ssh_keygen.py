"""Running ssh-keygen: to make keys, and to check signatures by rare types of keys."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from accord.errors import AccordError, CannotJudge, UsageError
from accord.signing.ssh_envelope import NAMESPACE
from accord.signing.ssh_key import PublicKey, parse_public_key

_INSTALL = "install OpenSSH 8.2 or newer, or put it on PATH"


def generate_key(file: Path, comment: str) -> PublicKey:
    """Make an ed25519 key without a passphrase; `file` is its private half, `file`.pub the other.

    Raises UsageError when something is there already: a key is never written over.
    """
    if file.exists() or file.with_name(f"{file.name}.pub").exists():
        raise UsageError(
            f"there is a key at {file} already",
            "another repository of this name may own it: choose another folder (--key-dir DIR), or"
            " use it (--member-key MEMBER=FILE.pub)",
        )
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise AccordError(f"{file} cannot be made: {error.strerror}", "choose a place") from error
    done = run_ssh_keygen(["-q", "-t", "ed25519", "-N", "", "-C", comment, "-f", str(file)])
    if done.returncode:
        words = (done.stderr or done.stdout).decode("utf-8", "replace").strip()
        raise AccordError(
            f"ssh-keygen did not make the key {file}: {words}", "mend that and repeat"
        )
    return parse_public_key(file.with_name(f"{file.name}.pub").read_text().strip())


def verify_with_ssh_keygen(key: PublicKey, data: bytes, signature: bytes) -> bool:
    """Whether `ssh-keygen -Y verify` calls a signature file good, for one key.

    Raises CannotJudge when ssh-keygen is missing, or does not know this type of key.
    """
    with TemporaryDirectory(prefix="accord-") as folder:
        signers, file = Path(folder) / "signers", Path(folder) / "signature"
        signers.write_text(f'signer namespaces="{NAMESPACE}" {key.line}\n')
        file.write_bytes(signature)
        command = ["-Y", "verify", "-f", str(signers), "-I", "signer", "-n", NAMESPACE]
        try:
            done = run_ssh_keygen([*command, "-s", str(file)], data)
        except AccordError as error:
            raise CannotJudge(f"a {key.type} key signed: {error.message}", error.hint) from error
    words = done.stderr.decode("utf-8", "replace").strip()
    if done.returncode == 0:
        return True
    if "verification failed" in words and "unsupported" not in words:
        return False
    raise CannotJudge(f"ssh-keygen cannot check a {key.type} key: {words}", _INSTALL)


def is_at_terminal() -> bool:
    """Whether somebody can be asked for a passphrase."""
    return sys.stdin is not None and sys.stdin.isatty()


def explain_passphrase(key: str, words: str) -> AccordError:
    """Why ssh-keygen had no good passphrase for a key; `words` are its own."""
    hint = f"give it to the agent first: `ssh-add {key}`"
    if not is_at_terminal():
        ask = " (SSH_ASKPASS_REQUIRE is not heeded)" if _asks_program() else ""
        return AccordError(
            f"the key {key} needs its passphrase, and accord asks for none where there is no"
            f" terminal{ask}",
            hint,
        )
    if not _asks_program():
        return AccordError(f"the passphrase of the key {key} was wrong", f"try again, or {hint}")
    missing = "ssh_askpass: exec" in words
    why = "that program is not there" if missing else "it gave none, or a wrong one"
    return AccordError(
        f"the key {key} needs its passphrase; SSH_ASKPASS_REQUIRE says that a program is asked for"
        f" it, not you, and {why}",
        f"unset SSH_ASKPASS_REQUIRE, or let SSH_ASKPASS name a program that asks; or {hint}",
    )


def _asks_program() -> bool:
    return os.environ.get("SSH_ASKPASS_REQUIRE") in ("force", "prefer")


def run_ssh_keygen(
    arguments: Sequence[str], data: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """Run ssh-keygen to its end. Only at a terminal may it ask for a passphrase.

    Raises AccordError when it is not there.
    """
    at_terminal = is_at_terminal()
    quiet = {} if at_terminal else {"SSH_ASKPASS_REQUIRE": "never"}
    try:
        return subprocess.run(
            ["ssh-keygen", *arguments],
            input=data,
            capture_output=True,
            check=False,
            env=os.environ | quiet,
            # Without a terminal of its own it cannot find one to ask at.
            start_new_session=not at_terminal,
        )
    except OSError as error:
        raise AccordError("ssh-keygen cannot be run", _INSTALL) from error
