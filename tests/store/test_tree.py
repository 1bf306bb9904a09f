"""One contract for every kind of tree: commit, index, memory, and what is laid over one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.store.git import Repository
from accord.store.tree import (
    MemoryTree,
    OverlayTree,
    Tree,
    TreeEntry,
    blob_id,
    find_differences,
    is_match,
    within,
)
from tests.support.repos import ObjectFormat, Repo
from tests.support.tables import table

FILES: dict[str, bytes] = {
    ".gitattributes": b"* text=auto\n",
    "a": b"a file whose name begins another",
    "a-b/c": b"between a and a/ in the order of bytes",
    "decisions/2026-11-30-one/rounds/1/proposal.yaml": b"one\n",
    "decisions/2026-11-30-one/rounds/1/votes/dana.yaml": b"\x00\xff\r\nbytes are kept\r\n",
    "decisions/2026-11-30-one-more/rounds/1/proposal.yaml": b"",
    "decisions/policy.yaml": b"policy\n",
    'odd/ leading, "quoted" and\ttab\n.yaml': b"odd",
    "odd/\udcff-not-utf-8": b"latin",
    "odd/ünïcode/ЖЖ": b"cyrillic",
}

Maker = Callable[[Path, Mapping[str, bytes]], Tree]


def in_memory(folder: Path, files: Mapping[str, bytes]) -> Tree:
    return MemoryTree(files)


def over_memory(folder: Path, files: Mapping[str, bytes]) -> Tree:
    """Half of the files from below, among others that are removed or changed."""
    names = sorted(files)
    below = {name: files[name] for name in names[::2]}
    old = {"gone/entirely/f": b"x", "decisions/2026-11-30-one/gone": b"x", names[1]: b"old"}
    above: dict[str, bytes | None] = {name: files[name] for name in names}
    return OverlayTree(MemoryTree(below | old), above | dict.fromkeys(list(old)[:2]))


def in_commit(object_format: ObjectFormat) -> Maker:
    def make(folder: Path, files: Mapping[str, bytes]) -> Tree:
        repo = Repo.init(folder, object_format)
        store(repo, files)
        repo.git("commit", "--quiet", "-m", "all")
        repository = Repository.discover(folder)
        return repository.commit(repo.git("rev-parse", "HEAD"))

    return make


def in_first_index(folder: Path, files: Mapping[str, bytes]) -> Tree:
    store(Repo.init(folder), files)
    return Repository.discover(folder).index()


def in_index_over_commit(folder: Path, files: Mapping[str, bytes]) -> Tree:
    """Like `over_memory`, in git: some committed, some changed, some gone, some new."""
    repo = Repo.init(folder, "sha256")
    names = sorted(files)
    old = {"gone/entirely/f": b"x", "decisions/2026-11-30-one/gone": b"x", names[1]: b"old"}
    store(repo, {name: files[name] for name in names[::2]} | old)
    repo.git("commit", "--quiet", "-m", "some")
    for name in list(old)[:2]:
        repo.git("update-index", "--force-remove", name)
    store(repo, files)
    return Repository.discover(folder).index()


def store(repo: Repo, files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        repo.stage_entry("100644", repo.blob(data), name)


MAKERS: dict[str, Maker] = {
    "memory": in_memory,
    "overlay": over_memory,
    "commit-sha1": in_commit("sha1"),
    "commit-sha256": in_commit("sha256"),
    "first-index": in_first_index,
    "index-over-commit": in_index_over_commit,
}


@pytest.fixture(params=MAKERS.values(), ids=list(MAKERS), scope="module")
def make(request: pytest.FixtureRequest) -> Maker:
    maker: Maker = request.param
    return maker


@pytest.fixture
def tree(make: Maker, tmp_path: Path) -> Tree:
    return make(tmp_path / "tree", FILES)


def test_lists_all_files_in_order_with_mode_and_id(tree: Tree) -> None:
    assert tree.list() == tuple(
        TreeEntry(path, "100644", blob_id(data, tree.object_format))
        for path, data in sorted(FILES.items())
    )


def test_reads_exact_bytes(tree: Tree) -> None:
    assert {path: tree.read(path) for path in FILES} == FILES


@table(
    ("prefix", "expected"),
    {
        "a-file": ("a", ["a"]),
        "a-folder": (
            "decisions/2026-11-30-one",
            [
                "decisions/2026-11-30-one/rounds/1/proposal.yaml",
                "decisions/2026-11-30-one/rounds/1/votes/dana.yaml",
            ],
        ),
        "with-slash": ("odd/ünïcode/", ["odd/ünïcode/ЖЖ"]),
        "part-of-a-name": ("decisions/2026-11-30-on", []),
        "nothing-there": ("nothing/there", []),
        "through-a-file": ("a/b/c", []),
    },
)
def test_lists_what_is_at_and_below_whole_names(
    tree: Tree, prefix: str, expected: list[str]
) -> None:
    assert [entry.path for entry in tree.list(prefix)] == expected


@table(
    ("folder", "expected"),
    {
        "root": ("", ("a-b", "decisions", "odd")),
        "decisions": ("decisions", ("2026-11-30-one", "2026-11-30-one-more")),
        "files-alone": ("decisions/2026-11-30-one/rounds/1/votes", ()),
        "with-slash": ("decisions/2026-11-30-one/", ("rounds",)),
        "a-file": ("a", ()),
        "nothing-there": ("gone", ()),
        "through-a-file": ("a/b", ()),
    },
)
def test_names_the_folders_directly_in_a_folder(
    tree: Tree, folder: str, expected: tuple[str, ...]
) -> None:
    assert tuple(tree.folders(folder)) == expected


@table(
    ("folder", "expected"),
    {
        "root": ("", (".gitattributes", "a")),
        "decisions": ("decisions", ("policy.yaml",)),
        "with-slash": ("decisions/2026-11-30-one/rounds/1/votes/", ("dana.yaml",)),
        "folders-alone": ("decisions/2026-11-30-one", ()),
        "a-file": ("a", ()),
        "nothing-there": ("gone/entirely", ()),
    },
)
def test_names_the_files_directly_in_a_folder(
    tree: Tree, folder: str, expected: tuple[str, ...]
) -> None:
    assert tree.files(folder) == expected


def test_reads_some_of_its_entries_together(tree: Tree) -> None:
    entries = tree.list()[::-1]

    assert list(tree.read_all(entries)) == [FILES[entry.path] for entry in entries]
    assert list(tree.read_all([])) == []


def test_finds_a_file_by_its_path(tree: Tree) -> None:
    found = tree.find("decisions/policy.yaml")

    assert found == TreeEntry(
        "decisions/policy.yaml", "100644", blob_id(b"policy\n", tree.object_format)
    )


@pytest.mark.parametrize(
    "path", ["", "decisions", "decisions/", "a/", "a/b", "./a", "nothing", "gone/entirely/f"]
)
def test_finds_no_file_where_none_is(tree: Tree, path: str) -> None:
    assert tree.find(path) is None
    with pytest.raises(KeyError):
        tree.read(path)


ONE = "decisions/2026-11-30-one"


@table(
    ("names", "expected"),
    {
        "one name each": ((["decisions"], ["policy.yaml"]), ["decisions/policy.yaml"]),
        "any": ((None,), [".gitattributes", "a"]),
        "some of many": (
            (["decisions"], ["2026-11-30-one", "nothing"], ["rounds"], None, ["proposal.yaml"]),
            [f"{ONE}/rounds/1/proposal.yaml"],
        ),
        "deeper": (
            (["decisions"], None, None, None, None, None),
            [f"{ONE}/rounds/1/votes/dana.yaml"],
        ),
        "two of one folder": ((None, None), ["decisions/policy.yaml", "odd/\udcff-not-utf-8"]),
        "odd names": ((["odd"], ["ünïcode"], ["ЖЖ"]), ["odd/ünïcode/ЖЖ"]),
        "a folder alone": ((["odd"], ["ünïcode"]), []),
        "none fit": ((["decisions"], []), []),
        "no names": ((), []),
    },
)
def test_matches_paths_name_by_name(
    tree: Tree, names: Sequence[Sequence[str] | None], expected: list[str]
) -> None:
    found = tree.match(*names)
    assert set(expected) <= {entry.path for entry in found}
    assert found == tuple(entry for entry in tree.list() if is_match(entry.path, names))


def test_an_id_of_a_folder_says_what_is_in_it(tmp_path: Path) -> None:
    same = {"one/a/f": b"x", "two/a/f": b"x", "two/b/f": b"y"}
    tree = in_commit("sha1")(tmp_path / "commit", same)
    ids = {**tree.folders("one"), **tree.folders("two")}
    changed = OverlayTree(tree, {"two/b/g": b"new", "two/c/f": b"new"}).folders("two")

    assert tree.folders("one")["a"] == tree.folders("two")["a"] != ids["b"] is not None
    assert changed == {"a": ids["a"], "b": None, "c": None}
    assert OverlayTree(tree, {"two/b/f": None}).folders("two") == {"a": ids["a"]}


def over_nothing(folder: Path, files: Mapping[str, bytes]) -> Tree:
    return OverlayTree(MemoryTree({}), files)


def in_empty_commit(folder: Path, files: Mapping[str, bytes]) -> Tree:
    commit = Repo.init(folder).commit(files)
    return Repository.discover(folder).commit(commit)


@pytest.mark.parametrize(
    "make_empty",
    [in_memory, in_first_index, in_empty_commit, over_nothing],
    ids=["memory", "index", "commit", "overlay"],
)
def test_nothing_is_in_an_empty_tree(make_empty: Maker, tmp_path: Path) -> None:
    tree = make_empty(tmp_path, {})

    assert tree.list() == ()
    assert tree.folders() == {}
    assert tree.files() == ()
    assert tree.find("a") is None


def test_modes_in_memory() -> None:
    tree = MemoryTree({"link": b"target", "plain": b""}, {"link": "120000"})

    assert [entry.mode for entry in tree.list()] == ["120000", "100644"]


def test_an_overlay_changes_only_what_differs() -> None:
    base = MemoryTree({"same": b"1", "other": b"2", "gone": b"3"}, object_format="sha256")
    tree = OverlayTree(base, {"same": b"1", "other": b"new", "gone": None, "never": None})

    assert tree.changed_paths() == ("gone", "other")
    assert tree.object_format == "sha256"
    assert {entry.path: tree.read(entry.path) for entry in tree.list()} == {
        "same": b"1",
        "other": b"new",
    }
    with pytest.raises(KeyError):
        tree.read("gone")


def test_an_overlay_lies_over_an_overlay() -> None:
    below = OverlayTree(MemoryTree({"a": b"1"}), {"b": b"2"})
    tree = OverlayTree(below, {"a": None, "c": b"3"})

    assert [entry.path for entry in tree.list()] == ["b", "c"]
    assert tree.read("b") == b"2"


def test_differences_are_of_bytes_and_of_modes() -> None:
    base = MemoryTree({"x/a": b"1", "x/b": b"1", "x/c": b"1", "y": b"1"})
    head = MemoryTree({"x/a": b"1", "x/b": b"2", "x/c": b"1", "x/d": b"1"}, {"x/c": "100755"})

    assert find_differences(base, head) == ("x/b", "x/c", "x/d", "y")
    assert find_differences(base, head, "x/") == ("x/b", "x/c", "x/d")


@given(
    st.sets(st.text("ab-/0", min_size=1, max_size=6)),
    st.text("ab-/0", max_size=4),
)
def test_within_is_what_a_plain_search_finds(names: set[str], prefix: str) -> None:
    paths = sorted(names)
    prefix = prefix.rstrip("/")
    expected = [
        path for path in paths if not prefix or path == prefix or path.startswith(f"{prefix}/")
    ]

    assert list(within(paths, prefix)) == expected
