"""docs/verifying-by-hand.md works as printed: its commands are run, with stock ssh-keygen."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from accord.model.ids import digest_bytes
from accord.model.ledger import FileEvent
from accord.model.paths import LEDGER
from accord.render.ledger import render_ledger
from tests.support.keys import FixedKey
from tests.support.repos import Repo

DOCS = Path(__file__).parent.parent / "docs"
PAGE = (DOCS / "verifying-by-hand.md").read_text(encoding="utf-8")
FORMATS = (DOCS / "file-formats.md").read_text(encoding="utf-8")

ALL_BLOCKS = re.findall(r"^```console\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
# The blocks that need nothing but git and ssh-keygen; the page begins with them.
COMMANDS = re.findall(r"^\$ (.+)$", "".join(ALL_BLOCKS[:3]), re.MULTILINE)
LEDGER_COMMANDS = re.findall(
    r"^\$ (.+)$", "".join(block for block in ALL_BLOCKS if LEDGER in block), re.MULTILINE
)
DECISION = "2026-11-30-use-partial-index"
ROUND = f"decisions/{DECISION}/rounds/1"


def find_example(kind: str) -> str:
    found = re.search(rf"^```yaml\n(format: accord/{kind}/1\n.*?)^```$", FORMATS, re.DOTALL | re.M)
    assert found
    return found[1]


def run_page(repo: Repo, commands: list[str] = COMMANDS) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        ["bash", "-euc", "\n".join(commands)],
        cwd=repo.path,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def voted(repo: Repo) -> Repo:
    """The decision of the page, with omar's vote as the examples have it."""
    omar = FixedKey("omar")
    vote = find_example("vote").encode()
    repo.commit(
        {
            "decisions/policy.yaml": re.sub(
                r"(  omar:\n.*?ssh: )[^\n]+",
                rf"\1{omar.line}",
                find_example("policy"),
                flags=re.DOTALL,
            ),
            f"{ROUND}/proposal.yaml": find_example("proposal"),
            f"{ROUND}/round.yaml": find_example("round"),
            f"{ROUND}/votes/omar.yaml": vote,
            f"{ROUND}/votes/omar.yaml.sig": omar.sign(vote),
        }
    )
    return repo


def test_a_vote_is_verified_with_the_commands_of_the_page(voted: Repo) -> None:
    done = run_page(voted)

    assert done.returncode == 0, done.stderr
    assert f'omar namespaces="accord" {FixedKey("omar").line}\n' in done.stdout
    assert 'Good "accord" signature for omar with ED25519 key SHA256:' in done.stdout
    assert len(re.findall(r"^[0-9a-f]{64}  -$", done.stdout, re.MULTILINE)) == 3


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda vote: vote.replace(b"disagree", b"agree"), id="other answer"),
        pytest.param(lambda vote: vote + b"\n", id="one more newline"),
    ],
)
def test_a_changed_vote_is_refused_by_the_commands_of_the_page(
    voted: Repo, damage: Callable[[bytes], bytes]
) -> None:
    path = voted.path / ROUND / "votes/omar.yaml"
    voted.commit({f"{ROUND}/votes/omar.yaml": damage(path.read_bytes())})

    done = run_page(voted)

    assert done.returncode != 0
    assert "Good" not in done.stdout
    assert "incorrect signature" in done.stderr


RECORD = b"status: accepted\n"
RIGHT = render_ledger(
    [
        FileEvent(
            event="proposal",
            decision=DECISION,
            digest=digest_bytes(b"text"),
            prev=digest_bytes(RECORD),
        ),
        FileEvent(event="round_opened", decision=DECISION, digest=digest_bytes(b"ballot")),
        FileEvent(event="record", decision=DECISION, digest=digest_bytes(RECORD)),
        FileEvent(event="record", decision="2026-11-29-older", digest=digest_bytes(b"older")),
    ]
)


@pytest.mark.parametrize(
    ("ledger", "holds"),
    [
        pytest.param(RIGHT, True, id="as it was written"),
        pytest.param(RIGHT.replace(b"round_opened", b"vote_round"), False, id="another word"),
        pytest.param(b"".join(RIGHT.splitlines(keepends=True)[:-1:2]), False, id="a line dropped"),
        pytest.param(b"".join(RIGHT.splitlines(keepends=True)[::-1]), False, id="lines swapped"),
    ],
)
def test_the_chain_of_a_ledger_is_followed_with_the_commands_of_the_page(
    repo: Repo, ledger: bytes, holds: bool
) -> None:
    repo.commit({LEDGER: ledger, f"decisions/{DECISION}/record.yaml": RECORD})

    done = run_page(repo, LEDGER_COMMANDS)

    assert done.returncode == 0, done.stderr
    *lines, record = re.findall(r"^([0-9a-f]{64})  -$", done.stdout, re.MULTILINE)
    named = re.findall(r'^"prev":"sha256:([0-9a-f]{64})"$', done.stdout, re.MULTILINE)
    assert len(named) == len(lines)
    assert (named == [record, *lines[:-1]]) is holds
