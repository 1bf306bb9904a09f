"""Whether what answers cite is there, in commits and in trees (section 3.5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from accord.model.evidence import UsedEvidence
from accord.rules.evaluate import evaluate
from accord.store.tree import MemoryTree, Tree
from accord.verify.cited import find_cited, measure_answers
from tests.support import aftermath as a
from tests.support import files as b
from tests.support.tables import table

HEAD, BASE = MemoryTree({"a": b"new\n"}), MemoryTree({"a": b"old\n", "gone": b"old\n"})
OLD = b.digest_of("old\n")
HERE, ELSEWHERE = "4f" * 20, "5e" * 20


def find(artifact: str, revision: str) -> bytes | Literal["absent"] | None:
    """One commit is at hand."""
    if revision != HERE:
        return None
    return b"committed\n" if artifact == "a" else "absent"


@table(
    ("artifact", "revision", "digest", "found"),
    {
        "in its commit": ("a", HERE, None, b"committed\n"),
        "not in its commit": ("gone", HERE, None, "absent"),
        "a commit elsewhere": ("lost", ELSEWHERE, None, None),
        "its bytes in a tree": ("a", ELSEWHERE, OLD, b"old\n"),
        "other bytes in the trees": ("a", ELSEWHERE, b.digest_of("x"), None),
        "no commit: as it stands": ("a", None, None, b"new\n"),
        "no commit: the bytes that are named": ("a", None, OLD, b"old\n"),
        "no commit: as it stood": ("gone", None, None, b"old\n"),
        "no commit, and other bytes": ("a", None, b.digest_of("x"), b"new\n"),
        "nowhere": ("lost", None, None, "absent"),
    },
)
def test_where_it_is_looked_for(
    artifact: str, revision: str | None, digest: str | None, found: bytes | str | None
) -> None:
    assert find_cited((HEAD, BASE), find)(artifact, revision, digest) == found


LOST = UsedEvidence(artifact="lost")
SQUASHED = UsedEvidence(artifact="lost", revision=ELSEWHERE)


def measure(
    files: Any, trees: Sequence[Tree] = (HEAD, BASE), entering: set[str] | None = None, **more: Any
) -> tuple[list[str], tuple[str, ...]]:
    findings, unmeasured = measure_answers(evaluate(b.decide(files, **more)), trees, find, entering)
    return [finding.path for finding in findings], unmeasured


def test_votes_that_enter_are_looked_at() -> None:
    files = b.cast_all(b.open_round(), evidence=(*b.READ, LOST))
    path = files.votes[0].path
    assert measure(files, entering={path}) == ([path], ())
    assert measure(files, entering=set()) == ([], ())


def test_a_tree_alone_is_not_searched_for_what_names_no_commit() -> None:
    assert measure(b.cast_all(b.open_round(), evidence=(*b.READ, LOST))) == ([], ())
    named = b.change(LOST, revision=HERE)
    assert len(measure(b.cast_all(b.open_round(), evidence=(*b.READ, named)))[0]) == 3


def test_what_nobody_can_look_at_is_not_measured() -> None:
    found, unmeasured = measure(b.cast_all(b.open_round(), evidence=(*b.READ, SQUASHED)))
    assert found == []
    assert unmeasured == (
        f"evidence that answers to {b.ID} cite: the commits of lost are not at hand",
    )


def test_affirmations_and_second_looks_are_looked_at_too() -> None:
    files = b.affirm_all(b.cast_all(b.open_round()), evidence=(b.change(LOST, revision=HERE),))
    pinned = b.change(LOST, revision=HERE, digest="sha256:" + "0" * 64)
    look = a.rederivation_file(files, evidence=(*b.READ, pinned))
    found, _ = measure(files, rederivations=(look,))
    assert {path.split("/")[-2] for path in found} == {"affirmations", "rederivations"}


def test_a_round_that_was_followed_is_not_looked_at_again() -> None:
    objection = b.MAJOR | {"evidence": (b.change(LOST, revision=HERE),)}
    voted = b.cast(b.open_round(), challenger=objection, implementer={}, reviewer={})
    refused = b.resolve(voted, b.answer("challenger"))
    assert len(measure(refused)[0]) == 1
    findings, _ = measure_answers(
        evaluate(b.decide(refused, b.follow(refused))), (HEAD,), find, None
    )
    assert findings == ()


def test_a_draft_has_no_answers() -> None:
    assert measure_answers(evaluate(b.decide()), (HEAD,), find) == ((), ())
