"""From a stored record to an authenticated one. The only maker of `Authenticated` (section 2).

*Keys are judged by position, not by dates in files* (section 3.2): what is new in a step needs
a key that the base policy of that step holds valid and has not revoked, whatever time the file
claims. What was in the base before stays what it was; a revocation that reaches back is told.
Only a bare tree, which shows no order, has nothing but the claimed time to go by.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeVar

from accord.model.affirmation import Affirmation
from accord.model.ballot import Ballot
from accord.model.escalation import Check, Rederivation, Ruling, Synthesis, Withdrawal
from accord.model.finding import Finding
from accord.model.ids import digest_bytes, moment
from accord.model.paths import SIGNATURES
from accord.model.policy import Key
from accord.model.proposal import Proposal
from accord.model.redaction import Redaction
from accord.model.resolution import Amendment, Close, Resolution
from accord.model.snapshot import Authenticated, Scheme, Stored
from accord.model.vote import Seal, Vote
from accord.signing.base import Bad, Good, Owner, Unknown, Verifier
from accord.signing.keyring import KeyRing
from accord.signing.sigstore import verify_sigstore
from accord.signing.ssh import verify_ssh

__all__ = ["KeyRing", "Timing", "assume", "authenticate"]

T = TypeVar("T")


class Timing(NamedTuple):
    """Where a file stands in history, which says how its key is judged."""

    position: Literal["new", "in_base", "by_claim", "by_claim_recorded"]
    as_of: str = ""

    @classmethod
    def new(cls, as_of: str) -> Timing:
        """It enters in the step that is judged, whose time is `as_of`.

        That time must not be the author's to choose alone: the later of those of base and head.
        """
        return cls("new", as_of)

    @classmethod
    def in_base(cls) -> Timing:
        """It was there before."""
        return cls("in_base")

    @classmethod
    def by_claim(cls) -> Timing:
        """Nothing is known but a bare tree, and the time that the file claims."""
        return cls("by_claim")

    @classmethod
    def by_claim_recorded(cls) -> Timing:
        """The same, of a decision with a record: a revocation does not undo it."""
        return cls("by_claim_recorded")

    def opened(self, at: str) -> Timing:
        """The same for a proposal, whose ballot claims the time `at`; "" when it claims none."""
        return self if self.position == "new" else self._replace(as_of=at)


class Claim(NamedTuple):
    """Which fields of a record name its signer and the time of signing."""

    signer: str
    time: str | None


_BY = Claim("by", "at")
_CLAIMS: dict[type, Claim] = {
    Proposal: Claim("proposer", None),
    Ballot: Claim("opened_by", "opened_at"),
    Seal: Claim("voter", "at"),
    Vote: Claim("voter", "cast_at"),
    Affirmation: Claim("voter", "affirmed_at"),
    Amendment: _BY,
    Close: _BY,
    Resolution: _BY,
    Check: _BY,
    Rederivation: _BY,
    Synthesis: _BY,
    Ruling: _BY,
    Withdrawal: _BY,
    Redaction: _BY,
}

_VERIFIERS: dict[Scheme, Verifier] = {"ssh": verify_ssh, "sigstore": verify_sigstore}


def authenticate(
    stored: Stored[T],
    data: bytes,
    signatures: Mapping[Scheme, bytes],
    ring: KeyRing,
    timing: Timing,
) -> tuple[Authenticated[T] | None, tuple[Finding, ...]]:
    """Who signed a record: the member it names, or nobody and why.

    `data` is the file as it stands in git, `signatures` what is beside it. All of them must be
    good, and by the member that the record names. A result may come with warnings.
    Raises CannotJudge when a signature cannot be checked here.
    """
    if digest_bytes(data) != stored.digest:
        raise ValueError(f"these are not the bytes of {stored.path}")
    if not signatures:
        return None, (_unsigned(stored.path),)
    claim = _CLAIMS[type(stored.record)]
    named: str = getattr(stored.record, claim.signer)
    time: str | None = getattr(stored.record, claim.time) if claim.time else None
    schemes = [scheme for scheme in SIGNATURES if scheme in signatures]
    verdicts = {scheme: _VERIFIERS[scheme](data, signatures[scheme], ring) for scheme in schemes}
    findings = [
        finding
        for scheme, verdict in verdicts.items()
        for finding in _judge(verdict, _Place(stored.path, SIGNATURES[scheme], named, time, timing))
    ]
    if any(finding.severity == "error" for finding in findings):
        return None, tuple(findings)
    logged = [one.signed_at for one in verdicts.values() if isinstance(one, Good) and one.signed_at]
    return (
        Authenticated(
            stored.record,
            stored.path,
            stored.digest,
            named,
            schemes[0],
            max(logged, key=moment, default=None),
        ),
        tuple(findings),
    )


def assume(record: T, path: str, digest: str, signer: str) -> Authenticated[T]:
    """A record that nobody signed, as if `signer` had: for simulated cases, and nothing else."""
    return Authenticated(record, path, digest, signer, "ssh")


class _Place(NamedTuple):
    path: str
    suffix: str
    named: str
    time: str | None
    timing: Timing

    def finding(self, code: str, message: str, hint: str) -> Finding:
        return Finding(code=code, path=self.path, message=message, hint=hint)


def _unsigned(path: str) -> Finding:
    return Finding(
        code="unsigned",
        path=path,
        message="nobody signed it: there is no signature beside it",
        hint=f"its author signs it: `ssh-keygen -Y sign -n accord -f KEY {path}`",
    )


def _judge(verdict: Good | Unknown | Bad, place: _Place) -> list[Finding]:
    match verdict:
        case Bad(reason=reason):
            return [
                place.finding(
                    "bad-signature",
                    f"the signature in {place.suffix} is not good: {reason}",
                    "restore the file and its signature as they were signed (after a merge conflict"
                    " take both from one side), or let its author write it anew",
                )
            ]
        case Unknown(reason=reason):
            return [
                place.finding(
                    "unknown-signer",
                    f"the signature in {place.suffix} is nobody's: {reason}",
                    "sign with a key of the policy; a new key needs a governance decision first",
                )
            ]
        case Good(owner=owner, signed_at=signed_at):
            if owner.member != place.named:
                return [
                    place.finding(
                        "wrong-signer",
                        f"it names {place.named}, and {owner.member} signed it",
                        f"{place.named} signs it, or {owner.member} writes a file of their own",
                    )
                ]
            return _judge_key(owner, place, signed_at)


def _judge_key(owner: Owner, place: _Place, signed_at: str | None) -> list[Finding]:
    """What is wrong with the key, by its best entry in the policy."""
    faults = [_find_fault(key, place, signed_at) for key in owner.keys]
    if None in faults:
        return []
    code, reason = next(filter(None, faults))
    hint = (
        "what was decided stands; a proposal that reopens it decides it anew"
        if code == "key-revoked-since"
        else f"{owner.member} signs with a key that the policy in the base holds valid, and that no"
        " protected branch revokes"
    )
    return [place.finding(code, f"the key {owner.name} of {owner.member} {reason}", hint)]


def _find_fault(key: Key, place: _Place, signed_at: str | None) -> tuple[str, str] | None:
    position, as_of = place.timing
    time = signed_at or (as_of if position == "new" else place.time or as_of or None)
    if position != "in_base":
        if _is_after(key.valid_from, time):
            return "key-not-valid", f"is valid only from {key.valid_from}"
        if _is_after(time, key.valid_until):
            return "key-not-valid", f"was valid only until {key.valid_until}"
    if key.revoked_from is None:
        return None
    # New, whatever time it names: the base knows that somebody else may have this key.
    # With no time at all nothing shows that it was signed before. A log's time is nobody's claim.
    if (position != "new" or signed_at) and _is_after(key.revoked_from, time):
        return None
    told = position in ("in_base", "by_claim_recorded")
    code = "key-revoked-since" if told else "key-not-valid"
    return code, f"is revoked from {key.revoked_from} on"


def _is_after(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and moment(one) > moment(other)
