"""GitLab CI: the variables of its pipelines, and what its runner leaves."""

from __future__ import annotations

import json

from tests.ci.conftest import Hub
from tests.ci.test_github import decide
from tests.support.keys import FixedKey
from tests.support.tables import table

ZEROS = "0" * 40


def request(source: str = "", target: str = "", event: str = "merged_result") -> dict[str, str]:
    return {
        "CI_PIPELINE_SOURCE": "merge_request_event",
        "CI_MERGE_REQUEST_EVENT_TYPE": event,
        "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
        "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA": source,
        "CI_MERGE_REQUEST_TARGET_BRANCH_SHA": target,
    }


class TestMergeRequest:
    @table(("event",), {one: (one,) for one in ("merged_result", "merge_train", "detached")})
    def test_the_result_is_checked_out(self, hub: Hub, event: str) -> None:
        """What the type says is not always so; what is checked out is."""
        decide(hub)
        merged, main = hub.merge(), hub.git("rev-parse", "main")
        hub.be_on_gitlab(
            request(hub.git("rev-parse", "work"), main, event) | {"CI_COMMIT_SHA": merged}
        )
        hub.check_out(merged)
        assert hub.base_of() == main

    def test_the_branch_is_checked_out(self, hub: Hub) -> None:
        decide(hub)
        hub.git("switch", "-q", "main")
        main = hub.team.repo.commit({"other.txt": "elsewhere\n"})
        hub.push("main", "work")
        work = hub.git("rev-parse", "work")
        hub.be_on_gitlab(request(event="detached") | {"CI_COMMIT_SHA": work})
        hub.check_out(work)
        assert hub.base_of() == main

    def test_an_open_round(self, hub: Hub) -> None:
        hub.team.propose("x")
        hub.push("work")
        work = hub.git("rev-parse", "work")
        hub.be_on_gitlab(request(event="detached") | {"CI_COMMIT_SHA": work})
        hub.check_out(work)
        report = hub.team.folder / "quality.json"
        told = hub.team.accord("ci", "--write", f"gitlab={report}", code=1)
        assert "undecided-on-protected-branch" in told
        assert "::" not in told
        assert [one["check_name"] for one in json.loads(report.read_text())] == [
            "undecided-on-protected-branch"
        ]

    def test_a_policy_that_the_target_has_since_then(self, hub: Hub) -> None:
        """A branch from a stale base is judged by the policy of now."""
        decide(hub)
        hub.git("switch", "-q", "main")
        policy = hub.team.decisions / "policy.yaml"
        old, new = FixedKey("reviewer").line, FixedKey("newcomer").line
        hub.team.repo.commit({"decisions/policy.yaml": policy.read_text().replace(old, new)})
        hub.push("main", "work")
        work = hub.git("rev-parse", "work")
        hub.be_on_gitlab(request(event="detached") | {"CI_COMMIT_SHA": work})
        hub.check_out(work)
        assert "unknown-signer" in hub.errors()

    def test_the_target_was_not_fetched(self, hub: Hub) -> None:
        decide(hub)
        hub.push("work")
        work = hub.git("rev-parse", "work")
        hub.be_on_gitlab(request(event="detached") | {"CI_COMMIT_SHA": work})
        hub.check_out(work, depth=20)
        told = hub.team.accord("ci", code=3)
        assert 'git fetch origin "+refs/heads/main:refs/remotes/origin/main"' in told

    def test_both_have_changed_a_file(self, hub: Hub) -> None:
        """What git cannot merge is not guessed at."""
        hub.team.repo.commit({"free.md": "theirs\n"})
        hub.git("switch", "-q", "main")
        hub.team.repo.commit({"free.md": "ours\n"})
        hub.push("main", "work")
        work = hub.git("rev-parse", "work")
        hub.be_on_gitlab(request(event="detached") | {"CI_COMMIT_SHA": work})
        hub.check_out(work)
        told = hub.team.accord("ci", code=3)
        assert "by itself: free.md conflict" in told
        assert "merge the target into the branch, or rebase" in told


class TestOtherPipelines:
    def test_one_that_shows_no_change(self, hub: Hub) -> None:
        hub.be_on_gitlab({"CI_PIPELINE_SOURCE": "chat"})
        assert "of the source chat shows no change" in hub.team.accord("ci", code=2)

    def test_a_commit_that_was_not_fetched(self, hub: Hub) -> None:
        hub.be_on_gitlab({"CI_PIPELINE_SOURCE": "schedule", "CI_COMMIT_SHA": "1" * 40})
        assert "is not at hand" in hub.team.accord("ci", code=3)

    def test_a_push(self, hub: Hub) -> None:
        before = hub.git("rev-parse", "main")
        decide(hub)
        hub.push("work:main")
        after = hub.git("rev-parse", "work")
        hub.be_on_gitlab(
            {
                "CI_PIPELINE_SOURCE": "push",
                "CI_COMMIT_SHA": after,
                "CI_COMMIT_BRANCH": "main",
                "CI_COMMIT_BEFORE_SHA": before,
            }
        )
        hub.check_out(after)
        assert hub.base_of() == before

    def test_a_new_branch(self, hub: Hub) -> None:
        hub.team.propose("x")
        hub.push("work")
        after = hub.git("rev-parse", "work")
        hub.be_on_gitlab(
            {
                "CI_PIPELINE_SOURCE": "push",
                "CI_COMMIT_SHA": after,
                "CI_COMMIT_BRANCH": "work",
                "CI_COMMIT_BEFORE_SHA": ZEROS,
            }
        )
        hub.check_out(after)
        assert hub.base_of() == hub.git("rev-parse", "main")

    def test_a_tag(self, hub: Hub) -> None:
        hub.be_on_gitlab({"CI_PIPELINE_SOURCE": "push", "CI_COMMIT_TAG": "v1"})
        assert "v1 is a tag" in hub.team.accord("ci")

    def test_a_schedule(self, hub: Hub) -> None:
        hub.be_on_gitlab({"CI_PIPELINE_SOURCE": "schedule", "CI_COMMIT_BRANCH": "main"})
        assert hub.base_of() is None
