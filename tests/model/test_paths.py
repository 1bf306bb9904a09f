"""One table builds paths and reads them, so each is what the other says."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.model.paths import (
    LEDGER,
    PLACES,
    POLICY,
    SIGNATURES,
    TRUSTED_ROOT,
    Location,
    directory_of,
    evidence_directory,
    find_location,
    next_file_number,
    path_of,
)
from tests.support.files import ID
from tests.support.tables import table

NAMES = st.from_regex(r"[a-z0-9][a-z0-9_-]{0,62}", fullmatch=True)
NUMBERS = st.integers(min_value=1, max_value=999_999)


@given(kind=st.sampled_from(sorted(PLACES)), name=NAMES, round_number=NUMBERS, number=NUMBERS)
def test_what_is_built_is_read(kind: str, name: str, round_number: int, number: int) -> None:
    path = path_of(kind, ID, round_number=round_number, name=name, number=number)
    place = PLACES[kind]
    location = Location(
        path,
        kind,
        ID,
        round_number if "{round}" in place else 0,
        name if "{name}" in place else "",
        number if "{number}" in place else 0,
    )
    assert path.startswith(directory_of(ID))
    assert find_location(path) == location
    for scheme, suffix in SIGNATURES.items():
        found = find_location(path + suffix)
        assert found is not None
        assert (found.path, found.kind, found.signature) == (path, kind, scheme)


@table(
    ("path", "kind"),
    {
        "policy": (POLICY, "policy"),
        "trusted root": (TRUSTED_ROOT, "trusted_root"),
        "ledger": (LEDGER, "ledger"),
        "readme": ("decisions/README.md", "readme"),
        "template": ("decisions/templates/adr.md", "template"),
        "evidence": (f"{evidence_directory(ID)}a/b.diff", "evidence"),
        "evidence that looks signed": (f"{evidence_directory(ID)}a.sig", "evidence"),
    },
)
def test_shared_files(path: str, kind: str) -> None:
    location = find_location(path)
    assert location is not None
    assert (location.kind, location.signature) == (kind, None)


@pytest.mark.parametrize(
    "path",
    [
        "decisions/x.yaml",
        "decisions/x.yaml.sig",
        "src/a.py",
        f"decisions/{ID}",
        f"decisions/{ID}/rounds/0/round.yaml",
        f"decisions/{ID}/rounds/01/round.yaml",
        f"decisions/{ID}/rounds/1/votes/A.yaml",
        f"decisions/{ID}/rounds/1/votes/a/b.yaml",
        f"decisions/{ID}/rounds/1/votes/a.yaml\n",
        f"decisions/{ID}/rounds/1/affirmations/a.0.yaml",
        f"decisions/{ID}/record.yaml.sig.sig",
        f"Decisions/{ID}/record.yaml",
    ],
)
def test_nothing_else_belongs_there(path: str) -> None:
    assert find_location(path) is None


def test_files_of_one_name_are_numbered() -> None:
    runs = (("plan", 1), ("plan", 12), ("other", 30))
    paths = [path_of("check", ID, name=name, number=number) for name, number in runs]
    assert next_file_number(["decisions/README.md", *paths], "plan") == 13
    assert next_file_number(paths, "third") == 1


def test_places_are_not_prefixes_of_each_other() -> None:
    given_: dict[str, Any] = {"round_number": 1, "name": "a", "number": 1}
    assert len({path_of(kind, ID, **given_) for kind in PLACES}) == len(PLACES)
