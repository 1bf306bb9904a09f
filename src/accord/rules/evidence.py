"""Which evidence a voter used, held against the manifest (section 3.5).

An artifact is its digest. An entry whose digest, or artifact and revision, is a manifest
entry's **is** that entry; a voter's own find is a repository file with a digest. **Everything
else is a claim**, wherever it stands: a URI, words, a file without a digest or one of accord's
own, an id that names nothing. Marks of voters only tighten.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import msgspec

from accord.model.evidence import EvidenceKind, Input, ManifestEntry, UsedEvidence, is_uri
from accord.model.ids import digest_json, is_repo_path
from accord.model.vote import Vote
from accord.rules.claims import (
    ANYTHING,
    call,
    find_spellings,
    is_statement,
    join_spellings,
    list_text_digests,
    name_claim,
    rank,
)


@dataclass(frozen=True, slots=True)
class Use:
    """One artifact as one voter used it. `about` are the primaries that a claim speaks of."""

    artifact: str
    via: str
    kind: EvidenceKind
    about: frozenset[str] = frozenset()

    def speaks_of(self, artifact: str) -> bool:
        """Whether it is a claim about an artifact; of which nobody knows may be any."""
        return self.kind == "claim" and not self.about.isdisjoint({artifact, ANYTHING})


class Identity(NamedTuple):
    """What an entry of an answer is: its key, and, for a claim, what that is about."""

    key: str
    about: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """The evidence of a ballot, with the marks of its voters taken in.

    Artifacts are named by keys: the digest, or another name where there is none. `claims` maps
    the key of each claim to the primaries it is about, `spellings` each other name of a claim to
    its key, `names` each key to the words that people know it by.
    """

    entries: Mapping[str, ManifestEntry]
    by_digest: Mapping[str, str]
    by_place: Mapping[tuple[str, str], str]
    by_path: Mapping[str, frozenset[str]]
    load_bearing: frozenset[str]
    claims: Mapping[str, frozenset[str]]
    spellings: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def primaries(self) -> frozenset[str]:
        """The keys of the primary evidence that the proposal lists."""
        return frozenset(map(self.key_of, self.entries.values())) - self.claims.keys()

    def key_of(self, entry: ManifestEntry) -> str:
        """The key of one of its entries, whichever of its spellings that has."""
        return self.spell(key_of(entry))

    def spell(self, key: str) -> str:
        """The key of what is also known by this one."""
        return self.spellings.get(key, key)

    def name_of(self, key: str) -> str:
        """What people call an artifact."""
        return self.names.get(key, key)


def key_of(entry: ManifestEntry) -> str:
    """The key of a manifest entry by itself."""
    return entry.digest or name_claim(entry) or f"id:{entry.id}"


def digest_manifest(entries: Iterable[ManifestEntry]) -> str:
    """`evidence_set`: the digest of a manifest, in whatever order it is written (section 3.4)."""
    return digest_json(
        [msgspec.to_builtins(entry) for entry in sorted(entries, key=lambda e: e.id)]
    )


def read_manifest(entries: tuple[ManifestEntry, ...]) -> Manifest:
    """The manifest of a proposal, before any voter has marked anything."""
    stated = [entry for entry in entries if _is_claim(entry)]
    spellings = join_spellings(find_spellings(entry) | {key_of(entry)} for entry in stated)
    keys = {entry.id: spellings.get(key_of(entry), key_of(entry)) for entry in entries}
    load_bearing = frozenset(
        keys[entry.id] for entry in entries if entry.load_bearing and entry.kind == "primary"
    )
    claims: dict[str, frozenset[str]] = {}
    for entry in stated:
        # The same words may be listed as a claim about several artifacts.
        about = claims.get(keys[entry.id], frozenset())
        claims[keys[entry.id]] = about | _find_subject(entry, keys, load_bearing)
    by_path: dict[str, frozenset[str]] = {}
    for entry in entries:
        if entry.artifact:
            by_path[entry.artifact] = by_path.get(entry.artifact, frozenset()) | {keys[entry.id]}
    return Manifest(
        entries={entry.id: entry for entry in entries},
        by_digest={
            digest: keys[entry.id]
            for entry in sorted(entries, key=_is_claim)
            for digest in _list_digests(entry)
        },
        by_place={
            (entry.artifact, entry.revision): keys[entry.id]
            for entry in entries
            if entry.artifact and entry.revision
        },
        by_path=by_path,
        load_bearing=load_bearing,
        claims=claims,
        spellings=spellings,
        names={keys[entry.id]: entry.artifact or entry.id for entry in entries},
    )


def _is_claim(entry: ManifestEntry) -> bool:
    artifact = entry.artifact or ""
    return entry.kind == "claim" or is_statement(artifact) or is_uri(artifact)


def _list_digests(entry: ManifestEntry) -> tuple[str, ...]:
    own = (entry.digest,) if entry.digest else ()
    return (*own, *(list_text_digests(entry.text) if entry.text is not None else ()))


def _find_subject(
    entry: ManifestEntry, keys: Mapping[str, str], load_bearing: frozenset[str]
) -> frozenset[str]:
    if entry.kind == "primary":
        return _about_itself(keys[entry.id], load_bearing)
    subject = keys.get(entry.summarizes or "")
    return frozenset({ANYTHING if subject is None else subject})


def _about_itself(key: str, load_bearing: frozenset[str]) -> frozenset[str]:
    """What is called primary and is none: a claim on itself, or on nobody knows what."""
    return frozenset({key}) if key in load_bearing else frozenset({key, ANYTHING})


def mark_manifest(manifest: Manifest, votes: Iterable[Vote], threshold: int) -> Manifest:
    """Take in what at least `threshold` voters mark as a claim, or as load-bearing.

    A load-bearing artifact that is marked as a claim stays load-bearing: nobody then has a
    primary on it. What only votes cite gets its names here too.
    """
    votes = tuple(votes)
    manifest = _take_in_spellings(manifest, votes)
    claimed: Counter[str] = Counter()
    weighty: Counter[str] = Counter()
    names: dict[str, str] = {}
    for vote in votes:
        found = [(entry, identify(manifest, entry)) for entry in vote.evidence]
        claimed.update({one.key for entry, one in found if entry.kind == "claim"})
        weighty.update(
            {one.key for entry, one in found if entry.load_bearing and one.about is None}
        )
        for entry, one in found:
            # Voters may know one artifact by several paths; their order must not matter.
            name = call(entry)
            names[one.key] = min(names.get(one.key, name), name)
    heavy = manifest.load_bearing | {
        key for key, count in weighty.items() if count >= threshold and key not in manifest.claims
    }
    marked = {
        key: _about_itself(key, heavy) for key, count in claimed.items() if count >= threshold
    }
    return replace(
        manifest,
        load_bearing=heavy,
        claims={**marked, **manifest.claims},
        names={**names, **manifest.names},
    )


def _take_in_spellings(manifest: Manifest, votes: tuple[Vote, ...]) -> Manifest:
    """One claim that voters spell differently is one: a URI here, with its digest there."""
    cited = [
        # What is primary evidence by its digest is not taken from those who read it as such.
        find_spellings(entry) - manifest.primaries
        for vote in votes
        for entry in vote.evidence
        if identify(manifest, entry).about is not None
    ]
    listed = ({name, key} for name, key in manifest.spellings.items())
    spellings = join_spellings([*listed, *cited], fixed=manifest.claims.keys())
    claims: dict[str, frozenset[str]] = {}
    for key, about in manifest.claims.items():
        one = spellings.get(key, key)
        claims[one] = claims.get(one, frozenset()) | about
    return replace(manifest, spellings=spellings, claims=claims)


def find_uses(
    manifest: Manifest, evidence: Iterable[UsedEvidence], claims: Iterable[str] = ()
) -> frozenset[Use]:
    """What a voter used. `claims` are ids of claims in its context."""
    given = (UsedEvidence(id=claim) for claim in claims if _is_given(manifest, claim))
    found = ((identify(manifest, entry), entry.via) for entry in (*evidence, *given))
    return frozenset(
        Use(one.key, via, "primary") if one.about is None else Use(one.key, via, "claim", one.about)
        for one, via in found
    )


def _is_given(manifest: Manifest, claim: str) -> bool:
    """Whether a claim of a context is one that the manifest lists: packets show no others."""
    return claim in manifest.entries and manifest.key_of(manifest.entries[claim]) in manifest.claims


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


def find_unknown(manifest: Manifest, evidence: tuple[UsedEvidence, ...]) -> tuple[int, ...]:
    """The positions of entries whose `id` no manifest entry has, or whose digest contradicts it."""
    return tuple(
        position
        for position, entry in enumerate(evidence)
        if entry.id is not None and _find_listed(manifest, entry) is None
    )


def identify(manifest: Manifest, entry: UsedEvidence) -> Identity:
    """What an entry of an answer is. Whatever is not shown to be primary evidence is a claim."""
    key = _find_listed(manifest, entry) or (
        manifest.by_digest.get(entry.digest or "") if entry.id is None else None
    )
    if key is not None:
        key = manifest.spell(key)
        about = manifest.claims.get(key)
        if about is None and is_statement(entry.artifact or ""):
            about = _about_itself(key, manifest.load_bearing)
        return Identity(key, about)
    artifact = entry.artifact or ""
    mistaken = _find_mistaken(manifest, entry)
    own = is_repo_path(artifact) and not is_uri(artifact) and not is_statement(artifact)
    if own and entry.digest is not None and entry.id is None and not mistaken:
        return Identity(entry.digest, manifest.claims.get(entry.digest))
    stated = sorted(mistaken & manifest.claims.keys())
    if stated:
        return Identity(stated[0], manifest.claims[stated[0]])
    spelled = set(map(manifest.spell, find_spellings(entry)))
    key = min(spelled & manifest.claims.keys() or spelled, key=rank)
    return Identity(key, manifest.claims.get(key, mistaken or frozenset({ANYTHING})))


def _find_listed(manifest: Manifest, entry: UsedEvidence) -> str | None:
    """The manifest entry that this one names, by id or by place, and contradicts nowhere."""
    if entry.id is not None:
        listed = manifest.entries.get(entry.id)
        if listed is None or (entry.digest and listed.digest and entry.digest != listed.digest):
            return None
        return manifest.key_of(listed)
    if entry.digest is not None:
        return None
    return manifest.by_place.get((entry.artifact or "", entry.revision or ""))


def _find_mistaken(manifest: Manifest, entry: UsedEvidence) -> frozenset[str]:
    """The manifest entries that this one names without being them: no digest, or another one."""
    if entry.id is not None:
        listed = manifest.entries.get(entry.id)
        return frozenset() if listed is None else frozenset({manifest.key_of(listed)})
    place = manifest.by_place.get((entry.artifact or "", entry.revision or ""))
    if place is not None:
        return frozenset({manifest.spell(place)})
    paths = manifest.by_path.get(entry.artifact or "", frozenset()) if not entry.digest else ()
    return frozenset(map(manifest.spell, paths))
