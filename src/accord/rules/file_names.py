"""Names of evidence files that some clones cannot check out, or not side by side (section 3.3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from unicodedata import normalize

from accord.model.evidence import ManifestEntry
from accord.model.finding import Finding
from accord.model.paths import evidence_directory

_RESERVED = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])[ ]*(?:\.|\Z)",
    re.IGNORECASE,
)
_FORBIDDEN = re.compile(r'[<>:"|?*\\\x00-\x1f]')


def find_unportable(path: str) -> str | None:
    """Why Windows cannot check out a path, in words; None where it can."""
    for name in path.split("/"):
        odd = _FORBIDDEN.search(name)
        if odd is not None:
            shown = odd[0] if odd[0].isprintable() else f"the character U+{ord(odd[0]):04X}"
            return f"a name with {shown}"
        if _RESERVED.match(name):
            return f"the name {name}, which stands for a device there"
        if name.endswith((".", " ")):
            return "a name that ends in a dot or a space"
    return None


def check_file_names(
    evidence: Iterable[ManifestEntry], decision: str, path: str
) -> Iterator[Finding]:
    """Faults of the names that a manifest gives to the files of its own evidence directory.

    Files elsewhere in the repository have the names that its people gave them.
    """
    own = evidence_directory(decision)
    folded: dict[str, str] = {}
    for position, entry in enumerate(evidence):
        artifact = entry.artifact
        if artifact is None or not artifact.startswith(own):
            continue
        field = f"evidence[{position}].artifact"
        why = find_unportable(artifact)
        if why is not None:
            yield Finding(
                code="path-invalid",
                path=path,
                field=field,
                message=f"Windows cannot check out {artifact!r}: {why}",
                hint="Before the round opens, give the file another name and list that.",
            )
        other = folded.setdefault(normalize("NFC", artifact).casefold(), artifact)
        if other != artifact:
            yield Finding(
                code="id-clash",
                path=path,
                field=field,
                message=f"{artifact} and {other} differ only in case or in how a letter is"
                " encoded: in many clones one takes the place of the other",
                hint="Before the round opens, give one of them another name and list that.",
            )
