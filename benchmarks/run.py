"""What section 13 demands, measured in one run and told as ratios: `python benchmarks/run.py`.

Whatever is compared is run in turns, so that a busy machine slows down both. Times are medians;
beside each ratio of elapsed times stands that of processor times, which other programs disturb
less. docs/benchmarks.md says what each line means.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from accord.signing.keyring import allowed_signers
from benchmarks.generate import (
    AUTHORITY,
    SIGNED,
    VOTERS,
    build_policy,
    generate,
    plain_environment,
)

PYTHON = sys.executable
ACCORD = (PYTHON, "-m", "accord")
HOOK = (*ACCORD, "hook", "run", "accord-verify")
AUDIT = (*ACCORD, "verify", "--rev", "HEAD", "--tree-only")
READ_INDEX = ("git", "diff-index", "--cached", "--quiet", "HEAD", "--", "nothing")
# What each cannot do without: the libraries that read its options, files, keys and objects.
NEEDS_VERSION = "import click"
NEEDS_HOOK = (
    "import click, git, msgspec, rfc8785, _ruamel_yaml,"
    " cryptography.hazmat.primitives.asymmetric.ed25519"
)
LOOPED = 200  # signed files that ssh-keygen verifies
NEW_PAGES = 10  # pages that adr-tools makes
MILLION = 1_000_000


class Sample(NamedTuple):
    """One run of a command: elapsed and processor seconds, its children's too, and megabytes."""

    elapsed: float
    processor: float
    memory: float


@dataclass(frozen=True)
class Runs:
    """Several runs of one command."""

    samples: tuple[Sample, ...]

    @property
    def elapsed(self) -> float:
        """The median of elapsed seconds."""
        return statistics.median(sample.elapsed for sample in self.samples)

    @property
    def processor(self) -> float:
        """The median of processor seconds."""
        return statistics.median(sample.processor for sample in self.samples)

    @property
    def memory(self) -> float:
        """The most memory that any run took, in megabytes."""
        return max(sample.memory for sample in self.samples)

    @property
    def spread(self) -> float:
        """How far apart slow and quick runs are, as a part of the median: (max - min) / median."""
        times = [sample.elapsed for sample in self.samples]
        return (max(times) - min(times)) / self.elapsed


class Place(NamedTuple):
    """Where commands run: a folder, and the variables that they see."""

    folder: Path
    environment: Mapping[str, str]


def run_once(command: Sequence[str], place: Place) -> Sample:
    """Run a command, whatever it prints. Ends the benchmark when it cannot judge or is misused."""
    start = time.perf_counter()
    with subprocess.Popen(
        command, cwd=place.folder, env=dict(place.environment), stdout=subprocess.DEVNULL
    ) as process:
        with watch_memory(process.pid) as peak:
            _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    elapsed = time.perf_counter() - start
    if process.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    memory = max(peak(), used.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / MILLION)
    return Sample(elapsed, used.ru_utime + used.ru_stime, memory)


@contextmanager
def watch_memory(pid: int) -> Iterator[Callable[[], float]]:
    """What a process and its children take together at most, in megabytes; 0 if nobody says so."""
    peaks = [0.0]
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(0.05):
            peaks.append(sum(map(read_memory, find_processes(pid))))

    thread = threading.Thread(target=watch)
    if sys.platform == "linux":
        thread.start()
    try:
        yield lambda: max(peaks)
    finally:
        ended.set()
        if thread.ident is not None:
            thread.join()


def find_processes(pid: int) -> Iterator[int]:
    """A process and all below it."""
    yield pid
    with suppress(OSError):
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            yield from find_processes(int(child))


def read_memory(pid: int) -> float:
    """Its share of memory in megabytes: pages that several processes have are counted once."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024 / MILLION
    return 0.0


def run_in_turns(times: int, place: Place, *commands: Sequence[str]) -> tuple[Runs, ...]:
    """Run commands in turns, after one run of each that is not counted."""
    for command in commands:
        run_once(command, place)
    turns = [[run_once(command, place) for command in commands] for _ in range(times)]
    return tuple(Runs(tuple(samples)) for samples in zip(*turns, strict=True))


# ---------------------------------------------------------------------- what is measured


def write_line(what: str, measured: str, ratio: str, demanded: str = "") -> None:
    """One line of the table."""
    sys.stdout.write(f"{what:<26} {measured:<25} {ratio:<15} {demanded}".rstrip() + "\n")
    sys.stdout.flush()


def tell_ratio(one: Runs, other: Runs, less: Runs | None = None) -> str:
    """How many times as long one takes as another, without what is not its own."""
    elapsed = one.elapsed - (less.elapsed if less else 0)
    processor = one.processor - (less.processor if less else 0)
    return f"{elapsed / other.elapsed:.2f} ({processor / other.processor:.2f})"


def tell_times(one: Runs, other: Runs) -> str:
    """Both, in milliseconds, and how much the first varied."""
    varied = f"±{one.spread / 2:.0%}"
    return f"{one.elapsed * 1000:.0f} : {other.elapsed * 1000:.0f} ms {varied}"


class Hooks(NamedTuple):
    """The hook, bare Python with what it needs, and git that reads the index."""

    hook: Runs
    bare: Runs
    reading: Runs


def measure_hook(place: Place, size: int, times: int) -> Hooks:
    """The hook with one changed vote."""
    bare = (PYTHON, "-c", NEEDS_HOOK)
    hooks = Hooks(*run_in_turns(times, place, HOOK, bare, READ_INDEX))
    ratio = tell_ratio(hooks.hook, hooks.bare, hooks.reading)
    write_line(f"hook, {size:,}", tell_times(hooks.hook, hooks.bare), ratio, "at most 2.5")
    write_line("  git reads the index", f"{hooks.reading.elapsed * 1000:.0f} ms", "", "not counted")
    write_line("  memory", f"{hooks.hook.memory:.0f} MB", "")
    return hooks


def measure_audit(place: Place, size: int, times: int, least: str) -> None:
    """A full audit, against ssh-keygen in a loop."""
    script = write_loop(place.folder)
    audit, loop = run_in_turns(times, place, AUDIT, ("sh", "-e", str(script)))
    looped = min(LOOPED, size * len(SIGNED))
    files = size * len(SIGNED) + 2 + len(VOTERS)  # those of the decision under way too
    by_audit, by_loop = files / audit.elapsed, looped / loop.elapsed
    by_processor = files / audit.processor / (looped / loop.processor)
    write_line(
        f"audit, {size:,}",
        f"{by_audit:,.0f} : {by_loop:,.0f} files/s",
        f"{by_audit / by_loop:.1f} ({by_processor:.1f})",
        least,
    )
    write_line("  memory", f"{audit.memory:.0f} MB", "", "under 300 MB")


def write_loop(folder: Path) -> Path:
    """A script that verifies some of the signed files with ssh-keygen, one after another."""
    allowed = folder / ".git" / "allowed_signers"
    allowed.write_text(allowed_signers(build_policy()))
    signatures = sorted(folder.glob("decisions/*/rounds/**/*.sig"))[:LOOPED]
    lines = []
    for signature in signatures:
        file = signature.with_suffix("")
        signer = next((v for v in VOTERS if v == file.name.partition(".")[0]), AUTHORITY)
        lines.append(
            f"ssh-keygen -Y verify -f '{allowed}' -I {signer} -n accord -s '{signature}'"
            f" < '{file}'\n"
        )
    script = folder / ".git" / "verify-in-a-loop"
    script.write_text("".join(lines))
    return script


def measure_pages(place: Place, size: int) -> None:
    """ADR pages and their index, against adr-tools."""
    if subprocess.run((*ACCORD, "adr", "--help"), capture_output=True, check=False).returncode:
        write_line(f"ADR pages, {size:,}", "this accord has no ADR pages", "")
        return
    (index,) = run_in_turns(1, place, (*ACCORD, "adr", "--index"))
    (pages,) = run_in_turns(1, place, (*ACCORD, "adr", "--check"))
    tools = shutil.which("adr")
    if tools is None:
        for what, runs in (("ADR index", index), ("ADR pages", pages)):
            alone = f"{runs.elapsed / size * 1000:.1f} ms each"
            write_line(f"{what}, {size:,}", alone, "", "adr-tools is not installed")
        return
    other = write_records(place, size)
    (toc,) = run_in_turns(1, other, (tools, "generate", "toc"))
    (new,) = run_in_turns(
        1, other, ("sh", "-c", f"for i in $(seq {NEW_PAGES}); do adr new n; done")
    )
    for what, one, theirs in (("ADR index", index, toc), ("ADR pages", pages, new)):
        count = size if theirs is toc else 2 * NEW_PAGES
        each, its = one.elapsed / size * 1000, theirs.elapsed / count * 1000
        write_line(f"{what}, {size:,}", f"{each:.1f} : {its:.1f} ms each", f"{each / its:.2f}")


def write_records(place: Place, size: int) -> Place:
    """A folder in which adr-tools has as many records as there are decisions."""
    folder = place.folder.with_name(f"adr-tools-{size}")
    records = folder / "doc" / "adr"
    records.mkdir(parents=True)
    for number in range(1, size + 1):
        text = f"# {number}. A title\n\nDate: 2020-01-01\n\n## Status\n\nAccepted\n"
        (records / f"{number:04}-a-title.md").write_text(text)
    return Place(folder, {**place.environment, "EDITOR": "true", "VISUAL": "true"})


# ---------------------------------------------------------------------- the run


def scratch_environment(folder: Path) -> dict[str, str]:
    """The variables for measured commands: bytecode is kept, as it is for users."""
    environment = plain_environment() | {
        "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
        "XDG_STATE_HOME": str(folder / "state"),
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


def measure(folder: Path, sizes: Sequence[int], times: int) -> None:
    """Print the table."""
    environment = scratch_environment(folder)
    write_line("what", "accord : other", "ratio (CPU)", "section 13")
    version, click = run_in_turns(
        times, Place(folder, environment), (*ACCORD, "--version"), (PYTHON, "-c", NEEDS_VERSION)
    )
    write_line("accord --version", tell_times(version, click), tell_ratio(version, click))
    hooks: dict[int, Hooks] = {}
    for size in sizes:
        repository = folder / f"decisions-{size}"
        start = time.perf_counter()
        generate(repository, size)
        took = time.perf_counter() - start
        place = Place(repository, environment)
        write_line(f"(generated {size:,})", f"{took:.0f} s", "")
        hooks[size] = measure_hook(place, size, times)
        least = "at least 30" if size >= max(sizes) else ""
        measure_audit(place, size, max(1, min(times, 4000 // max(size, 1))), least)
        if size:
            measure_pages(place, size)
    if len(sizes) > 1:
        ends = (hooks[max(sizes)], hooks[min(sizes)])
        # Each against its own bare Python: minutes lie between, in which a machine changes.
        elapsed = [(one.hook.elapsed - one.reading.elapsed) / one.bare.elapsed for one in ends]
        processor = [
            (one.hook.processor - one.reading.processor) / one.bare.processor for one in ends
        ]
        ratio = f"{elapsed[0] / elapsed[1]:.2f} ({processor[0] / processor[1]:.2f})"
        write_line(f"hook, {max(sizes):,} : {min(sizes):,}", "", ratio, "the same: 1")


def read_sizes(text: str) -> tuple[int, ...]:
    """`10,2000` as numbers."""
    return tuple(sorted({int(size) for size in text.split(",")}))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and say under which conditions."""
    parser = argparse.ArgumentParser(description="Measure what section 13 demands.")
    parser.add_argument("--sizes", type=read_sizes, default=(10, 2000), metavar="10,2000")
    parser.add_argument("--runs", type=int, default=7, help="how often each command is run")
    options = parser.parse_args(arguments)
    if options.runs < 1 or min(options.sizes) < 1:
        parser.error("sizes and runs are 1 or more")
    cores, load = os.cpu_count() or 1, os.getloadavg()[0]
    sys.stdout.write(f"Python {sys.version.split()[0]}, {cores} cores, load {load:.1f}\n")
    if load > cores / 2:
        sys.stdout.write("The machine is busy: trust the ratios of processor time (CPU) more.\n")
    with tempfile.TemporaryDirectory(prefix="accord-benchmark-") as name:
        measure(Path(name), options.sizes, options.runs)


if __name__ == "__main__":
    main()
