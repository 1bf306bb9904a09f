"""docs/verifying-by-hand.md works as printed: its commands are run, with stock ssh-keygen."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.keys import FixedKey
from tests.support.repos import Repo

DOCS = Path(__file__).parent.parent / "docs"
PAGE = (DOCS / "verifying-by-hand.md").read_text(encoding="utf-8")
FORMATS = (DOCS / "file-formats.md").read_text(encoding="utf-8")

# The blocks that need nothing but git and ssh-keygen; the page begins with them.
BLOCKS = re.findall(r"^```console\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)[:3]
COMMANDS = re.findall(r"^\$ (.+)$", "".join(BLOCKS), re.MULTILINE)
ROUND = "decisions/2026-11-30-use-partial-index/rounds/1"


def find_example(kind: str) -> str:
    found = re.search(rf"^```yaml\n(format: accord/{kind}/1\n.*?)^```$", FORMATS, re.DOTALL | re.M)
    assert found
    return found[1]


def run_page(repo: Repo) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        ["bash", "-euc", "\n".join(COMMANDS)],
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
