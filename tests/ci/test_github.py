"""GitHub Actions: real payload shapes, real merges, and what actions/checkout leaves."""

from __future__ import annotations

import pytest

from tests.ci.conftest import Hub
from tests.ci.payloads import ZEROS, merge_group, pull_request, push
from tests.e2e.team import all_agree
from tests.support.tables import table


def decide(hub: Hub, name: str = "x") -> None:
    hub.team.decide(name)


def open_pull_request(hub: Hub, depth: int = 0) -> str:
    """A job on the merge result of `work` into main; the commit that it checks out."""
    head, stale = hub.git("rev-parse", "work"), hub.git("rev-parse", "main")
    merged = hub.merge()
    hub.be_on_github("pull_request", pull_request(stale, head), merged, "refs/pull/7/merge")
    hub.check_out(merged, depth)
    return merged


class TestPullRequest:
    def test_a_decision(self, hub: Hub) -> None:
        decide(hub)
        merged = open_pull_request(hub)
        assert hub.checked() == (merged, hub.git("rev-parse", "main"))
        report = hub.judge()
        assert [one["status"] for one in report["decisions"]] == ["accepted"]  # type: ignore[attr-defined]

    def test_an_open_round_is_refused_and_the_summary_says_who_must_act(self, hub: Hub) -> None:
        hub.team.propose("x")
        open_pull_request(hub)
        told = hub.team.accord("ci", code=1)
        assert "::error file=decisions/" in told
        assert "title=accord undecided-on-protected-branch::" in told
        summary = hub.summary.read_text()
        assert "## accord: refused, 1 error" in summary
        assert "Where the decisions of this change stand" in summary
        assert "implementer" in summary
        assert "accord vote" in summary

    def test_the_summary_says_what_a_squash_must_keep(self, hub: Hub) -> None:
        guard = 'guarded:\n  - paths: ["*.sql"]\n    class: architecture\n'
        policy = hub.team.decisions / "policy.yaml"
        hub.team.repo.commit({"decisions/policy.yaml": policy.read_text() + guard})
        hub.team.propose("x", affects=["*.sql"])
        hub.team.vote("x", all_agree())
        hub.team.affirm("x")
        hub.git("branch", "-f", "main", "work")
        hub.push("main")
        trailer = f"Accord-Decision: {hub.team.id_of('x')}"
        hub.team.repo.commit({"a.sql": "x"}, f"a change\n\n{trailer}\n")
        open_pull_request(hub)
        told = hub.team.accord("ci")
        assert "::warning file=a.sql,title=accord trailer-only::" in told
        assert trailer in hub.summary.read_text()

    def test_the_base_is_what_the_target_is_now(self, hub: Hub) -> None:
        """`base.sha` of the event is older: since then another decision was merged."""
        stale = hub.git("rev-parse", "main")
        decide(hub)
        hub.git("switch", "-qc", "other", "main")
        decide(hub, "y")
        hub.push("other:main")
        hub.git("switch", "-q", "work")
        merged, head = hub.merge(), hub.git("rev-parse", "work")
        hub.be_on_github("pull_request", pull_request(stale, head), merged)
        hub.check_out(merged)
        assert hub.base_of() == hub.git("rev-parse", "other")
        told = hub.judge()["decisions"]
        assert [one["id"][-2:] for one in told] == ["-x"]  # type: ignore[attr-defined]

    def test_without_the_history(self, hub: Hub) -> None:
        decide(hub)
        for depth in (1, 2):
            open_pull_request(hub, depth)
            told = hub.team.accord("ci", code=3)
            assert "::error title=accord cannot judge::" in told
            assert "fetch-depth: 0" in told
        assert "## accord: cannot judge" in hub.summary.read_text()

    def test_the_branch_itself_is_checked_out(self, hub: Hub) -> None:
        """With `ref: ${{ github.event.pull_request.head.sha }}` git makes the merge, aside."""
        decide(hub)
        hub.git("switch", "-q", "main")
        hub.team.repo.commit({"other.txt": "elsewhere\n"})
        hub.push("main")
        hub.git("switch", "-q", "work")
        head = hub.git("rev-parse", "HEAD")
        hub.push("work")
        hub.be_on_github("pull_request", pull_request(head, head), ZEROS[:-1] + "1")
        hub.check_out(head)
        assert hub.base_of() == hub.git("rev-parse", "main")

    def test_something_else_is_checked_out(self, hub: Hub) -> None:
        decide(hub)
        main = hub.git("rev-parse", "main")
        hub.be_on_github("pull_request", pull_request(main, hub.git("rev-parse", "work")), main)
        hub.check_out(main)
        assert "is not the merge result of this pull request" in hub.team.accord("ci", code=3)

    def test_an_evil_merge(self, hub: Hub) -> None:
        decide(hub)
        path = f"decisions/{hub.team.id_of('x')}/record.yaml"
        head = hub.git("rev-parse", "work")
        hub.merge()
        hub.git("switch", "-q", "--detach", hub.merge())
        hub.git("rm", "-q", path)
        hub.git("commit", "-q", "--amend", "-m", "merged")
        evil = hub.git("rev-parse", "HEAD")
        hub.push(f"{evil}:refs/pull/7/merge")
        hub.be_on_github("pull_request", pull_request(head, head), evil)
        hub.check_out(evil)
        assert hub.errors() == {"record-missing"}


class TestMergeQueue:
    def test_what_the_queue_tries(self, hub: Hub) -> None:
        decide(hub)
        base = hub.git("rev-parse", "main")
        merged = hub.merge()
        hub.be_on_github("merge_group", merge_group(base, merged), merged)
        hub.check_out(merged)
        assert hub.base_of() == base

    def test_what_is_not_decided(self, hub: Hub) -> None:
        hub.team.propose("x")
        base = hub.git("rev-parse", "main")
        merged = hub.merge()
        hub.be_on_github("merge_group", merge_group(base, merged), merged)
        hub.check_out(merged)
        assert hub.errors() == {"undecided-on-protected-branch"}


def find_stale(hub: Hub, before: str) -> list[str]:
    """What a push to main is told to be old, and `accord verify` there too."""
    after = hub.git("rev-parse", "HEAD")
    hub.push("--force", "main")
    hub.be_on_github("push", push(before, after), after, "refs/heads/main")
    found = hub.judge()["findings"]
    assert isinstance(found, list)
    checked = hub.team.json("verify")
    assert isinstance(checked, dict)
    assert [one for one in checked["findings"] if one["code"] == "ledger-stale"] == found
    assert {one["code"] for one in found} <= {"ledger-stale"}
    return [str(one["message"]).split()[1] for one in found]


class TestPush:
    def test_to_the_protected_branch(self, hub: Hub) -> None:
        before = hub.git("rev-parse", "main")
        decide(hub)
        after = hub.git("rev-parse", "work")
        hub.push("work:main")
        hub.be_on_github("push", push(before, after), after, "refs/heads/main")
        hub.check_out(after)
        assert hub.base_of() == before

    def test_says_what_ledger_and_index_lack(self, hub: Hub) -> None:
        """A pull request leaves both alone, so of one nothing is said."""
        before = hub.git("rev-parse", "main")
        decide(hub)
        asked = hub.judge("--base", "main", "--branch", "main")
        assert asked["findings"] == []
        hub.git("switch", "-qC", "main", "work")
        old = {"docs/decisions/index.md": "<!-- accord/index/1 -->\n"}
        for files, stale in (({}, ["ledger", "index"]), (old, ["ledger", "index"])):
            hub.team.repo.commit(files)
            assert find_stale(hub, before) == stale
        hub.team.repo.commit({"docs/decisions/index.md": "# By hand\n"})
        assert find_stale(hub, before) == ["ledger"]
        hub.git("rm", "-q", "docs/decisions/index.md")
        for generated in (["ledger"], ["adr", "--index"]):
            hub.team.accord(*generated, "--write")
        hub.team.repo.commit({})
        assert find_stale(hub, before) == []

    def test_that_rewinds_it(self, hub: Hub) -> None:
        after = hub.git("rev-parse", "main")
        decide(hub)
        before = hub.git("rev-parse", "work")
        hub.push("work")
        hub.be_on_github("push", push(before, after), after, "refs/heads/main")
        hub.check_out(after)
        assert "signed-file-deleted" in hub.errors()

    def test_of_a_new_branch(self, hub: Hub) -> None:
        hub.team.propose("x")
        after = hub.git("rev-parse", "work")
        hub.push("work")
        hub.be_on_github("push", push(ZEROS, after, "refs/heads/work"), after, "refs/heads/work")
        hub.check_out(after)
        assert hub.base_of() == hub.git("rev-parse", "main")

    def test_of_a_rebased_branch(self, hub: Hub) -> None:
        hub.team.propose("x")
        before = hub.git("rev-parse", "work")
        hub.push("work:refs/heads/old")
        hub.git("switch", "-q", "main")
        main = hub.team.repo.commit({"other.txt": "elsewhere\n"})
        hub.push("main")
        hub.git("switch", "-q", "work")
        hub.git("rebase", "-q", "main")
        after = hub.git("rev-parse", "work")
        hub.push("work")
        hub.be_on_github("push", push(before, after, "refs/heads/work"), after, "refs/heads/work")
        hub.check_out(after)
        assert hub.base_of() == main

    @table(
        ("branch", "code"),
        {"a protected one": ("main", 3), "one of somebody's own": ("work", 0)},
    )
    def test_over_what_is_not_here(self, hub: Hub, branch: str, code: int) -> None:
        """A push with force leaves the old commit behind, and a checkout does not have it."""
        decide(hub)
        hub.push("work")
        after = hub.git("rev-parse", branch)
        gone = "1" * 40
        hub.be_on_github(
            "push", push(gone, after, f"refs/heads/{branch}"), after, f"refs/heads/{branch}"
        )
        hub.check_out(after)
        told = hub.team.accord("ci", code=code)
        assert (f"git fetch origin {gone}" in told) == bool(code)
        assert ("which main had before this push" in told) == bool(code)

    def test_of_a_first_branch(self, hub: Hub) -> None:
        after = hub.git("rev-parse", "main")
        hub.be_on_github("push", push(ZEROS, after), after, "refs/heads/main")
        hub.check_out(after)
        assert "trusted on first use" in hub.team.accord("ci")
        assert hub.errors("--root", "sha256:" + "0" * 64) == {"root-mismatch"}

    @table(
        ("ref", "after", "why"),
        {
            "a tag": ("refs/tags/v1", "a" * 40, "refs/tags/v1 is no branch"),
            "a removal": ("refs/heads/work", ZEROS, "work was removed"),
        },
    )
    def test_of_what_lands_nowhere(self, hub: Hub, ref: str, after: str, why: str) -> None:
        main = hub.git("rev-parse", "main")
        hub.be_on_github("push", push(main, after, ref), main, ref)
        hub.check_out(main)
        assert why in hub.team.accord("ci")


def test_a_schedule_judges_everything(hub: Hub) -> None:
    decide(hub)
    hub.push("work:main")
    tip = hub.git("rev-parse", "work")
    hub.be_on_github("schedule", {"schedule": "0 3 * * *"}, tip, "refs/heads/main")
    hub.check_out(tip)
    assert hub.base_of() is None


def test_an_event_that_shows_no_change(hub: Hub) -> None:
    main = hub.git("rev-parse", "main")
    hub.be_on_github("issue_comment", {"action": "created"}, main, "refs/heads/main")
    assert "issue_comment shows no change" in hub.team.accord("ci", code=2)


def test_a_commit_that_was_not_checked_out(hub: Hub) -> None:
    main = hub.git("rev-parse", "main")
    for event, payload in (
        ("push", push(main, "1" * 40)),
        ("merge_group", merge_group(main, "1" * 40)),
        ("schedule", {}),
    ):
        hub.be_on_github(event, payload, "1" * 40, "refs/heads/main")
        assert "is not at hand" in hub.team.accord("ci", code=3)


def test_the_first_policy_is_pinned_in_a_step_too(hub: Hub) -> None:
    git = hub.git
    root = git("rev-list", "--max-parents=0", "main")
    options = (f"--base={root}", "--head=main", "--branch=main")
    assert hub.errors(*options, "--root", "sha256:" + "0" * 64) == {"root-mismatch"}
    assert hub.errors(*options, code=0) == set()


def test_pull_request_target_is_refused(hub: Hub) -> None:
    main = hub.git("rev-parse", "main")
    hub.be_on_github("pull_request_target", pull_request(main, main), main)
    hub.check_out(main)
    assert "use `on: pull_request`" in hub.team.accord("ci", code=2)


@table(
    ("event", "payload"),
    {
        "no object": ("push", [1]),
        "no pull request": ("pull_request", {"action": "opened"}),
        "no merge group": ("merge_group", {}),
        "a number for a text": ("push", {"before": 1}),
    },
)
def test_an_odd_payload(hub: Hub, event: str, payload: object) -> None:
    hub.be_on_github(event, payload, hub.git("rev-parse", "main"), "refs/heads/main")
    assert "cannot judge" in hub.team.accord("ci", code=3)


def test_no_payload(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    hub.be_on_github("push", {}, hub.git("rev-parse", "main"))
    monkeypatch.setenv("GITHUB_EVENT_PATH", str(hub.team.folder / "gone.json"))
    assert "GITHUB_EVENT_PATH" in hub.team.accord("ci", code=3)
