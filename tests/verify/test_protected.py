"""Which other protected branches are asked what they revoke, and when nobody can say."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from accord.errors import CannotJudge
from accord.model.paths import POLICY
from accord.model.policy import Key, Policy
from accord.store.git import Repository
from accord.store.writer import dump
from accord.verify.protected import Shared, find_shared
from tests.signing.policies import policy_of
from tests.support.keys import FixedKey
from tests.support.repos import Repo

SINCE = "2026-01-01T00:00:00Z"


def policy(
    serial: int, *protected: str, project: str = "3f" * 16, revoked: str | None = None
) -> Policy:
    key = Key(ssh=FixedKey("reviewer").line, revoked_from=revoked)
    return msgspec.structs.replace(
        policy_of(reviewer=key), serial=serial, protected=protected, project=project
    )


OLD = policy(1, "release")


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A branch with the first policy, and code on top of it."""
    repo = Repo.init(tmp_path / "repo", "sha1", "-b", "work")
    repo.commit({POLICY: dump(OLD, "policy")})
    repo.git("branch", "release")
    repo.commit({"code.txt": "x\n"})
    return repo


def put(repo: Repo, ref: str, content: Policy | bytes) -> None:
    """A ref with a policy, beside the history that is judged."""
    data = content if isinstance(content, bytes) else dump(content, "policy")
    repo.git("switch", "-q", "--detach", "release")
    repo.git("update-ref", ref, repo.commit({POLICY: data}))
    repo.git("switch", "-q", "work")


def share(repo: Repo) -> Shared:
    repository = Repository.discover(repo.path)
    return find_shared(repository, OLD, repository.commit(repo.git("rev-parse", "work")))


def since(shared: Shared) -> str | None:
    return shared.policy.members["reviewer"].keys[0].revoked_from


@pytest.mark.parametrize("ref", ["refs/heads/release", "refs/remotes/origin/release"])
def test_here_and_as_last_seen_on_origin(repo: Repo, ref: str) -> None:
    put(repo, ref, policy(2, "release", revoked=SINCE))
    assert since(share(repo)) == SINCE


@pytest.mark.parametrize(
    "ref", ["refs/heads/other", "refs/tags/release", "refs/remotes/mallory/release"]
)
def test_what_is_not_protected_revokes_nothing(repo: Repo, ref: str) -> None:
    put(repo, ref, policy(2, "release", revoked=SINCE))
    assert since(share(repo)) is None


def test_a_branch_that_only_a_newer_policy_protects(repo: Repo) -> None:
    put(repo, "refs/heads/release", policy(2, "release", "later", "no*name"))
    put(repo, "refs/heads/later", policy(3, "later", revoked=SINCE))
    assert since(share(repo)) == SINCE


def test_the_highest_serial_counts(repo: Repo) -> None:
    put(repo, "refs/heads/release", policy(3, "release", "later"))
    put(repo, "refs/heads/later", policy(2, "later", revoked=SINCE))
    assert since(share(repo)) is None


def test_another_project_has_no_say(repo: Repo) -> None:
    put(repo, "refs/heads/release", policy(2, "release", project="4e" * 16, revoked=SINCE))
    assert since(share(repo)) is None


def test_a_branch_that_has_the_head_is_no_other(repo: Repo) -> None:
    """What landed was judged when it landed, and what it brings does not reach back."""
    newer = dump(policy(2, "release", revoked=SINCE), "policy")
    repo.git("branch", "-f", "release", repo.commit({POLICY: newer}))
    repo.git("reset", "-q", "--hard", "work~1")
    assert since(share(repo)) is None


def test_equal_serials_that_differ(repo: Repo) -> None:
    put(repo, "refs/heads/release", policy(2, "release"))
    put(repo, "refs/remotes/origin/release", policy(2, "release", revoked=SINCE))
    with pytest.raises(CannotJudge, match="different policies of serial 2"):
        share(repo)


def test_lower_serials_may_differ(repo: Repo) -> None:
    put(repo, "refs/heads/release", policy(3, "release", "one", "two", revoked=SINCE))
    put(repo, "refs/heads/one", policy(2, "one"))
    put(repo, "refs/heads/two", policy(2, "two"))
    assert since(share(repo)) == SINCE


def test_a_policy_that_cannot_be_read(repo: Repo) -> None:
    put(repo, "refs/heads/release", b"format: accord/policy/1\n")
    with pytest.raises(CannotJudge, match="the policy of refs/heads/release cannot be read"):
        share(repo)


def test_a_policy_that_is_not_at_hand(repo: Repo) -> None:
    put(repo, "refs/heads/release", policy(2, "release", revoked=SINCE))
    blob = repo.git("rev-parse", f"release:{POLICY}")
    (repo.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(CannotJudge, match=blob):
        share(repo)


def test_a_branch_without_a_policy(repo: Repo) -> None:
    repo.git("switch", "-q", "--orphan", "empty")
    repo.git("update-ref", "refs/heads/release", repo.commit({"a.txt": "a\n"}))
    repo.git("switch", "-q", "work")
    assert since(share(repo)) is None


def test_on_a_server_the_branch_of_head_is_one(repo: Repo, tmp_path: Path) -> None:
    bare = Repo.init(tmp_path / "bare", "sha1", "--bare", "-b", "main")
    put(repo, "refs/heads/main", policy(2, "main", revoked=SINCE))
    repo.git("push", "-q", str(bare.path), "main", "work", "release")
    assert since(share(bare)) == SINCE
    assert since(share(repo)) is None


def test_what_stands_there_too_was_judged_there(repo: Repo) -> None:
    repo.git("switch", "-q", "--detach", "release")
    path = "decisions/2026-12-03-x/rounds/1/round.yaml"
    newer = dump(policy(2, "release", revoked=SINCE), "policy")
    there = repo.commit({POLICY: newer, path: "a\n", f"{path}.sig": "s\n"})
    repo.git("update-ref", "refs/heads/release", there)
    repo.git("switch", "-q", "work")
    repo.commit({path: "a\n", f"{path}.sig": "s\n"})
    shared = share(repo)
    repository = Repository.discover(repo.path)
    assert shared.has(repository.commit(repo.git("rev-parse", "work")), path)
    other = repo.commit({f"{path}.sig": "another\n"})
    assert not shared.has(repository.commit(other), path)
    assert not Shared(OLD).has(repository.commit(other), path)
