"""What decisions mention: found whether it was read before or not, and read once."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from accord.cli.main import run
from accord.errors import CannotJudge
from accord.model.base import Record
from accord.model.paths import PLACES, TEXTS, path_of
from accord.model.proposal import Consequences, Enacted, Option, Proposal
from accord.model.resolution import Adopted, Amendment
from accord.store import mentions, recent
from accord.store.git import Repository
from accord.store.mentions import FILE, Mention, Mentions
from accord.store.parse import parse_file
from accord.store.tree import MemoryTree, OverlayTree, Tree, is_match
from accord.store.writer import dump
from benchmarks.generate import generate
from tests.store.examples import DIGEST
from tests.support.repos import Repo
from tests.support.tables import table

OLD, ONE, TWO = "2026-11-30-old", "2026-11-30-one", "2026-11-30-two"
TEXT = Mention("text", "Let us keep three copies.")

PROPOSAL = Proposal(
    decision=ONE,
    round=1,
    title="Copies",
    class_="architecture",
    proposer="dana",
    context="Disks fail.",
    text=TEXT.what,
    options=(
        Option(name="three", pros=("safe",), cons=("dear",)),
        Option(name="one", pros=("cheap",), cons=("unsafe",)),
    ),
    consequences=Consequences(good=("safe",), bad=("dear",)),
)
AMENDMENT = Amendment(
    decision=ONE,
    round=2,
    by="olga",
    at="2026-11-30T09:00:00Z",
    ballot=DIGEST,
    transcript=DIGEST,
    amendments=(Adopted(voter="dana", vote=DIGEST, alternative="Four."),),
    text="Let us keep four copies.",
)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were read, by path."""
    paths: list[str] = []

    def parse(data: bytes, path: str, kind: str, _ask_again: object = None) -> object:
        paths.append(path)
        return parse_file(data, path, kind)

    monkeypatch.setattr(mentions, "parse_file", parse)
    monkeypatch.setattr(recent, "parse_file", parse)
    return paths


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo.init(tmp_path / "repo")


def put(record: Record, decision: str = ONE, round_number: int = 1) -> dict[str, bytes]:
    kind = "amendment" if isinstance(record, Amendment) else "proposal"
    return {path_of(kind, decision, round_number=round_number): dump(record, kind)}


def find(tree: Tree, *wanted: Mention, keeper: Mentions | None = None) -> list[list[str]]:
    found = (keeper or Mentions()).find(tree, wanted)
    return [sorted(found[mention]) for mention in wanted]


def look(repo: Repo, commit: str, *wanted: Mention) -> list[list[str]]:
    """What a new run finds in a commit."""
    repository = Repository.discover(repo.path)
    return find(repository.commit(commit), *wanted, keeper=repository.mentions)


@table(
    ("record", "wanted"),
    {
        "text": (PROPOSAL, [TEXT]),
        "amended text": (AMENDMENT, [Mention("text", "Let us keep four copies.")]),
        "reopens": (
            replace(PROPOSAL, reopens=OLD),
            [Mention("redecides", OLD), Mention("names", OLD)],
        ),
        "supersedes": (
            replace(PROPOSAL, supersedes=OLD),
            [Mention("redecides", OLD), Mention("names", OLD)],
        ),
        "continues": (replace(PROPOSAL, continues=OLD), [Mention("names", OLD)]),
        "enacts": (
            replace(PROPOSAL, enacts=(Enacted(path="decisions/policy.yaml", digest=DIGEST),)),
            [Mention("enacts", DIGEST)],
        ),
        "enacts amended": (
            replace(AMENDMENT, enacts=(Enacted(path="decisions/policy.yaml", digest=DIGEST),)),
            [Mention("enacts", DIGEST)],
        ),
    },
)
@pytest.mark.parametrize("whole", [1000, 0], ids=["read", "searched"])
def test_finds_what_proposals_and_amendments_mention(
    record: Record, wanted: Sequence[Mention], whole: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mentions, "_READ_WHOLE", whole)
    other = replace(PROPOSAL, text="Something else, and no more.")
    tree = MemoryTree(put(record, round_number=7) | put(other, TWO))
    everything = (
        TEXT,
        Mention("text", "Let us keep four copies."),
        Mention("text", OLD),
        *(Mention(how, OLD) for how in ("redecides", "names")),
        Mention("enacts", DIGEST),
    )
    found = Mentions().find(tree, everything)

    expected = {TEXT} if isinstance(record, Proposal) else {everything[1]}
    assert {mention for mention in everything if found[mention]} == {*wanted, *expected}
    assert set(found.values()) == {frozenset(), frozenset({ONE})}


def test_names_others_and_not_itself() -> None:
    tree = MemoryTree(
        put(replace(PROPOSAL, continues=TWO), TWO) | put(replace(PROPOSAL, continues=TWO))
    )
    assert Mentions().list_naming(tree, TWO) == (ONE,)


def test_what_is_no_proposal_mentions_nothing() -> None:
    (path, data), *_ = put(PROPOSAL).items()
    garbage = {path: data + b"- no yaml", path_of("proposal", ONE, round_number=2): b""}
    elsewhere = {
        "decisions/no-decision/rounds/1/proposal.yaml": data,
        path.replace("/1/", "/01/"): data,
        path + "/deeper": data,
        path_of("vote", ONE, round_number=1, name="dana"): data,
    }
    assert find(MemoryTree(garbage), TEXT) == [[]]
    assert find(MemoryTree(elsewhere), TEXT) == [[]]
    assert find(MemoryTree({path: data}, {path: "120000"}), TEXT) == [[]]
    assert find(MemoryTree({}), TEXT) == [[]]
    assert Mentions().find(MemoryTree({path: data}), ()) == {}


def test_texts_are_where_their_kinds_are() -> None:
    for kind, place in PLACES.items():
        fits = is_match(place.format(round=3, name="dana", number=1), TEXTS)
        assert fits is (kind in ("proposal", "amendment"))


def test_what_was_read_is_not_read_again(repo: Repo, read: list[str]) -> None:
    first = repo.commit(put(PROPOSAL))
    second = repo.commit(put(replace(PROPOSAL, text="Another."), TWO))

    assert look(repo, first, TEXT) == [[ONE]]
    assert look(repo, first, TEXT, Mention("names", OLD)) == [[ONE], []]
    assert look(repo, second, TEXT, Mention("text", "Another.")) == [[ONE], [TWO]]
    assert read == [path_of("proposal", name, round_number=1) for name in (ONE, TWO)]


def test_what_changed_is_read_again(repo: Repo, read: list[str]) -> None:
    repo.commit(put(PROPOSAL))
    commit = repo.commit(put(replace(PROPOSAL, text="Another.")))
    repository = Repository.discover(repo.path)
    tree = repository.commit(commit)
    again = OverlayTree(tree, put(PROPOSAL, TWO) | put(PROPOSAL))
    gone = OverlayTree(tree, dict.fromkeys(put(PROPOSAL)))
    wanted = (TEXT, Mention("text", "Another."))

    assert find(tree, *wanted, keeper=repository.mentions) == [[], [ONE]]
    assert find(again, *wanted, keeper=repository.mentions) == [[ONE, TWO], []]
    assert find(gone, *wanted, keeper=repository.mentions) == [[], []]
    assert find(tree, *wanted, keeper=repository.mentions) == [[], [ONE]]
    assert len(read) == 2  # two of the three have equal bytes


def test_a_directory_that_was_no_decision_is_read_when_it_is_one(repo: Repo) -> None:
    ((path, data),) = put(PROPOSAL).items()
    first = repo.commit({path.replace(ONE, "odd"): data})
    second = repo.commit({path: data})

    assert look(repo, first, TEXT) == [[]]
    assert look(repo, second, TEXT) == [[ONE]]


def test_many_are_searched_first_and_read_by_and_by(
    repo: Repo, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mentions, "_READ_WHOLE", 2)
    monkeypatch.setattr(mentions, "_READ_TOGETHER", 2)
    names = [f"2026-11-30-{number}" for number in range(1, 6)]
    texts = [replace(PROPOSAL, text=f"The text of {number}.") for number in range(1, 6)]
    files = [put(one, name) for one, name in zip(texts, names, strict=True)]
    commit = repo.commit({path: data for one in files for path, data in one.items()})
    last = Mention("text", "The text of 5.")
    seen = []
    for _ in range(4):
        assert look(repo, commit, last) == [names[4:]]
        seen.append([path.split("/")[1] for path in read])
        read.clear()

    assert seen == [[*names[:2], names[4]], names[2:4], [], []]


@table(
    ("spoil",),
    {
        "cut short": (lambda file: os.truncate(file, 40),),
        "empty": (lambda file: os.truncate(file, 0),),
        "a bit changed": (lambda file: file.write_bytes(file.read_bytes()[:-1] + b"?"),),
        "too large": (lambda file: os.truncate(file, mentions.MOST_BYTES + 1),),
        "gone": (os.unlink,),
    },
)
def test_a_file_that_is_no_good_is_begun_anew(repo: Repo, read: list[str], spoil: object) -> None:
    assert callable(spoil)
    commit = repo.commit(put(PROPOSAL))
    file = repo.path / ".git" / FILE
    look(repo, commit, TEXT)
    written = file.read_bytes()
    spoil(file)

    assert look(repo, commit, TEXT) == [[ONE]]
    assert len(read) == 2
    assert file.read_bytes() == written


def test_another_version_reads_for_itself(
    repo: Repo, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = repo.commit(put(PROPOSAL))
    look(repo, commit, TEXT)
    monkeypatch.setattr(mentions, "__version__", "99.0")

    assert look(repo, commit, TEXT) == [[ONE]]
    assert len(read) == 2


@table(
    ("make",),
    {
        "others can write it": (lambda file: file.chmod(0o666),),
        "a link": (lambda file: (file.rename(f"{file}.real"), file.symlink_to(f"{file}.real")),),
        "a folder": (lambda file: (file.unlink(), file.mkdir()),),
        "in a file": (
            lambda file: (file.unlink(), file.parent.rmdir(), file.parent.write_bytes(b"")),
        ),
    },
)
def test_what_is_not_ours_is_left_alone(repo: Repo, read: list[str], make: object) -> None:
    assert callable(make)
    commit = repo.commit(put(PROPOSAL))
    file = repo.path / ".git" / FILE
    look(repo, commit, TEXT)
    make(file)
    before = {path: path.lstat() for path in file.parent.rglob("*")}

    assert look(repo, commit, TEXT) == [[ONE]]
    assert len(read) == 2
    assert {path: path.lstat().st_mtime_ns for path in before} == {
        path: about.st_mtime_ns for path, about in before.items()
    }


def test_a_disk_that_refuses_changes_no_answer(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    commit = repo.commit(put(PROPOSAL))

    def refuse(*_: object) -> None:
        raise OSError("no room")

    monkeypatch.setattr(Path, "replace", refuse)
    assert look(repo, commit, TEXT) == [[ONE]]
    assert list((repo.path / ".git" / FILE.parent).iterdir()) == []


def test_a_missing_file_may_mention_anything(repo: Repo) -> None:
    commit = repo.commit(put(PROPOSAL))
    blob = repo.blob(next(iter(put(PROPOSAL).values())))
    (repo.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(CannotJudge, match="is not in this repository"):
        look(repo, commit, TEXT)


@table(
    ("options", "kept"),
    {
        "a range": (["--range", "work~1..work"], True),
        "a history": (["--history"], True),
        "without a cache": (["--history", "--no-cache"], False),
    },
)
def test_what_is_kept_by_a_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], kept: bool
) -> None:
    generate(tmp_path, 1)
    monkeypatch.chdir(tmp_path)
    assert run(["verify", "--branch", "work", *options]) == 0
    assert (tmp_path / ".git" / FILE).exists() is kept
