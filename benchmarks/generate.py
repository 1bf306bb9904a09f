"""A repository of N signed decisions, the same bytes for the same N: `generate.py 2000 FOLDER`.

Each decision is put to four voters, sealed, opened and affirmed, and has ended with a record and
a page. On the branch `work` one more is under way: HEAD holds its four seals, and one opened vote
is staged.
Keys are made from names and sign in this process, since a process for each of fourteen signatures
a decision would take minutes. They protect nothing: whoever reads this file has them.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from accord.flow.init import ATTRIBUTES
from accord.model.affirmation import COMMITMENT, Affirmation
from accord.model.ballot import PROTOCOL, Ballot
from accord.model.base import Record
from accord.model.evidence import ManifestEntry, UsedEvidence
from accord.model.ids import digest_bytes, digest_map
from accord.model.paths import POLICY, evidence_directory, path_of
from accord.model.policy import DecisionClass, Key, Member, Policy, Role, Seats
from accord.model.proposal import Consequences, Option, Proposal
from accord.model.vote import Assessment, Concern, Lineage, Rated, Reasoning, Seal, Vote
from accord.rules.evidence import digest_manifest
from accord.rules.roster import fill_rules, find_officers, seat_of
from accord.signing.ssh_envelope import HASHES, NAMESPACE, Envelope, armour
from accord.signing.wire import encode_string
from accord.store.tree import MemoryTree
from accord.store.writer import dump
from accord.verify import judge_decision
from accord.verify.library import Library, find_pages
from accord.verify.tree import tree_sources

VOTERS = ("implementer", "communication_specialist", "design_authority", "challenger")
AUTHORITY, DECIDER = "orchestrator", "dana"
CLASS = "architecture"
SIGNED = ("proposal", "round", *("seal", "vote", "affirmation") * len(VOTERS))
SOURCES = 20
BIRTH = datetime(2020, 1, 1, 9, tzinfo=UTC)
BETWEEN = timedelta(hours=7)
FORMAT = "ssh-ed25519"

ROLES: dict[str, tuple[Role, ...]] = {
    **dict.fromkeys(VOTERS, ("voter",)),
    "challenger": ("voter", "challenger"),
    AUTHORITY: ("authority",),
    DECIDER: ("decider",),
}
# What a decision is about, so that no two have the same text and all have a usual length.
SUBJECTS = ("orders", "invoices", "sessions", "shipments", "messages", "prices", "exports")
CHANGES = ("a partial index", "a queue", "a cache", "a read replica", "one schema", "a retry")
REASON = (
    "The {subject} grow by a tenth every month, and the slowest of the {count} queries that read"
    " them now takes {count} ms. With {change} the plan reads only what is open. The source shows"
    " where it is read, and the measurement that it is the only place which is slow."
)


@cache
def find_key(member: str) -> Ed25519PrivateKey:
    """The key of a member, the same on every machine."""
    seed = hashlib.sha256(f"accord benchmark key of {member}".encode()).digest()
    return Ed25519PrivateKey.from_private_bytes(seed)


@cache
def find_blob(member: str) -> bytes:
    """The public half, as it stands in signatures."""
    return encode_string(FORMAT.encode(), find_key(member).public_key().public_bytes_raw())


def sign(data: bytes, member: str) -> bytes:
    """A signature file over some bytes, as `ssh-keygen -Y sign` writes it."""
    blob, hash_name = find_blob(member), HASHES[-1]
    raw = find_key(member).sign(Envelope(blob, hash_name, b"").signed_bytes(data))
    signature = encode_string(FORMAT.encode(), raw)
    fields = encode_string(blob, NAMESPACE.encode(), b"", hash_name.encode(), signature)
    return armour(b"SSHSIG" + (1).to_bytes(4, "big") + fields)


def build_policy() -> Policy:
    """The policy of every generated repository."""
    seats = Seats(min=len(VOTERS), max=len(VOTERS), eligible=VOTERS)
    members = {
        name: Member(
            kind="human" if name == DECIDER else "agent",
            roles=roles,
            keys=(Key(ssh=f"{FORMAT} {base64.b64encode(find_blob(name)).decode()}"),),
        )
        for name, roles in ROLES.items()
    }
    classes = {
        name: DecisionClass(description=f"What is {name}", voters=seats)
        for name in (CLASS, "governance")
    }
    return Policy(project="5eed" * 8, serial=1, members=members, classes=classes)


def read_source(number: int) -> bytes:
    """A source file that decisions name as evidence."""
    return b"".join(b"def read_%d_%d(): ...\n" % (number, line) for line in range(60))


@dataclass
class Decision:
    """One decision in the making: its files so far, written and signed as they come.

    `revision` is the commit whose sources are its evidence.
    """

    number: int
    revision: str
    files: dict[str, bytes] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """Its id."""
        return f"{self.at(0):%Y-%m-%d}-{self.subject}-{self.number:05}"

    @property
    def subject(self) -> str:
        """What it is about."""
        return SUBJECTS[self.number % len(SUBJECTS)]

    def at(self, minutes: int) -> datetime:
        """The moment some minutes after it began."""
        return BIRTH + self.number * BETWEEN + timedelta(minutes=minutes)

    def claim(self, minutes: int) -> str:
        """The same as files claim it."""
        return f"{self.at(minutes):%Y-%m-%dT%H:%M:%SZ}"

    def explain(self, who: str, sentences: int) -> str:
        """Some text of a usual length that nobody else wrote."""
        change = CHANGES[self.number % len(CHANGES)]
        return "\n".join(
            f"{who} {self.number}.{line}: "
            + REASON.format(subject=self.subject, change=change, count=self.number + line)
            for line in range(sentences)
        )

    def write(self, record: Record, kind: str, signer: str, name: str = "", number: int = 0) -> str:
        """Write and sign a file; its digest."""
        place = path_of(kind, self.id, round_number=1, name=name, number=number)
        data = dump(record, kind)
        self.files |= {place: data, f"{place}.sig": sign(data, signer)}
        return digest_bytes(data)


def open_round(decision: Decision, policy: Policy) -> str:
    """Propose and open; the digest of the ballot."""
    plan = f"{evidence_directory(decision.id)}measurement.txt"
    decision.files[plan] = decision.explain("measured", 12).encode()
    source = decision.number % SOURCES
    evidence = (
        ManifestEntry(
            id="source",
            kind="primary",
            artifact=f"src/source_{source}.py",
            revision=decision.revision,
            digest=digest_bytes(read_source(source)),
            load_bearing=True,
        ),
        ManifestEntry(
            id="measurement",
            kind="primary",
            artifact=plan,
            digest=digest_bytes(decision.files[plan]),
        ),
        ManifestEntry(id="summary", kind="claim", text="Reading is slow.", summarizes="source"),
    )
    change = CHANGES[decision.number % len(CHANGES)]
    proposal = Proposal(
        decision=decision.id,
        round=1,
        title=f"Read {decision.subject} through {change}, no. {decision.number}",
        class_=CLASS,
        proposer=AUTHORITY,
        context=decision.explain("context", 3),
        text=decision.explain("text", 4),
        options=(
            Option(name=change, pros=("fast",), cons=("one more thing to know",)),
            Option(name="nothing", pros=("nothing to do",), cons=("it stays slow",)),
        ),
        consequences=Consequences(good=("pages load at once",), bad=("writes are slower",)),
        evidence=evidence,
    )
    ballot = Ballot(
        project=policy.project,
        protocol=PROTOCOL,
        decision=decision.id,
        round=1,
        opened_by=AUTHORITY,
        opened_at=decision.claim(1),
        proposal=decision.write(proposal, "proposal", AUTHORITY),
        class_=CLASS,
        rules=fill_rules(policy.classes[CLASS], policy.categories),
        voters={voter: seat_of(policy.members[voter]) for voter in sorted(VOTERS)},
        officers=find_officers(policy),
        evidence_set=digest_manifest(evidence),
    )
    return decision.write(ballot, "round", AUTHORITY)


def vote(decision: Decision, ballot: str, voter: str) -> Vote:
    """The vote of one voter."""
    rated = Rated(rating="adequate", note="the tests that are there show it")
    return Vote(
        decision=decision.id,
        round=1,
        voter=voter,
        ballot=ballot,
        nonce=hashlib.sha256(f"{decision.id} {voter}".encode()).hexdigest(),
        vote="agree",
        rationale=decision.explain(voter, 1),
        reasoning=Reasoning(text=decision.explain(voter, 3)),
        concerns=(Concern(text="It has to be watched for a month."),),
        assessment=Assessment(
            testability=rated, workflow_integration=rated, incremental_verifiability=rated
        ),
        evidence=(UsedEvidence(id="source"), UsedEvidence(id="measurement", via="analysed")),
        lineage=Lineage(
            provider=f"provider of {voter}", model="some model", session=f"{decision.id} {voter}"
        ),
        cast_at=decision.claim(10),
    )


def seal_votes(decision: Decision, ballot: str) -> tuple[dict[str, Vote], str]:
    """Seal the four votes; the votes, and the digest of their seals."""
    votes = {voter: vote(decision, ballot, voter) for voter in VOTERS}
    seals = {}
    for voter, record in votes.items():
        seal = Seal(
            decision=decision.id,
            round=1,
            voter=voter,
            ballot=ballot,
            vote=digest_bytes(dump(record, "vote")),
            at=decision.claim(11),
        )
        seals[voter] = decision.write(seal, "seal", voter, voter)
    return votes, digest_map(seals)


def decide(number: int, policy: Policy, revision: str) -> Decision:
    """A decision from its proposal to its record and its page."""
    decision = Decision(number, revision)
    ballot = open_round(decision, policy)
    votes, seals = seal_votes(decision, ballot)
    digests = {voter: decision.write(one, "vote", voter, voter) for voter, one in votes.items()}
    proposal = decision.files[path_of("proposal", decision.id, round_number=1)]
    for voter in VOTERS:
        affirmation = Affirmation(
            decision=decision.id,
            round=1,
            voter=voter,
            ballot=ballot,
            transcript=digest_map(digests),
            text_digest=digest_bytes(proposal),
            seals=seals,
            stance="affirm",
            reason=f"{voter} read the other three, and nothing in them is against it.",
            commitment=COMMITMENT,
            affirmed_at=decision.claim(30),
        )
        decision.write(affirmation, "affirmation", voter, voter, 1)
    tree = MemoryTree(decision.files)
    judged = judge_decision(tree, decision.id, tree_sources(policy, tree))
    if judged.record is None:
        raise SystemExit(f"{decision.id} has not ended: {judged.findings}")
    decision.files[path_of("record", decision.id)] = judged.record
    library = Library(tree, tree, lambda _: judged)
    pages = find_pages(library, [decision.id], "madr")
    decision.files |= {path: page for path, (page,) in pages.items()}
    return decision


# ---------------------------------------------------------------------- git


def plain_environment() -> dict[str, str]:
    """The variables of this process, without what a user has configured for git."""
    outer = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return outer | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


def run_git(folder: Path, *arguments: str) -> str:
    """Run git; its output."""
    command = ["git", "-C", str(folder), *arguments]
    done = subprocess.run(command, capture_output=True, check=False, env=plain_environment())
    if done.returncode:
        raise SystemExit(f"git {arguments[0]} failed: {done.stderr.decode()}")
    return done.stdout.decode().strip()


def render_commit(
    branch: str, parent: str, message: str, when: datetime, files: Mapping[str, bytes]
) -> Iterator[bytes]:
    """A commit for `git fast-import`."""
    who = f"Some Body <somebody@example.org> {int(when.timestamp())} +0000"
    yield f"commit refs/heads/{branch}\nauthor {who}\ncommitter {who}\n".encode()
    yield b"data %d\n%s\n" % (len(message.encode()), message.encode())
    if parent:
        yield f"from {parent}\n".encode()
    for path, data in files.items():
        yield b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data)


def import_commits(folder: Path, chunks: Iterator[bytes]) -> None:
    """Hand commits to `git fast-import`, as they come."""
    command = ["git", "-C", str(folder), "fast-import", "--quiet", "--done", "--date-format=raw"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, env=plain_environment()) as process:
        if process.stdin is not None:
            for chunk in chunks:
                process.stdin.write(chunk)
            process.stdin.write(b"done\n")
    if process.returncode:
        raise SystemExit("git fast-import failed")


def generate(folder: Path, count: int) -> None:
    """Make the repository in a folder that is not there yet, or is empty."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise SystemExit(f"{folder} is not empty")
    run_git(folder, "init", "--quiet", "--initial-branch=main", "--object-format=sha1")
    for key, value in (("user.name", "Some Body"), ("user.email", "somebody@example.org")):
        run_git(folder, "config", key, value)
    policy = build_policy()
    first = {f"src/source_{number}.py": read_source(number) for number in range(SOURCES)}
    first |= {POLICY: dump(policy, "policy"), ".gitattributes": ATTRIBUTES.encode()}
    import_commits(folder, render_commit("main", "", "The beginning", BIRTH, first))
    revision = run_git(folder, "rev-parse", "main")
    running = Decision(count, revision)
    ballot = open_round(running, policy)
    votes, _ = seal_votes(running, ballot)

    def commits() -> Iterator[bytes]:
        for number in range(count):
            done = decide(number, policy, revision)
            # A branch follows itself, but for the first commit of a run.
            parent = "" if number else revision
            yield from render_commit("main", parent, done.id, done.at(60), done.files)
        parent = "refs/heads/main" if count else revision
        sealed = f"{running.id}: seal four votes"
        yield from render_commit("work", parent, sealed, running.at(20), running.files)

    import_commits(folder, commits())
    run_git(folder, "symbolic-ref", "HEAD", "refs/heads/work")
    run_git(folder, "reset", "--quiet", "--hard")
    opened = Decision(count, revision)
    opened.write(votes[VOTERS[0]], "vote", VOTERS[0], VOTERS[0])
    for path, data in opened.files.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_bytes(data)
    run_git(folder, "add", "--", *opened.files)


def main(arguments: Sequence[str] | None = None) -> None:
    """Make one repository."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("count", type=int, help="how many decisions have ended")
    parser.add_argument("folder", type=Path, help="where; it must not exist, or be empty")
    options = parser.parse_args(arguments)
    if options.count < 0:
        parser.error("the count is 0 or more")
    generate(options.folder, options.count)
    sys.stdout.write(f"{options.count} decisions, {len(SIGNED)} signed files each\n")


if __name__ == "__main__":
    main()
