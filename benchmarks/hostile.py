"""What files cost that are made to be dear, against a vote of the same bytes: `hostile.py`.

Each is read as the server reads it, and refused. Also a path of 4,000 characters against a hundred
globs, and a blob of a gigabyte of zeros, of which only the size is asked.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent.parent))

from accord.rules.globs import fits
from accord.store.git import Repository
from accord.store.parse import parse_file
from benchmarks.generate import build_policy, decide

WHOLE = 256 * 1024
GIGABYTE = 1 << 30
HOSTILE = {
    "unknown keys": b"".join(b'k%d: "\\x41"\n' % number for number in range(20_000)),
    "keys that are nearly right": b"".join(b"cast_a%d: a\n" % n for n in range(20_000)),
    "flow that only the slow parser reads": b"a: {" + b"x:," * 60_000 + b"}\n",
    "the same, small enough to be asked": b"a: {" + b"x:," * 2_700 + b"}\n",
    "brackets that nothing closes": b"[" * WHOLE,
    "lines that may not be": b"---\n" * 60_000,
}


def main() -> None:
    """Print milliseconds, and how many times those of an honest file of as many bytes."""
    files = decide(0, build_policy(), "0" * 40).files
    vote = next(data for path, data in files.items() if path.endswith("votes/challenger.yaml"))
    honest = take(lambda: parse_file(vote, "x", "vote")) / len(vote)
    for name, data in HOSTILE.items():
        hostile = data[:WHOLE]
        spent = take(lambda hostile=hostile: parse_file(hostile, "x", "vote"))  # type: ignore[misc]
        tell(name, spent, f"{spent / len(hostile) / honest:5.1f} times a vote of that length")
    globs = ["src/" + "*a" * 100 + f"b{number}" for number in range(100)]
    tell("a hundred globs", take(lambda: [fits("src/" + "a" * 4000, glob) for glob in globs]))
    with TemporaryDirectory() as folder:
        tell("the size of a gigabyte", measure_blob(Path(folder)))


def take(work: Callable[[], object], times: int = 3) -> float:
    """The least seconds of some runs."""
    return min(time_one(work) for _ in range(times))


def time_one(work: Callable[[], object]) -> float:
    """The seconds of one run."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def measure_blob(folder: Path) -> float:
    """How long it takes to know that a blob is too large to be read."""
    file = folder / "zeros"
    with file.open("wb") as opened:
        opened.truncate(GIGABYTE)
    git = ["git", "-C", str(folder)]
    subprocess.run([*git, "init", "--quiet"], check=True)
    made = subprocess.run([*git, "hash-object", "-w", "zeros"], check=True, capture_output=True)
    objects = Repository.discover(folder).objects
    return time_one(lambda: objects.read_up_to((made.stdout.decode().strip(),), WHOLE))


def tell(name: str, seconds: float, remark: str = "") -> None:
    """Print one line."""
    sys.stdout.write(f"{name:38}{seconds * 1000:8.1f} ms  {remark}\n")


if __name__ == "__main__":
    main()
