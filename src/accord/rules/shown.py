"""What a voter was shown, and whether its vote says so (section 3.5).

`context.packet` is the digest of a small record of what a packet showed. It follows from the
ballot, the proposal and the claims that the packet held, so everybody can compute it again; the
words of a template are not in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from accord.model.ballot import Ballot
from accord.model.evidence import ManifestEntry
from accord.model.finding import Finding
from accord.model.ids import digest_bytes, digest_json
from accord.model.proposal import Proposal
from accord.model.snapshot import Authenticated
from accord.model.vote import Vote
from accord.rules.evidence import find_uses, key_of, read_manifest


def digest_shown(
    ballot: Authenticated[Ballot], proposal: Authenticated[Proposal], claims: Iterable[str]
) -> str:
    """The digest of what a packet of this ballot shows, with these claims of its manifest."""
    shown = frozenset(claims)
    manifest = sorted(proposal.record.evidence, key=lambda entry: entry.id)
    return digest_json(
        {
            "format": "accord/packet/1",
            "ballot": ballot.digest,
            "proposal": proposal.digest,
            "text": digest_bytes(proposal.record.text.encode()),
            "artifacts": [_name(entry) for entry in manifest if entry.kind == "primary"],
            "claims": [
                _name(entry) for entry in manifest if entry.kind == "claim" and entry.id in shown
            ],
            "withheld": [
                entry.id for entry in manifest if entry.kind == "claim" and entry.id not in shown
            ],
        }
    )


def _name(entry: ManifestEntry) -> dict[str, str]:
    digest = entry.digest or (digest_bytes(entry.text.encode()) if entry.text else None)
    parts = {"id": entry.id, "artifact": entry.artifact, "digest": digest}
    return {name: value for name, value in parts.items() if value is not None}


def list_claims(proposal: Proposal) -> tuple[str, ...]:
    """The ids of the claims of a manifest: a packet shows all of them, or none."""
    return tuple(entry.id for entry in proposal.evidence if entry.kind == "claim")


def check_shown(
    vote: Vote, ballot: Authenticated[Ballot], proposal: Authenticated[Proposal], path: str
) -> tuple[Finding, ...]:
    """What a vote says of its packet, held against the packets that this ballot gives.

    A vote that names no packet says nothing of it, and nothing is held against it.
    """
    if vote.context is None or vote.context.packet is None:
        return ()
    given = tuple(sorted(set(vote.context.claims)))
    if vote.context.packet == digest_shown(ballot, proposal, given):
        return tuple(_check_cited(vote, proposal.record, given, path))
    everything = list_claims(proposal.record)
    for claims in ((), everything):
        if vote.context.packet == digest_shown(ballot, proposal, claims):
            showed = f"the claims {', '.join(claims)}" if claims else "no claim"
            says = ", ".join(given) or "none"
            return (_misfit(path, f"the packet showed {showed}, and context.claims lists {says}"),)
    return (_misfit(path, "no packet of this ballot has this digest"),)


def _misfit(path: str, sentence: str) -> Finding:
    return Finding(
        code="packet-mismatch",
        path=path,
        field="context.packet",
        message=sentence,
        hint="Take packet and claims from the vote file that `accord packet` gives for this"
        " ballot, or leave context.packet out if the voter was given none.",
    )


def _check_cited(
    vote: Vote, proposal: Proposal, given: tuple[str, ...], path: str
) -> Iterator[Finding]:
    manifest = read_manifest(proposal.evidence)
    shown = {
        key_of(entry) for entry in proposal.evidence if entry.kind == "primary" or entry.id in given
    }
    hidden = {
        key_of(entry): entry.id
        for entry in proposal.evidence
        if entry.kind == "claim" and key_of(entry) not in shown
    }
    for position, entry in enumerate(vote.evidence):
        for use in find_uses(manifest, (entry,)):
            if use.artifact in hidden:
                yield Finding(
                    code="claim-not-shown",
                    path=path,
                    field=f"evidence[{position}]",
                    message=f"it cites the claim {hidden[use.artifact]}, which its packet withheld",
                    hint="Leave the claim out; or take the packet with claims"
                    " (`accord packet --with-claims`) and vote from that.",
                )
