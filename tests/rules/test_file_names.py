"""Names of evidence files that some clones cannot check out (section 3.3)."""

from __future__ import annotations

import pytest

from accord.model.evidence import ManifestEntry
from accord.rules.file_names import check_file_names, find_unportable
from tests.support import files as b
from tests.support.tables import table

UNPORTABLE = {
    "a:b": "a name with :",
    'say "so".txt': 'a name with "',
    "what?": "a name with ?",
    "a/b*": "a name with *",
    "a\nb": "the character U+000A",
    "nul": "a device",
    "CON.txt": "a device",
    "com1.tar.gz": "a device",
    "lpt\u00b9": "a device",
    "aux .txt": "a device",
    "a./b": "ends in a dot or a space",
    "b ": "ends in a dot or a space",
}
PORTABLE = ("console.txt", "com10", "auxiliary", "a b.txt", ".hidden", "été.log", "nul-run.log")


@pytest.mark.parametrize("path", UNPORTABLE)
def test_what_windows_cannot_check_out(path: str) -> None:
    assert UNPORTABLE[path] in (find_unportable(path) or "")


@pytest.mark.parametrize("path", PORTABLE)
def test_what_it_can(path: str) -> None:
    assert find_unportable(path) is None


OWN = f"decisions/{b.ID}/evidence/"


def listed(*names: str) -> tuple[ManifestEntry, ...]:
    return tuple(
        b.change(b.LOG, id=f"e{number}", artifact=name) for number, name in enumerate(names)
    )


@table(
    ("evidence", "faults"),
    {
        "plain names": (listed(f"{OWN}a", f"{OWN}b"), []),
        "a device": (listed(f"{OWN}a", f"{OWN}aux.log"), ["path-invalid evidence[1].artifact"]),
        "two cases": (listed(f"{OWN}Run.log", f"{OWN}run.log"), ["id-clash evidence[1].artifact"]),
        "two encodings": (
            listed(f"{OWN}\u00e9", f"{OWN}e\u0301"),
            ["id-clash evidence[1].artifact"],
        ),
        "one file twice": (listed(f"{OWN}a", f"{OWN}a"), []),
        "a file of the repository": (listed("src/aux.c"), []),
        "a text": ((b.SUMMARY,), []),
    },
)
def test_manifests(evidence: tuple[ManifestEntry, ...], faults: list[str]) -> None:
    found = check_file_names(evidence, b.ID, "p.yaml")
    assert [f"{one.code} {one.field}" for one in found] == faults
