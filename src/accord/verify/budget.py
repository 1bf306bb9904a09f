"""What a change brings, weighed before it is read (section 9, what judging may cost)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from accord.errors import CannotJudge
from accord.model.paths import ADR_DIRECTORY, ROOT, SIGNATURES, find_location
from accord.model.snapshot import Scheme
from accord.rules.budget import MOST_UNSIGNED, Entering, count_unsigned, weigh
from accord.signing.base import Good, Verifier
from accord.signing.keyring import KeyRing
from accord.signing.sigstore import verify_sigstore
from accord.signing.ssh import verify_ssh
from accord.store.git import Repository
from accord.store.load import load_policy
from accord.store.recent import MOST_ASKED_AGAIN, Recent
from accord.store.text import MAX_BYTES, MAX_EVIDENCE
from accord.verify.sources import find_trust

SETTING = "accord.unsigned"
MOST_HASHED = 2 << 30

_LOG = ("log", "--format=%H", "--topo-order", "-r", "-m", "--root", "--raw", "-z")
_ALL = ("--no-abbrev", "--no-renames", "--diff-filter=d", "--no-show-signature")
_DIGEST = re.compile(rb"sha256:[0-9a-f]{64}")
_VERIFIERS: dict[Scheme, Verifier] = {"ssh": verify_ssh, "sigstore": verify_sigstore}


class Budget:
    """What one change, or all that one push moves, may bring that nobody signed.

    From its making on what is read in this repository has its bounds too.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._most = _read_setting(repository)
        self._spent = 0
        repository.memory = Recent(MOST_ASKED_AGAIN)
        repository.objects.bound(MOST_HASHED)

    def require(self, base: str | None, head: str) -> None:
        """Take up what `head` brings upon `base` (None: upon nothing), before it is judged.

        Raises CannotJudge when it is too much.
        """
        repository = self._repository
        entering = list(_list_entering(repository, base, head))
        sizes = repository.sizes({oid for commit in entering for oid in commit.values()})
        commits = [
            [Entering(path, oid, sizes[oid]) for path, oid in commit.items()] for commit in entering
        ]
        files = [file for commit in commits for file in commit]
        weight = sum(map(weigh, files))
        if self._spent + weight > self._most:
            ring = _make_ring(repository, base, head)
            weight = count_unsigned(files, _find_vouched(repository, ring, commits))
        self._spent += weight
        if self._spent > self._most:
            raise CannotJudge(
                f"{head[:12]} brings files of {weight:,} bytes that no member answers for, and at"
                f" most {self._most:,} are judged at once",
                "push less at a time; or whoever runs this repository looks at it, and allows"
                f" more: git config {SETTING} {self._spent}",
            )


def _read_setting(repository: Repository) -> int:
    answer = repository.reading.ask("config", "--type=int", "--get", SETTING)
    return int(answer.text) if answer.status == 0 else MOST_UNSIGNED


def _list_entering(
    repository: Repository, base: str | None, head: str
) -> Iterator[Mapping[str, str]]:
    """For each commit the files that it brings or changes: path → object."""
    span = head if base is None else f"{base}..{head}"
    answer = repository.reading.list(*_LOG, *_ALL, span, "--", ROOT, ADR_DIRECTORY)
    if answer.status:
        raise CannotJudge(f"git cannot list what {span} brings: {answer.err}", repository.remedy)
    entering: dict[str, str] = {}
    oid = ""
    for word in answer.out.split(b"\0"):
        if oid:
            entering[word.decode("utf-8", "surrogateescape")] = oid
            oid = ""
        elif (about := word.lstrip(b"\n")).startswith(b":"):
            oid = about.split(b" ")[3].decode("ascii")
            if about.split(b" ")[1] == b"160000":
                oid = "0" * len(oid)
        elif entering:
            yield entering
            entering = {}
    if entering:
        yield entering


def _make_ring(repository: Repository, base: str | None, head: str) -> KeyRing:
    """The keys of the base; where there is no policy yet, of what comes."""
    trees = [repository.commit(one) for one in (base, head) if one is not None]
    policies = (load_policy(tree).policy for tree in trees)
    policy = next(filter(None, policies), None)
    if policy is None:
        return KeyRing({})
    return KeyRing.from_policy(policy, find_trust(policy, *trees), repository.memory.prove)


def _find_vouched(
    repository: Repository, ring: KeyRing, commits: Sequence[Sequence[Entering]]
) -> frozenset[Entering]:
    """What members signed in the same commit, and the evidence that they name by its digest."""
    vouched: set[Entering] = set()
    named: dict[str, set[bytes]] = {}
    for commit in commits:
        there = {file.path: file for file in commit if file.size <= MAX_BYTES}
        for file in there.values():
            for scheme, suffix in SIGNATURES.items():
                beside = there.get(file.path + suffix)
                if beside is None or beside in vouched:
                    continue
                data, signature = repository.objects.read_all((file.oid, beside.oid))
                if isinstance(_VERIFIERS[scheme](data, signature, ring), Good):
                    vouched |= {file, beside}
                    decision = file.path.split("/")[1]
                    named.setdefault(decision, set()).update(_DIGEST.findall(data))
    for file in (file for commit in commits for file in commit):
        location = find_location(file.path)
        digests = named.get(location.decision) if location is not None else None
        if location is not None and location.kind == "evidence" and digests:
            digest = repository.objects.digest(file.oid, MAX_EVIDENCE)
            if f"sha256:{digest}".encode() in digests:
                vouched.add(file)
    return frozenset(vouched)
