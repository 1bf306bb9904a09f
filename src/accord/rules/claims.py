"""What a claim is called: one claim is one, however it is written (section 3.5)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from accord.model.evidence import ManifestEntry, UsedEvidence, is_uri
from accord.model.ids import digest_bytes
from accord.model.paths import ROOT, find_location
from accord.model.uri import normalise_uri

# What a claim is about of which nobody says it: perhaps all that the decision rests on.
ANYTHING = "*"
_LONG = 120


def is_statement(artifact: str | None) -> bool:
    """Whether an artifact is a file of accord itself: what was said, not evidence."""
    if artifact is None or not artifact.startswith(f"{ROOT}/"):
        return False
    location = find_location(artifact)
    return location is None or location.kind != "evidence"


def name_claim(entry: ManifestEntry) -> str | None:
    """The name of a claim that has no digest: its URI, or its words; None for a path or an id."""
    if entry.artifact is not None and is_uri(entry.artifact):
        return f"uri:{normalise_uri(entry.artifact)}"
    return _name_words(entry.text) if entry.text is not None else None


def find_spellings(entry: ManifestEntry | UsedEvidence) -> frozenset[str]:
    """All that a claim is known by: digest, URI, words or path; an id where there is none.

    What stands as an artifact may be the words themselves.
    """
    artifact = entry.artifact or ""
    text = entry.text if isinstance(entry, ManifestEntry) else None
    named = {entry.digest} if entry.digest else set()
    if is_uri(artifact):
        named.add(f"uri:{normalise_uri(artifact)}")
    elif artifact:
        named |= {f"path:{artifact}", _name_words(artifact)}
    if text is not None:
        named.add(_name_words(text))
    return frozenset(named or {f"id:{entry.id}"})


def _name_words(text: str) -> str:
    """Words are the same words wherever their lines are broken."""
    return f"text:{digest_bytes(' '.join(text.split()).encode())}"


def rank(name: str) -> tuple[bool, str]:
    """Which of several names of a claim is its key: a digest before all others."""
    return not name.startswith("sha256:"), name


def call(entry: UsedEvidence) -> str:
    """What people call what somebody cites: its path, its URI, or the first of its words."""
    if entry.artifact is None:
        return entry.id or entry.digest or "(nothing)"
    return entry.artifact if len(entry.artifact) <= _LONG else f"{entry.artifact[:_LONG]}…"


def list_text_digests(text: str) -> tuple[str, ...]:
    """The digests of the files that hold these words and nothing else."""
    bare = text.rstrip("\n")
    return tuple(digest_bytes(form.encode()) for form in (bare, f"{bare}\n"))


def join_spellings(
    groups: Iterable[Collection[str]], fixed: Collection[str] = ()
) -> Mapping[str, str]:
    """Each name of a claim → its key, where names that stand together once are of one claim.

    The key is one of `fixed` if there is such a name, else the first.
    """
    leader: dict[str, str] = {}

    def find(name: str) -> str:
        path = []
        while leader.setdefault(name, name) != name:
            path.append(name)
            name = leader[name]
        leader.update(dict.fromkeys(path, name))
        return name

    for group in groups:
        leaders = sorted(
            {find(name) for name in group}, key=lambda one: (one not in fixed, rank(one))
        )
        leader.update(dict.fromkeys(leaders, leaders[0]))
    return {name: find(name) for name in tuple(leader)}
