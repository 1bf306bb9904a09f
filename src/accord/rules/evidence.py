"""Which evidence a voter used, held against the manifest (section 3.5).

An artifact is its digest. An entry whose digest, or artifact and revision, is a manifest
entry's **is** that entry; a voter's own find is a repository file with a digest; anything
else is listed but in no count. Marks of voters only tighten.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import msgspec

from accord.model.evidence import EvidenceKind, Input, ManifestEntry, UsedEvidence, is_uri
from accord.model.ids import digest_json, is_repo_path
from accord.model.paths import ROOT, find_location
from accord.model.vote import Vote


@dataclass(frozen=True, slots=True)
class Use:
    """One artifact as one voter used it. `about` are the primaries that a claim speaks of."""

    artifact: str
    via: str
    kind: EvidenceKind
    about: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Manifest:
    """The evidence of a ballot, with the marks of its voters taken in.

    Artifacts are named by keys: the digest, or the manifest id where there is none. `claims`
    maps the key of each claim to the primaries it is about, `names` each key to the words
    that people know it by.
    """

    entries: Mapping[str, ManifestEntry]
    by_digest: Mapping[str, str]
    by_place: Mapping[tuple[str, str], str]
    load_bearing: frozenset[str]
    claims: Mapping[str, frozenset[str]]
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def primaries(self) -> frozenset[str]:
        """The keys of the primary evidence that the proposal lists."""
        return frozenset(map(key_of, self.entries.values())) - self.claims.keys()

    def name_of(self, key: str) -> str:
        """What people call an artifact."""
        return self.names.get(key, key)


def key_of(entry: ManifestEntry) -> str:
    """The key of a manifest entry."""
    return entry.digest or f"id:{entry.id}"


def digest_manifest(entries: Iterable[ManifestEntry]) -> str:
    """`evidence_set`: the digest of a manifest, in whatever order it is written (section 3.4)."""
    return digest_json(
        [msgspec.to_builtins(entry) for entry in sorted(entries, key=lambda e: e.id)]
    )


def read_manifest(entries: tuple[ManifestEntry, ...]) -> Manifest:
    """The manifest of a proposal, before any voter has marked anything."""
    keys = {entry.id: key_of(entry) for entry in entries}
    claims: dict[str, frozenset[str]] = {}
    for entry in entries:
        if entry.kind == "claim" or is_statement(entry.artifact):
            # The same words may be listed as a claim about several artifacts.
            about = claims.get(keys[entry.id], frozenset())
            claims[keys[entry.id]] = about | _find_subject(entry, keys)
    return Manifest(
        entries={entry.id: entry for entry in entries},
        by_digest={entry.digest: keys[entry.id] for entry in entries if entry.digest},
        by_place={
            (entry.artifact, entry.revision): keys[entry.id]
            for entry in entries
            if entry.artifact and entry.revision
        },
        load_bearing=frozenset(
            keys[entry.id] for entry in entries if entry.load_bearing and entry.kind == "primary"
        ),
        claims=claims,
        names={keys[entry.id]: entry.artifact or entry.id for entry in entries},
    )


def _find_subject(entry: ManifestEntry, keys: Mapping[str, str]) -> frozenset[str]:
    if entry.kind == "primary":
        return frozenset({keys[entry.id]})
    subject = keys.get(entry.summarizes or "")
    return frozenset() if subject is None else frozenset({subject})


def mark_manifest(manifest: Manifest, votes: Iterable[Vote], threshold: int) -> Manifest:
    """Take in what at least `threshold` voters mark as a claim, or as load-bearing.

    A load-bearing artifact that is marked as a claim stays load-bearing: nobody then has a
    primary on it.
    """
    claimed: Counter[str] = Counter()
    weighty: Counter[str] = Counter()
    names: dict[str, str] = {}
    for vote in votes:
        found = [(entry, _find_key(manifest, entry)) for entry in vote.evidence]
        claimed.update({key for entry, key in found if key and entry.kind == "claim"})
        weighty.update(
            {
                key
                for entry, key in found
                if key and entry.load_bearing and not is_statement(entry.artifact)
            }
        )
        for entry, key in found:
            if key and entry.artifact:
                # Voters may know one artifact by several paths; their order must not matter.
                names[key] = min(names.get(key, entry.artifact), entry.artifact)
    marked = {key: frozenset({key}) for key, count in claimed.items() if count >= threshold}
    heavy = {
        key for key, count in weighty.items() if count >= threshold and key not in manifest.claims
    }
    return Manifest(
        entries=manifest.entries,
        by_digest=manifest.by_digest,
        by_place=manifest.by_place,
        load_bearing=manifest.load_bearing | heavy,
        claims={**marked, **manifest.claims},
        names={**names, **manifest.names},
    )


def find_uses(
    manifest: Manifest, evidence: Iterable[UsedEvidence], claims: Iterable[str] = ()
) -> frozenset[Use]:
    """What a voter used, as far as it counts. `claims` are ids of claims in its context."""
    given = (UsedEvidence(id=claim) for claim in claims)
    entries = [
        *evidence,
        *(entry for entry in given if _find_key(manifest, entry) in manifest.claims),
    ]
    found = ((entry, _find_key(manifest, entry)) for entry in entries)
    return frozenset(
        Use(key, entry.via, "claim", manifest.claims[key])
        if key in manifest.claims
        else Use(key, entry.via, "claim" if is_statement(entry.artifact) else "primary")
        for entry, key in found
        if key is not None
    )


def find_vote_uses(manifest: Manifest, vote: Vote) -> frozenset[Use]:
    """What a vote stands on: its evidence, and the claims that were in its context."""
    return find_uses(manifest, vote.evidence, vote.context.claims if vote.context else ())


def primaries(uses: Iterable[Use]) -> frozenset[str]:
    """The keys of the primary evidence among some uses."""
    return frozenset(use.artifact for use in uses if use.kind == "primary")


def find_ungrounded(manifest: Manifest, votes: Iterable[Vote]) -> tuple[str, ...]:
    """Who agrees without any of the load-bearing artifacts, where there are some."""
    heavy = manifest.load_bearing
    return tuple(
        vote.voter
        for vote in votes
        if heavy and vote.vote == "agree" and not heavy & primaries(find_vote_uses(manifest, vote))
    )


def find_input_key(manifest: Manifest, used: Input) -> str | None:
    """The artifact that an input of a check is, by digest, or by artifact and revision."""
    if used.digest is not None:
        return manifest.by_digest.get(used.digest, used.digest)
    return manifest.by_place.get((used.artifact, used.revision or ""))


def is_statement(artifact: str | None) -> bool:
    """Whether an artifact is a file of accord itself: what was said, not evidence."""
    if artifact is None or not artifact.startswith(f"{ROOT}/"):
        return False
    location = find_location(artifact)
    return location is None or location.kind != "evidence"


def find_unknown(manifest: Manifest, evidence: tuple[UsedEvidence, ...]) -> tuple[int, ...]:
    """The positions of entries whose `id` no manifest entry has, or whose digest contradicts it."""
    return tuple(
        position
        for position, entry in enumerate(evidence)
        if entry.id is not None and _find_key(manifest, entry) is None
    )


def _find_key(manifest: Manifest, entry: UsedEvidence) -> str | None:
    if entry.id is not None:
        listed = manifest.entries.get(entry.id)
        if listed is None or (entry.digest and listed.digest and entry.digest != listed.digest):
            return None
        return key_of(listed)
    if entry.digest is not None and entry.digest in manifest.by_digest:
        return manifest.by_digest[entry.digest]
    placed = manifest.by_place.get((entry.artifact or "", entry.revision or ""))
    if placed is not None:
        return placed if entry.digest is None else None
    if is_statement(entry.artifact):
        return entry.digest or f"path:{entry.artifact}"
    artifact = entry.artifact or ""
    return entry.digest if is_repo_path(artifact) and not is_uri(artifact) else None
