"""Ways to spoil bytes and trees, as Hypothesis draws them."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st

# What means something to a parser of YAML, of JSON, to a terminal, to Unicode.
PIECES = (
    b"\n", b"  ", b"- ", b": ", b"'", b'"', b"|\n", b">\n", b"[", b"]", b"{", b"}", b"#", b"&a ",
    b"*a ", b"!!str ", b"? ", b"---\n", b"...\n", b"%YAML 1.2\n", b"\t", b"\r\n", b"\x00",
    b"\x1b[31m",
    b"\xef\xbb\xbf", b"\xe2\x80\xae", b"\xd0\xb0", b"\xff", b"null", b"~", b"1e3", b"0o7", b"0123",
    b"-0", b"9" * 40, b"true", b"<<: ", b"\\u0000", b"2026-11-30T12:00:00Z", b"sha256:" + b"0" * 64,
)  # fmt: skip

Edit = tuple[str, int, int, bytes]
TreeEdit = tuple[str, int, int, list[Edit]]

edits = st.tuples(
    st.sampled_from(("insert", "delete", "double", "swap", "cut")),
    st.integers(0, 1 << 20),
    st.integers(1, 80),
    st.sampled_from(PIECES),
)


def spoil(data: bytes, changes: list[Edit]) -> bytes:
    """Bytes after some edits."""
    for kind, place, size, piece in changes:
        at = place % (len(data) + 1)
        match kind:
            case "insert":
                data = data[:at] + piece + data[at:]
            case "delete":
                data = data[:at] + data[at + size :]
            case "double":
                data = data[: at + size] + data[at:]
            case "swap":
                data = (
                    data[:at]
                    + data[at + size : at + 2 * size]
                    + data[at : at + size]
                    + data[at + 2 * size :]
                )
            case _:
                data = data[:at]
    return data


tree_edits = st.lists(
    st.tuples(
        st.sampled_from(("spoil", "remove", "rename", "copy", "empty", "link")),
        st.integers(0, 1 << 16),
        st.integers(0, 1 << 16),
        st.lists(edits, max_size=4),
    ),
    min_size=1,
    max_size=4,
)


def spoil_tree(
    files: Mapping[str, bytes],
    changes: list[TreeEdit],
) -> tuple[dict[str, bytes], dict[str, str]]:
    """The files of a tree after some edits, and the modes of those that are no plain files."""
    spoiled, modes = dict(files), {}
    for kind, which, other, byte_edits in changes:
        paths = sorted(spoiled)
        if not paths:
            break
        path, target = paths[which % len(paths)], paths[other % len(paths)]
        match kind:
            case "spoil":
                spoiled[path] = spoil(spoiled[path], byte_edits)
            case "remove":
                del spoiled[path]
            case "rename":
                data = spoiled.pop(path)
                spoiled[f"{target.rpartition('/')[0]}/{path.rpartition('/')[2]}"] = data
            case "copy":
                spoiled[target] = spoiled[path]
            case "empty":
                spoiled[path] = b""
            case _:
                modes[path] = "120000"
    return spoiled, {path: mode for path, mode in modes.items() if path in spoiled}
