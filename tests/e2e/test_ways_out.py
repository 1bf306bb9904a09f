"""When voting is not enough: checks, second looks and rulings (section 7)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.escalated import CHECKS, LEANING, SUMMARIZED, correlated, make_counted_team
from tests.e2e.team import AGREE, VOTERS, Team, all_agree


@pytest.fixture
def team(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Team:
    return make_counted_team(tmp_path, capsys, monkeypatch)


def test_who_agrees_without_the_evidence_is_told_so(team: Team) -> None:
    team.propose("x", evidence=SUMMARIZED)
    printed = team.vote("x", {"implementer": LEANING, "reviewer": AGREE})
    assert "implementer agrees and lists nothing of what the decision rests on" in printed
    assert "reviewer agrees and lists nothing" not in printed
    printed = team.vote("x", all_agree(), code=2)
    assert "move the draft of implementer away" in printed


class TestCheck:
    def test_a_declared_check_settles_what_is_correlated(self, team: Team) -> None:
        decision = correlated(team, checks=CHECKS)
        shown = team.accord("show", "x")
        assert "stand on 1 independent path to source.txt (needed: 3)" in shown
        assert "2 lean on the claim summary" in shown
        assert f"accord check run {decision} fast" in shown
        assert "agreed in this round" in team.accord(
            "check", "run", "x", "fast", "--as=reviewer", code=2
        )
        printed = team.accord("check", "run", "x", "fast", "--as=otto", "--commit")
        assert "$ grep 'a source' source.txt" in printed
        assert "check fast passes: exit code 0" in printed
        assert "PROCEED 3 of 3 voters agree, and the check fast settles it" in printed
        assert "basis: deterministic_check" in team.file("x", "record.yaml").read_text()
        assert team.errors() == set()
        assert "has ended: it is accepted" in team.accord(
            "check", "run", "x", "fast", "--as=otto", code=2
        )

    def test_it_is_pinned(self, team: Team) -> None:
        correlated(team, checks=CHECKS)
        team.accord("check", "run", "x", "fast", "--as=otto", "--tool=grep", "--commit")
        text = team.file("x", "checks/fast.1.yaml").read_text()
        for pinned in ("argv:", "inputs:", "exit_code: 0", "output: sha256:", "program: sha256:"):
            assert pinned in text
        assert "version of grep" in text
        assert f"commit: {team.repo.git('rev-parse', 'HEAD^')}" in text.replace('"', "")
        assert "tree: as committed" in text
        assert "passed: true" in text

    def test_replay_runs_it_again_and_compares(self, team: Team) -> None:
        correlated(team, checks=CHECKS)
        assert "no counted check" in team.accord("check", "replay", "x", code=2)
        team.accord("check", "run", "x", "fast", "--as=otto", "--commit")
        replayed = team.accord("check", "replay", "x")
        assert "same fast, round 1: exit code 0" in replayed
        assert "now commit: " in replayed
        printed = team.json("check", "replay", "x", "fast")
        assert isinstance(printed, list)
        (plain,) = printed
        (moved,) = plain.pop("environment")
        assert moved.startswith("commit: ")
        argv = CHECKS[0]["argv"]
        assert plain == {"name": "fast", "argv": argv, "same": True, "differences": []}
        assert "no counted check slow" in team.accord("check", "replay", "x", "slow", code=2)
        (team.repo.path / "source.txt").write_text("another\n")
        assert "is not here as it was voted on" in team.accord("check", "replay", "x", code=2)

    def test_a_replay_that_differs_says_so(self, team: Team) -> None:
        clock = {"name": "fast", "argv": ["sh", "-c", "cat count.txt; true"]}
        (team.repo.path / "count.txt").write_text("1\n")
        correlated(team, checks=[clock | {"inputs": ["source.txt"]}])
        team.accord("check", "run", "x", "fast", "--as=otto", "--commit")
        (team.repo.path / "count.txt").write_text("2\n")
        printed = team.accord("check", "replay", "x", code=1)
        assert "DIFFERS fast, round 1: another output" in printed

    def test_a_failing_check_is_recorded_and_the_last_run_counts(self, team: Team) -> None:
        flag = team.repo.path / "flag"
        checks = [{"name": "fast", "argv": ["test", "-e", "flag"], "inputs": ["source.txt"]}]
        correlated(team, checks=checks)
        printed = team.accord("check", "run", "x", "fast", "--as=otto", "--commit")
        assert "check fast FAILS: exit code 1" in printed
        assert team.status_of("x") == "escalated"
        assert "tree: as committed" in team.file("x", "checks/fast.1.yaml").read_text()
        flag.touch()
        team.accord("check", "run", "x", "fast", "--as=otto", "--commit")
        assert "tree: changed" in team.file("x", "checks/fast.2.yaml").read_text()
        assert team.status_of("x") == "accepted"

    def test_another_command_counts_by_the_word_of_a_decider(self, team: Team) -> None:
        decision = correlated(team)
        assert f"accord check run {decision} NAME -- CMD" in team.accord("status")
        refused = team.accord("check", "run", "x", "q", "--as=otto", "--", "true", code=2)
        assert "otto is no decider" in refused
        assert "declares no check q" in team.accord("check", "run", "x", "q", "--as=dana", code=2)
        told = team.accord("next", "--as=dana")
        assert "NAME -- CMD" in told
        team.accord("check", "run", "x", "q", "--as=dana", "--expect=1", "--", "false")
        assert team.status_of("x") == "accepted"

    def test_its_inputs_are_those_voted_on(self, team: Team) -> None:
        correlated(team, checks=CHECKS)
        source = team.repo.path / "source.txt"
        source.write_text("changed\n")
        assert "is not here as it was voted on" in team.accord(
            "check", "run", "x", "fast", "--as=otto", code=2
        )
        source.unlink()
        source.symlink_to("/etc/hostname")
        assert "is not here" in team.accord("check", "run", "x", "fast", "--as=otto", code=2)

    def test_a_command_that_changes_its_input_finds_nothing(self, team: Team) -> None:
        correlated(team)
        printed = team.accord(
            "check", "run", "x", "q", "--as=dana", "--", "sh", "-c", "echo >> source.txt", code=2
        )
        assert "changed its input source.txt" in printed
        assert not team.file("x", "checks").exists()

    def test_a_replay_that_changes_its_input_says_so(self, team: Team) -> None:
        script = ["sh", "-c", "test -e flag && echo >> source.txt; true"]
        checks = [{"name": "fast", "argv": script, "inputs": ["source.txt"]}]
        correlated(team, checks=checks)
        team.accord("check", "run", "x", "fast", "--as=otto", "--commit")
        (team.repo.path / "flag").touch()
        printed = team.accord("check", "replay", "x", code=1)
        assert "DIFFERS fast, round 1: the command changed its input source.txt" in printed

    def test_what_cannot_be_run(self, team: Team) -> None:
        correlated(team, checks=CHECKS)
        printed = team.accord("check", "run", "x", "q", "--as=dana", "--", "no-such-cmd", code=2)
        assert "no-such-cmd cannot be run" in printed
        for option in ("--input=source.txt", "--expect=1"):
            assert "inputs and exit code from the proposal" in team.accord(
                "check", "run", "x", "fast", option, "--as=otto", code=2
            )

    def test_a_draft_takes_none(self, team: Team) -> None:
        draft = team.write("y.json", {"class": "architecture", "context": "c", "text": "t"})
        team.accord("propose", "y", "--from", str(draft), "--commit")
        assert "is open yet: it is draft" in team.accord(
            "check", "run", "y", "q", "--as=dana", "--", "true", code=2
        )

    def test_control_characters_of_a_command_stay_out_of_the_terminal(self, team: Team) -> None:
        correlated(team)
        team.capture.readouterr()
        printed = team.accord("check", "run", "x", "q", "--as=dana", "--", "printf", "a\\033[31mb")
        assert "\x1b" not in printed


class TestSecondLook:
    @pytest.fixture
    def provisional(self, team: Team) -> str:
        """All agree, and all of them had the summary before them as well."""
        both = {**AGREE, "evidence": ["source", "summary"]}
        decision = team.propose("x", evidence=SUMMARIZED)
        team.vote("x", dict.fromkeys(VOTERS, both))
        team.affirm("x")
        assert team.status_of("x") == "provisional"
        return decision

    def test_a_confirmation_makes_it_durable(self, team: Team, provisional: str) -> None:
        assert f"accord rederive {provisional}" in team.accord("next", "--as=otto")
        packet = team.accord("packet", "x", "--voter=otto")
        assert "you are shown no vote" in packet.lower()
        assert "All is well." not in packet
        assert "git cat-file blob" in packet
        done = team.accord(
            "rederive", "x", "--as=otto", "--confirm", "--rationale=It is so.", "--evidence=source",
            "--commit",
        )  # fmt: skip
        assert "PROCEED" in done
        assert team.status_of("x") == "accepted"
        assert team.errors() == set()

    def test_a_contradiction_contests_it(self, team: Team, provisional: str) -> None:
        look = {"confirms": False, "rationale": "It is not so.", "evidence": ["source"]}
        team.write("looks/otto/rederivation.json", look)
        folder = str(team.folder / "looks")
        printed = team.accord("rederive", provisional, "--from", folder, "--commit")
        assert "FAIL" in printed
        assert "a second look contradicts: otto" in printed

    def test_the_filled_in_form_is_taken(self, team: Team, provisional: str) -> None:
        folder = team.folder / "packets"
        team.accord("packet", provisional, "--voter=otto", "-o", str(folder))
        form = folder / "otto/rederivation.yaml"
        text = form.read_text().replace("confirms:  #", "confirms: true  #")
        text = text.replace("rationale: |\n", "rationale: |\n  I read it.\n")
        form.write_text(text.replace("evidence: []", "evidence: [source]"))
        team.accord("rederive", provisional, "--from", str(folder), "--commit")
        assert team.status_of("x") == "accepted"

    @pytest.mark.parametrize(
        ("look", "message"),
        [
            ({}, "confirms is missing"),
            ({"confirms": True}, "rationale is missing"),
            ({"confirms": True, "rationale": " "}, "the rationale is empty"),
            ({"confirms": True, "rationale": "r", "evidence": ["nothing"]}, "nothing"),
            ({"confirms": True, "rationale": "r", "evidence": ["summary"]}, "stands on a claim"),
            ({"confirms": True, "rationale": "r"}, "leaves out a load-bearing artifact"),
            ({"confirms": True, "rationale": "r", "round": 2}, "round is not that"),
        ],
    )
    def test_what_is_no_second_look(
        self, team: Team, provisional: str, look: dict[str, object], message: str
    ) -> None:
        draft = team.write("look.json", look)
        printed = team.accord("rederive", provisional, "--as=otto", "--from", str(draft), code=1)
        assert message in printed
        assert not team.file("x", "rederivations").exists()

    def test_who_took_part_has_no_fresh_look(self, team: Team, provisional: str) -> None:
        for member in ("reviewer", "orchestrator"):
            printed = team.accord(
                "rederive", provisional, f"--as={member}", "--confirm", "--rationale=r", code=2
            )
            assert "has no fresh look" in printed
        both = ("--from", str(team.write("l.json", {})), "--confirm")
        assert "exclude each other" in team.accord("rederive", "x", *both, code=2)
        assert "nobody is here to be asked" in team.accord(
            "rederive", "x", "--as=otto", "--rationale=r", code=2
        )

    def test_it_follows_the_votes(self, team: Team) -> None:
        team.propose("y", evidence=SUMMARIZED[:1])
        printed = team.accord("rederive", "y", "--as=otto", "--confirm", code=2)
        assert "a second look would count for nothing" in printed


class TestRuling:
    @pytest.fixture
    def failed(self, team: Team) -> str:
        """All agree, and two of them because of a summary."""
        return correlated(team)

    def test_accepted(self, team: Team, failed: str) -> None:
        assert "no synthesis to rule on" in team.accord(
            "rule", "x", "--accept", "--reason=r", code=2
        )
        outline = team.accord("synthesize", "x", "--outline")
        assert "implementer (agree): The source says so. It stands on summary (read)." in outline
        assert "What the decider is asked" in outline
        assert "nobody is here to write" in team.accord("synthesize", "x", code=2)
        empty = team.write("empty.txt", " \n")
        assert "is empty" in team.accord("synthesize", "x", "--text", str(empty), code=2)
        text = team.write("synthesis.txt", "They agree, and two lean on a summary.\n")
        team.accord("synthesize", "x", "--text", str(text), "--commit")
        assert f"accord rule {failed}" in team.accord("next", "--as=dana")
        packet = team.accord("packet", "x", "--voter=dana")
        assert "They agree, and two lean on a summary." in packet
        assert "### `challenger`: agree" in packet
        assert f"accord rule {failed} --accept" in packet
        done = team.accord("rule", "x", "--accept", "--reason=I looked.", "--commit")
        assert "PROCEED Accepted by ruling over CORRELATED_QUORUM." in done
        assert team.status_of("x") == "accepted"
        assert team.errors() == set()
        assert "decided anew: accord reopen" in team.accord(
            "rule", "x", "--accept", "--reason=r", code=2
        )

    def test_rejected(self, team: Team, failed: str) -> None:
        text = team.write("synthesis.txt", "A first account.")
        team.accord("synthesize", failed, "--text", str(text), "--commit")
        assert "has its synthesis already, by orchestrator" in team.accord(
            "synthesize", failed, "--text", str(text), code=2
        )
        done = team.accord("rule", failed, "--reject", "--reason=No.", "--commit")
        assert "FAIL Rejected by ruling." in done
        record = team.file("x", "record.yaml").read_text()
        assert "overruled:\n  - challenger\n" in record

    def test_not_before_voting_has_failed(self, team: Team) -> None:
        team.propose("x", evidence=SUMMARIZED[:1])
        for verb in (("synthesize", "x", "--outline"), ("rule", "x", "--accept", "--reason=r")):
            assert "voting on" in team.accord(*verb, code=2)

    def test_nobody_voted(self, team: Team) -> None:
        team.propose("x", evidence=SUMMARIZED[:1])
        team.accord("close", "x", "--reason=nobody is here", "--commit")
        team.accord("revise", "x", "--commit")
        team.accord("open", "x", "--commit")
        team.accord("close", "x", "--reason=still nobody", "--commit")
        assert team.status_of("x") == "escalated"
        text = team.write("synthesis.txt", "An account.")
        printed = team.accord("synthesize", "x", "--text", str(text), code=2)
        assert "nobody voted on" in printed
        assert "since nobody voted" in team.accord("status")

    def test_only_the_decider_rules(self, team: Team, failed: str) -> None:
        text = team.write("synthesis.txt", "An account.")
        assert "signer-lacks-role" in team.accord(
            "synthesize", failed, "--text", str(text), "--as=otto", code=1
        )
        team.accord("synthesize", failed, "--text", str(text), "--commit")
        printed = team.accord("rule", failed, "--accept", "--reason=r", "--as=otto", code=1)
        assert "ruling-not-human" in printed
