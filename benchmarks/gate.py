"""What the gate costs beside few and many decisions: `python benchmarks/gate.py`.

The hook with one changed vote, the range that brings one decision, in a clone that has just been
made and in one where the older decisions are known, the full audit without and with what an
earlier one remembered, and `git verify-commit` over signed commits, which is what
people use who rely on those. docs/benchmarks.md says what each line means.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from accord.signing.ssh_keygen import generate_key
from accord.store.mentions import FILE as MENTIONS
from benchmarks.generate import SIGNED, generate, run_git
from benchmarks.run import (
    ACCORD,
    HOOK,
    Place,
    Runs,
    Sample,
    read_sizes,
    run_in_turns,
    run_once,
    scratch_environment,
)

RANGE = (*ACCORD, "verify", "--range", "main~1..main", "--branch", "main")
KNOWN = Path(".git", MENTIONS)
AUDIT = (*ACCORD, "verify", "--rev", "main", "--tree-only")
COMMITS = 100  # signed commits that git verifies, one after another


def write_line(what: str, *values: str) -> None:
    """One line of the table."""
    sys.stdout.write(f"{what:<34}" + "".join(f"{value:>16}" for value in values) + "\n")
    sys.stdout.flush()


def tell(runs: Runs) -> str:
    """Seconds and megabytes."""
    return f"{runs.elapsed:.2f} s {runs.memory:.0f} MB"


def measure(place: Place, times: int) -> dict[str, Runs]:
    """Everything for one repository."""
    found = {"range, first": Runs(tuple(run_first(place) for _ in range(times)))}
    learn(place)
    found |= zip(("range", "hook"), run_in_turns(times, place, RANGE, HOOK), strict=True)
    remembered = place.folder / ".git" / "accord" / "cache.sqlite"
    remembered.unlink(missing_ok=True)
    found["audit, cold"] = Runs((run_once(AUDIT, place),))
    found["audit, warm"] = Runs((run_once(AUDIT, place),))
    return found


def run_first(place: Place) -> Sample:
    """The range in a clone that knows nothing of the older decisions."""
    (place.folder / KNOWN).unlink(missing_ok=True)
    return run_once(RANGE, place)


def learn(place: Place) -> None:
    """Judge the range until there is nothing more to learn: each run reads some more of them."""
    before, known = None, place.folder / KNOWN
    while before != (before := known.read_bytes()):
        run_once(RANGE, place)


def measure_commits(folder: Path, environment: dict[str, str]) -> float:
    """Seconds that `git verify-commit` takes for one signed commit."""
    repository = folder / "signed-commits"
    repository.mkdir()
    run_git(repository, "init", "--quiet")
    public = generate_key(folder / "key", "somebody")
    (folder / "allowed").write_text(f"somebody@example.org {public.line}\n")
    for key, value in {
        "user.name": "Some Body",
        "user.email": "somebody@example.org",
        "gpg.format": "ssh",
        "user.signingkey": str(folder / "key"),
        "gpg.ssh.allowedSignersFile": str(folder / "allowed"),
    }.items():
        run_git(repository, "config", key, value)
    for number in range(COMMITS):
        run_git(repository, "commit", "--quiet", "--allow-empty", "-S", "-m", str(number))
    script = repository / ".git" / "verify-in-a-loop"
    commits = run_git(repository, "rev-list", "HEAD").split()
    script.write_text("".join(f"git verify-commit {commit} 2>/dev/null\n" for commit in commits))
    (loop,) = run_in_turns(1, Place(repository, environment), ("sh", "-e", str(script)))
    return loop.elapsed / COMMITS


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Measure what the gate costs.")
    parser.add_argument("--sizes", type=read_sizes, default=(10, 10_000), metavar="10,10000")
    parser.add_argument("--runs", type=int, default=5, help="how often hook and range are run")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="accord-gate-") as name:
        folder = Path(name)
        environment = scratch_environment(folder)
        sizes = options.sizes
        found = []
        for size in sizes:
            generate(folder / str(size), size)
            found.append(measure(Place(folder / str(size), environment), options.runs))
        write_line("decisions", *(f"{size:,}" for size in sizes), "ratio")
        for what in found[0]:
            of_sizes = [one[what] for one in found]
            ratio = of_sizes[-1].elapsed / of_sizes[0].elapsed
            write_line(what, *map(tell, of_sizes), f"{ratio:.2f}")
        by_git = measure_commits(folder, environment)
        files = sizes[-1] * len(SIGNED)
        cold, warm = (found[-1][f"audit, {how}"].elapsed / files for how in ("cold", "warm"))
        write_line("git verify-commit, one commit", f"{by_git * 1000:.2f} ms")
        write_line("audit, one signed file", f"{cold * 1000:.2f} ms", f"{by_git / cold:.1f} times")
        write_line("audit, warm", f"{warm * 1000:.2f} ms", f"{by_git / warm:.1f} times")


if __name__ == "__main__":
    main()
