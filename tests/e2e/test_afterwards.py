"""What older decisions do later changes nothing of what was opened by their leave."""

from __future__ import annotations

import re
import shutil

import pytest

from accord.flow.session import open_session
from accord.model.escalation import Rederivation
from accord.model.evidence import UsedEvidence
from accord.store.git import Repository
from accord.store.writer import dump
from tests.attacks.forge import sign
from tests.e2e.team import AGREE, BRIEF, MAJOR, MINOR, VOTERS, Team, all_agree
from tests.support.keys import FixedKey

SEATS = tuple(f"--voter={voter}" for voter in VOTERS)


OPEN = "    ballots: open\n"
COUNTED = "    independence:\n      f: 1\n"


def add_voter(team: Team, name: str, rules: str = OPEN) -> None:
    """A policy with one more who may vote, and a class of a single round, from the start."""
    key = FixedKey(name)
    member = f"""members:
  {name}:
    kind: agent
    roles:
      - voter
    keys:
      - ssh: {key.line}
"""
    team.repo.git("switch", "-q", "main")
    policy = team.decisions / "policy.yaml"
    text = policy.read_text()
    for old, new in (
        ("members:\n", member),
        ("        - implementer\n", f"        - implementer\n        - {name}\n"),
        ("max: 3", "max: 4"),
        ("architecture:\n", f"architecture:\n{rules}    max_rounds: 1\n"),
    ):
        assert old in text
        text = text.replace(old, new, 1 if old in ("members:\n", "architecture:\n") else -1)
    policy.write_text(text)
    team.repo.git("add", "--all")
    team.repo.git("commit", "-q", "--amend", "--no-edit")
    team.repo.git("branch", "-qf", "work")
    team.repo.git("switch", "-q", "work")
    team.repo.git("config", f"accord.{name}.key", str(key.write(team.folder / "keys")))


@pytest.fixture
def continued(team: Team) -> Team:
    """A decision that was refused while one voter kept silent, and one that took it up."""
    add_voter(team, "extra")
    first = team.propose("first")
    team.vote("first", {"implementer": AGREE, "reviewer": AGREE, "challenger": MAJOR})
    team.accord("close", "first", "--reason", "waiting is pointless", "--commit")
    draft = team.write("second.json", BRIEF | {"continues": first})
    team.accord("propose", "second", "--class=architecture", "--from", str(draft), "--commit")
    team.accord("open", "second", "--commit", *SEATS)
    team.vote("second", all_agree())
    team.affirm("second")
    assert team.status_of("first") == "escalated"
    assert team.status_of("second") == "accepted"
    return team


def dissent_late(team: Team) -> None:
    vote = team.file("first", "rounds/1/votes/challenger.yaml")
    late = vote.with_name("extra.yaml")
    late.write_text(vote.read_text().replace("voter: challenger", "voter: extra"))
    sign(late, "extra")
    team.repo.git("add", "--all", "decisions")


def test_a_late_vote_against_the_older_one_undoes_nothing(continued: Team) -> None:
    before = continued.file("second", "record.yaml").read_bytes()
    dissent_late(continued)
    assert continued.findings(code=0).keys() == {"late-vote"}
    continued.repo.commit({})
    assert continued.status_of("second") == "accepted"
    assert continued.findings("--rev=HEAD", "--tree-only", code=0).keys() == {"late-vote"}
    continued.accord("record", "second", "--check")
    assert continued.file("second", "record.yaml").read_bytes() == before


def test_what_counted_cannot_go_whatever_became_of_the_older_one(continued: Team) -> None:
    dissent_late(continued)
    continued.repo.commit({})
    shutil.rmtree(continued.file("second", ""))
    continued.repo.git("add", "--all", "decisions")
    assert continued.findings().keys() == {"signed-file-deleted", "page-without-record"}


def test_a_dissenter_who_was_late_is_asked_by_what_is_opened_next(continued: Team) -> None:
    dissent_late(continued)
    continued.repo.commit({})
    first = continued.id_of("first")
    draft = continued.write("third.json", BRIEF | {"text": "Anew.", "continues": first})
    continued.accord("propose", "third", "--class=architecture", "--from", str(draft), "--commit")
    assert "dissenter-dropped" in continued.accord("open", "third", "--commit", *SEATS, code=1)
    continued.accord("open", "third", "--commit", *SEATS, "--voter=extra")


def test_a_text_that_failed_twice_can_be_proposed_again(team: Team) -> None:
    add_voter(team, "extra")
    first = team.propose("first")
    team.vote("first", {"implementer": AGREE, "reviewer": MAJOR, "challenger": AGREE})
    team.accord("withdraw", "first", "--reason", "no", "--commit")
    draft = team.write("second.json", BRIEF | {"continues": first})
    options = ("--class=architecture", "--from", str(draft), "--commit")
    team.accord("propose", "second", *options)
    team.accord("open", "second", "--commit", *SEATS)
    team.accord("withdraw", "second", "--reason", "no", "--commit")
    draft = team.write("third.json", BRIEF | {"continues": team.id_of("second")})
    team.accord("propose", "third", "--class=architecture", "--from", str(draft), "--commit")
    without = tuple(f"--voter={voter}" for voter in ("implementer", "challenger", "extra"))
    assert "dissenter-dropped" in team.accord("open", "third", "--commit", *without, code=1)
    team.accord("open", "third", "--commit", *SEATS)


def test_only_what_was_opened_stands_in_the_way_of_deciding_anew(team: Team) -> None:
    first = team.propose("first")
    team.vote("first", all_agree())
    team.affirm("first")
    team.repo.commit({"new.txt": "since then\n"})
    new = {"id": "new", "kind": "primary", "artifact": "new.txt"}
    brief = BRIEF | {"text": "Make it slow.", "reopens": first, "evidence": [new]}
    for name in ("second", "third", "fourth"):
        draft = team.write(f"{name}.json", brief | {"text": name})
        options = ("--class=architecture", "--from", str(draft), "--commit")
        team.accord("propose", name, *options)
    team.accord("open", "second", "--commit")
    said = team.accord("open", "third", "--commit", code=1)
    assert f"is being decided anew already, by {team.id_of('second')}" in said
    team.accord("withdraw", "second", "--reason", "no", "--commit")
    team.accord("open", "third", "--commit")


def look_again(team: Team, member: str, *, confirms: bool) -> None:
    """A second look at the decision `first`, signed and staged."""
    session = open_session(Repository.discover(team.repo.path))
    round_ = session.judge(team.id_of("first")).judgement.rounds[-1]
    look = Rederivation(
        decision=team.id_of("first"),
        round=round_.number,
        by=member,
        at="2026-12-24T09:00:00Z",
        ballot=round_.ballot.digest,
        text_digest=round_.text_digest,
        confirms=confirms,
        rationale="I looked.",
        evidence=(UsedEvidence(id="source"),),
    )
    path = team.file("first", f"rederivations/{member}.yaml")
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(dump(look, "rederivation"))
    sign(path, member)
    team.repo.git("add", "--all", "decisions")


@pytest.fixture
def provisional(team: Team) -> Team:
    """A decision whose voters all leaned on one claim."""
    add_voter(team, "extra", COUNTED)
    claim = {"id": "claim", "kind": "claim", "text": "It is slow.", "summarizes": "source"}
    source = {"id": "source", "kind": "primary", "artifact": "source.txt", "load_bearing": True}
    draft = team.write("first.json", BRIEF | {"evidence": [source, claim]})
    options = ("--class=architecture", "--from", str(draft), "--commit")
    team.accord("propose", "first", *options)
    team.accord("open", "first", "--commit", *SEATS)
    team.vote("first", dict.fromkeys(VOTERS, AGREE | {"evidence": ["source", "claim"]}))
    team.affirm("first")
    assert team.status_of("first") == "provisional"
    return team


def test_a_second_look_after_the_end_undoes_nothing(provisional: Team) -> None:
    team = provisional
    look_again(team, "dana", confirms=True)
    team.accord("record", "first", "--write", "--commit")
    team.repo.commit({})
    record = team.file("first", "record.yaml")
    before = record.read_bytes()
    assert b"rederivations:\n  dana: sha256:" in before
    look_again(team, "extra", confirms=False)
    told = {"correlated-quorum-warning", "rederivation-contradicts"}
    assert team.findings(code=0).keys() == told
    team.repo.commit({})
    assert team.status_of("first") == "accepted"
    assert team.findings("--rev=HEAD", "--tree-only", code=0).keys() == told
    team.accord("record", "first", "--check")
    record.unlink()
    team.repo.git("add", "--all", "decisions")
    assert "record-missing" in team.findings()
    assert team.status_of("first") == "accepted"
    team.accord("record", "first", "--write")
    assert record.read_bytes() == before


def test_no_record_hides_a_second_look(provisional: Team) -> None:
    team = provisional
    look_again(team, "dana", confirms=True)
    team.accord("record", "first", "--write")
    look_again(team, "extra", confirms=False)
    assert {"record-early", "rederivation-contradicts"} <= team.findings().keys()
    assert team.status_of("first") == "escalated"


def change_class(team: Team, *changes: tuple[str, str]) -> None:
    """Another class `architecture`, as if it had been enacted."""
    policy = team.decisions / "policy.yaml"
    text = policy.read_text()
    at = text.index("  architecture:")
    head, tail = text[:at], text[at:]
    for old, new in changes:
        assert old in tail
        tail = tail.replace(old, new, 1)
    policy.write_text(head + tail)
    team.repo.git("add", "--all", "decisions")
    team.repo.commit({})


def take_up(team: Team, **draft: object) -> None:
    """Propose and open `second`, which names an older decision."""
    path = team.write("second.json", BRIEF | draft)
    team.accord("propose", "second", "--class=architecture", "--from", str(path), "--commit")
    team.accord("open", "second", "--commit")


def refuse_first(team: Team, dissenter: str) -> None:
    """A decision of four voters that one of them refused, withdrawn; then there are three seats."""
    add_voter(team, "extra")
    team.propose("first")
    team.vote("first", all_agree() | {"extra": AGREE, dissenter: MAJOR})
    team.accord("withdraw", "first", "--reason", "no", "--commit")


def test_who_dissented_before_has_a_seat_first(team: Team) -> None:
    refuse_first(team, "reviewer")
    change_class(team, ("max: 4", "max: 3"))
    take_up(team, continues=team.id_of("first"))
    ballot = team.file("second", "rounds/1/round.yaml").read_text()
    assert "  reviewer:\n" in ballot
    assert "  extra:\n" not in ballot


def test_who_dissented_before_and_is_gone_is_listed(team: Team) -> None:
    refuse_first(team, "extra")
    change_class(team, ("max: 4", "max: 3"), ("        - extra\n", ""))
    take_up(team, continues=team.id_of("first"))
    ballot = team.file("second", "rounds/1/round.yaml").read_text()
    assert "left_out:\n  - voter: extra" in ballot
    team.vote("second", all_agree())
    team.affirm("second")
    assert team.status_of("second") == "escalated"


def test_voters_see_what_was_objected_before(team: Team) -> None:
    first = team.propose("first")
    team.vote("first", all_agree() | {"challenger": MAJOR | {"rationale": "Not <b>now</b>."}})
    team.accord("resolve", "first", "--rebutted", "challenger:SCOPE_CREEP=It is.", "--commit")
    team.accord("withdraw", "first", "--reason", "no", "--commit")
    take_up(team, continues=first)
    packet = team.accord("packet", "second", "--voter", "reviewer")
    said = f"### `challenger`, `{first}`, round 1: disagree, major: SCOPE_CREEP"
    assert said in packet
    assert "Not <b>now</b>." in packet
    assert re.search(r"SCOPE_CREEP\): rebutted\. ```\w* It is\. ```", packet)
    team.vote("second", all_agree() | {"challenger": MINOR})
    team.accord("withdraw", "second", "--reason", "no", "--commit")
    path = team.write("third.json", BRIEF | {"continues": team.id_of("second")})
    team.accord("propose", "third", "--class=architecture", "--from", str(path), "--commit")
    team.accord("open", "third", "--commit")
    packet = team.accord("packet", "third", "--voter", "reviewer")
    again = f"### `challenger`, `{team.id_of('second')}`, round 1: disagree, minor: YAGNI"
    assert packet.index(said) < packet.index(again) < packet.index("Nobody answered it.")


def test_who_committed_before_has_a_seat_first(team: Team) -> None:
    add_voter(team, "extra")
    path = team.write("first.json", BRIEF)
    team.accord("propose", "first", "--class=architecture", "--from", str(path), "--commit")
    team.accord("open", "first", "--commit", *SEATS)
    team.vote("first", all_agree())
    team.affirm("first")
    change_class(team, ("max: 4", "max: 3"))
    team.repo.commit({"new.txt": "since then\n"})
    new = {"id": "new", "kind": "primary", "artifact": "new.txt"}
    take_up(team, text="Make it slow.", reopens=team.id_of("first"), evidence=[new])
    ballot = team.file("second", "rounds/1/round.yaml").read_text()
    assert "  reviewer:\n" in ballot
    assert "  extra:\n" not in ballot
