"""Verifying Sigstore bundles as accord does, against the bare library: `benchmarks/bundles.py`."""

from __future__ import annotations

import sys
import time
from importlib.resources import files
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from accord.model.policy import Key, Member, Policy, SigstoreIdentity
from accord.signing.base import Good
from accord.signing.keyring import KeyRing
from accord.signing.sigstore import verify_sigstore
from accord.signing.trust import Trust

TIMES = 1000
EXAMPLE = Path(__file__).parent.parent / "tests" / "keyless" / "public" / "staging.txt"
SIGNER = SigstoreIdentity(identity="william@yossarian.net", issuer="https://github.com/login/oauth")


def main() -> None:
    """Print both durations and their ratio."""
    from sigstore.models import Bundle, TrustedRoot
    from sigstore.verify import Verifier
    from sigstore.verify.policy import Identity

    data = EXAMPLE.read_bytes()
    bundle = EXAMPLE.with_name(EXAMPLE.name + ".sigstore.json").read_bytes()
    root = files("sigstore") / "_store" / "https%3A%2F%2Ftuf-repo-cdn.sigstage.dev"
    path = root / "trusted_root.json"
    member = Member(kind="human", roles=("voter",), keys=(Key(sigstore=SIGNER),))
    policy = Policy(project="0" * 32, serial=1, members={"dana": member}, classes={})
    ring = KeyRing.from_policy(policy, Trust(path.read_bytes()))
    verifier = Verifier(trusted_root=TrustedRoot.from_file(str(path)))
    identity = Identity(identity=SIGNER.identity, issuer=SIGNER.issuer)
    if not isinstance(verify_sigstore(data, bundle, ring), Good):
        sys.exit("the bundle is not good: nothing was measured")
    start = time.perf_counter()
    for _ in range(TIMES):
        verify_sigstore(data, bundle, ring)
    ours = time.perf_counter() - start
    start = time.perf_counter()
    for _ in range(TIMES):
        verifier.verify_artifact(data, Bundle.from_json(bundle), identity)
    theirs = time.perf_counter() - start
    sys.stdout.write(
        f"accord   {ours / TIMES * 1000:6.2f} ms a bundle\n"
        f"library  {theirs / TIMES * 1000:6.2f} ms a bundle\n"
        f"ratio    {ours / theirs:6.2f}  (at most 3)\n"
    )


if __name__ == "__main__":
    main()
