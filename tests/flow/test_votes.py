"""`vote` and `affirm` for many at once, and what is refused as a whole."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from accord.model.record import DecisionRecord
from accord.store.parse import parse_file
from tests.e2e.team import AFFIRM, AGREE, BRIEF, VOTERS, Team, all_agree

FAULTY: dict[str, dict[str, object]] = {
    "implementer": AGREE,
    "reviewer": {"vote": "disagree", "rationale": "no"},
    "challenger": AGREE | {"concerns": []},
}


def test_all_are_judged_and_none_is_written_unless_all_hold(team: Team, isolation: Path) -> None:
    team.propose("x")
    head = team.repo.git("rev-parse", "HEAD")
    told = team.vote("x", FAULTY, code=1)
    for fault in (
        "a disagreement is minor or major",
        "names at least one category",
        "offers an alternative",
        "testability is not rated",
        "is the challenger and names no concern",
    ):
        assert fault in told
    assert "reviewer.json:1:" in told
    assert "implementer.json" not in told
    assert team.repo.git("rev-parse", "HEAD") == head
    assert team.repo.git("status", "--short") == ""
    assert not list((isolation / "state").rglob("*.yaml"))
    # A refusal spends nobody's turn.
    assert "opened 3 of 3" in team.vote("x", all_agree())


def test_a_folder_a_voter(team: Team) -> None:
    team.propose("x")
    for voter, suffix in zip(VOTERS, (".yaml", ".yml", ".json"), strict=True):
        team.write(f"in/{voter}/vote{suffix}", json.dumps(AGREE))
        team.write(f"in/{voter}/packet.md", "# what it was given\n")
    assert "sealed 3 of 3 opened 3 of 3" in team.accord(
        "vote", "x", "--from", str(team.folder / "in"), "--commit"
    )
    subjects = team.repo.git("log", "--format=%s", "-2").splitlines()
    assert [subject.split(": ")[1].split(" ")[0] for subject in subjects] == ["open", "seal"]


def test_the_packets_are_filled_in_and_handed_back(team: Team) -> None:
    team.propose("x")
    first, second = team.folder / "p", team.folder / "q"
    team.accord("packet", "x", "--all", "-o", str(first))
    for voter in VOTERS:
        form = first / voter / "vote.yaml"
        text = form.read_text().replace("vote:  # agree,", "vote: agree  # agree,")
        text = text.replace("rationale: |\n", "rationale: |\n  The source says so.\n")
        text = text.replace('  - ""', "  - it may be slow").replace(
            "evidence: []", "evidence: [source]"
        )
        for question in ("testability", "workflow_integration", "incremental_verifiability"):
            text = text.replace(f"  {question}:\n", f"  {question}: adequate\n")
        form.write_text(text)
    assert "opened 3 of 3" in team.accord("vote", "x", "--from", str(first), "--commit")
    team.accord("packet", "x", "--all", "-o", str(second))
    for voter in VOTERS:
        form = second / voter / "affirmation.yaml"
        text = form.read_text().replace("stance:  #", "stance: affirm  #")
        form.write_text(text.replace("reason: |\n", "reason: |\n  Nothing new, it stands.\n"))
    told = team.accord("affirm", "x", "--from", str(second), "--commit")
    assert "record.yaml" in told
    assert "PROCEED UNANIMITY_VERIFIED" in told
    assert team.findings("--rev", "HEAD", "--tree-only", code=0) == {}


def test_one_name_for_drafts_of_many(team: Team) -> None:
    team.propose("x")
    team.write("in/reviewer.json", AGREE)
    told = team.accord("vote", "x", "--as=reviewer", "--from", str(team.folder / "in"), code=2)
    assert "holds drafts of many" in told


def test_drafts_of_strangers(team: Team) -> None:
    team.propose("x")
    assert "stranger is no member" in team.vote("x", {"stranger": AGREE}, code=2)
    assert "dana is not on the roster" in team.vote("x", {"reviewer": AGREE, "dana": AGREE}, code=2)
    assert not team.file("x", "rounds/1").joinpath("seals").exists()


STALE = {
    "other votes": {"transcript": "sha256:" + "0" * 64},
    "another text": {"text_digest": "sha256:" + "0" * 64},
    "another ballot": {"ballot": "sha256:" + "0" * 64},
    "other seals": {"seals": "sha256:" + "0" * 64},
    "another voter": {"voter": "challenger"},
    "another round": {"round": 2},
}


@pytest.mark.parametrize("given", STALE.values(), ids=STALE)
def test_an_affirmation_of_something_else_is_not_signed(
    given: dict[str, object], team: Team
) -> None:
    team.propose("x")
    team.vote("x", all_agree())
    draft = team.write("a.json", {**AFFIRM, **given})
    told = team.accord("affirm", "x", "--as=reviewer", "--from", str(draft), code=1)
    assert f"{next(iter(given))} is not that of what is to be affirmed now" in told
    assert not team.file("x", "rounds/1").joinpath("affirmations").exists()


def test_a_reason_is_always_given(team: Team) -> None:
    team.propose("x")
    team.vote("x", all_agree())
    draft = str(team.write("a.json", {**AFFIRM, "reason": " "}))
    assert "reason" in team.accord("affirm", "x", "--as=reviewer", "--from", draft, code=1)
    assert "answer with --reason" in team.accord("affirm", "x", "--as=reviewer", code=2)


OBJECTION: dict[str, object] = {
    "reason": "I take it back: it leaks the key.",
    "severity": "major",
    "categories": ["SECURITY_RISK"],
}


def test_a_stance_is_never_assumed(team: Team) -> None:
    team.propose("x")
    team.vote("x", all_agree())
    draft = team.write("a.json", OBJECTION)
    told = team.accord("affirm", "x", "--as=reviewer", "--from", str(draft), code=1)
    assert "schema-invalid" in told
    assert "stance" in told
    draft = team.write("a.json", {**OBJECTION, "stance": "affirm"})
    told = team.accord("affirm", "x", "--as=reviewer", "--from", str(draft), code=1)
    assert "it affirms and has severity: either it stands or it does not" in told
    assert not team.file("x", "rounds/1/affirmations").exists()
    draft = team.write("a.json", {**OBJECTION, "stance": "retract"})
    team.accord("affirm", "x", "--as=reviewer", "--from", str(draft), "--commit")
    assert team.status_of("x") == "contested"


def test_who_affirms_and_strikes_out_the_commitment_is_told(team: Team) -> None:
    """Options commit; a file says itself whether it does."""
    team.propose("x")
    team.vote("x", all_agree())
    team.affirm("x", ["implementer"])
    loose = team.write("a.json", {"stance": "affirm", "reason": "It stands, for now."})
    told = team.accord("affirm", "x", "--as=reviewer", "--from", str(loose), code=1)
    assert "who affirms commits to it: commitment: no_reversal_without_redecision" in told
    for voter in ("reviewer", "challenger"):
        team.accord("affirm", "x", f"--as={voter}", "--reason=It stands.", "--commit")
    record, _ = parse_file(team.file("x", "record.yaml").read_bytes(), "record.yaml", "record")
    assert isinstance(record, DecisionRecord)
    committed = record.receipts.unanimity_commitment_receipt
    assert set(committed) == {"challenger", "implementer", "reviewer"}


def test_evidence_that_others_read_is_read_before_affirming_again(team: Team) -> None:
    """An asymmetry is mended by affirming once more, one by one or all at once."""
    team.propose("x")
    votes = {voter: AGREE | {"evidence": []} for voter in VOTERS}
    team.vote("x", votes | {"reviewer": AGREE})
    assert "not on the same evidence: challenger, implementer" in team.affirm("x")
    assert team.status_of("x") == "conditional"
    told = team.affirm("x", ["implementer", "challenger"], evidence=["source"])
    assert "PROCEED UNANIMITY_VERIFIED" in told
    names = {path.name for path in team.file("x", "rounds/1/affirmations").glob("*.yaml")}
    assert {"implementer.1.yaml", "implementer.2.yaml", "reviewer.1.yaml"} <= names


def test_who_may_affirm_and_what(team: Team) -> None:
    team.propose("x")
    team.vote("x", all_agree())
    good = str(team.write("a.json", AFFIRM))
    told = team.accord("affirm", "x", "--as=dana", "--from", good, code=2)
    assert "dana is not on the roster" in told
    bad = str(team.write("b.json", {**AFFIRM, "stance": "maybe"}))
    assert "b.json:1:" in team.accord("affirm", "x", "--as=reviewer", "--from", bad, code=1)
    both = ("affirm", "x", "--as=reviewer", "--from", good, "--reason=r")
    assert "exclude each other" in team.accord(*both, code=2)


def test_two_proposals_of_one_name_at_once(team: Team) -> None:
    drafts = [team.write(f"{n}.json", BRIEF | {"text": f"Text {n}."}) for n in range(3)]
    command = [sys.executable, "-m", "accord", "propose", "x", "--class=architecture", "--from"]
    running = [
        subprocess.Popen([*command, str(draft)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for draft in drafts
    ]
    printed = [process.communicate()[0].decode() for process in running]
    assert sorted(process.returncode for process in running) == [0, 2, 2], printed
    assert sum("there is a decision" in text for text in printed) == 2
    winner = [process.returncode for process in running].index(0)
    assert f"Text {winner}." in team.file("x", "rounds/1/proposal.yaml").read_text()


def test_all_open_their_votes_at_once(team: Team) -> None:
    team.propose("x")
    team.vote("x", {"implementer": AGREE, "reviewer": AGREE})
    agree = str(team.write("v.json", AGREE))
    team.repo.git("config", "--unset", "accord.challenger.key")
    key = str(team.folder / "keys" / "challenger")
    team.accord("vote", "x", "--key", key, "--from", agree, "--commit")
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "accord", "next"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        for _ in range(3)
    ]
    printed = [process.communicate()[0].decode() for process in running]
    assert [process.returncode for process in running] == [0, 0, 0], printed
    assert team.findings(code=0).keys() <= {"seal-order-unproven"}


def test_a_full_disk_leaves_everything_as_it_was(team: Team, isolation: Path) -> None:
    """Files cannot grow any more: what was begun is undone, and the vote is cast later."""
    team.propose("x")
    draft = str(team.write("v.json", AGREE | {"rationale": "x" * 3000}))
    # What measures the tests has files of its own, which are not to be cut.
    environment = {name: value for name, value in os.environ.items() if "COVERAGE" not in name}
    done = subprocess.run(
        [sys.executable, "-m", "accord", "vote", "x", "--as=reviewer", "--from", draft],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024)),
        env=environment | {"PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert team.repo.git("status", "--short") == ""
    assert not list((isolation / "state").rglob("*.tmp"))
    assert "sealed 1 of 3" in team.accord("vote", "x", "--as=reviewer", "--from", draft)
