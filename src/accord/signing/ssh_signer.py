"""Signing with `ssh-keygen -Y sign`: by a key file, the agent, or hardware through the agent."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from accord.errors import AccordError
from accord.model.snapshot import Scheme
from accord.signing.ssh import verify_by
from accord.signing.ssh_envelope import NAMESPACE
from accord.signing.ssh_key import PublicKey
from accord.signing.ssh_keygen import explain_passphrase, run_ssh_keygen
from accord.signing.wire import Malformed

# Words of ssh-keygen → what is wrong, what helps. `{key}` is the key that was to sign.
_SIGNING_FAULTS = {
    "UNPROTECTED": (
        "others may read the private key {key}, so ssh-keygen does not use it",
        "`chmod 600 {key}`",
    ),
    "No private key found": (
        "the private half of {key} is not at hand",
        "put it beside the public one, or give it to the agent: `ssh-add`",
    ),
    "agent": (
        "the ssh-agent did not sign with {key}",
        "`ssh-add -L` lists what it has; a hardware key must be plugged in and touched",
    ),
}


class SshSigner(NamedTuple):
    """Signs for a member with a key file, or with what the agent holds where `file` is None."""

    member: str
    public: PublicKey
    file: Path | None

    @property
    def scheme(self) -> Scheme:
        """SSH."""
        return "ssh"

    def sign(self, data: bytes) -> bytes:
        """A `.sig` file over exactly these bytes. Raises AccordError when the key is of no use."""
        if self.file is not None:
            return self._run(data, self.file)
        with TemporaryDirectory(prefix="accord-") as folder:
            public = Path(folder) / "key.pub"
            public.write_text(self.public.line + "\n")
            return self._run(data, public, "-U")

    def _run(self, data: bytes, file: Path, *options: str) -> bytes:
        done = run_ssh_keygen(["-Y", "sign", "-n", NAMESPACE, "-f", str(file), *options], data)
        if done.returncode == 0:
            return self._checked(data, done.stdout)
        words = done.stderr.decode("utf-8", "replace").strip()
        name = str(self.file or self.public.fingerprint)
        if "incorrect passphrase" in words:
            raise explain_passphrase(name, words)
        for said, (message, hint) in _SIGNING_FAULTS.items():
            if said in words:
                raise AccordError(message.format(key=name), hint.format(key=name))
        raise AccordError(f"ssh-keygen did not sign with {name}: {words}", "mend that and repeat")

    def _checked(self, data: bytes, signature: bytes) -> bytes:
        """What others would refuse, such as by a private half of another key, is no signature."""
        try:
            if verify_by(self.public, data, signature):
                return signature
            reason = f"it is not one of {self.public.fingerprint}"
        except Malformed as malformed:
            reason = str(malformed)
        raise AccordError(
            f"ssh-keygen made a signature that is not good: {reason}",
            "do both halves belong together? `ssh-keygen -y -f KEY` shows the public one",
        )
