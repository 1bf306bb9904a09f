"""Evidence that a repository keeps: how large, under which names, and untouched by git."""

from __future__ import annotations

from pathlib import Path

import pytest

from accord.errors import UsageError
from accord.flow.attributes import UNTOUCHED
from accord.flow.evidence_size import no_doubt, weigh_evidence
from tests.e2e.team import Team, all_agree
from tests.support.tables import table

KEPT = "decisions/2026-11-30-x/evidence/run.log"
MIB = 1 << 20


def refuse(question: str) -> bool:
    raise AssertionError(question)


@table(
    ("path", "size"),
    {"small": (KEPT, MIB), "no evidence": ("src/large.bin", 11 * MIB), "another": ("a", 0)},
)
def test_nobody_is_asked(path: str, size: int) -> None:
    weigh_evidence({path: bytes(size)}, refuse)


def test_large_evidence_is_asked_about() -> None:
    asked: list[str] = []

    def decline(question: str) -> bool:
        asked.append(question)
        return False

    weigh_evidence({KEPT: bytes(2 * MIB)}, no_doubt)
    with pytest.raises(UsageError, match="was not taken"):
        weigh_evidence({KEPT: bytes(3 * MIB // 2)}, decline)
    assert asked == [f"{KEPT} has 1.5 MiB, and stays in every clone for ever. Keep it?"]


def test_what_is_too_large_has_a_way_by_digest_or_excerpt() -> None:
    with pytest.raises(UsageError, match=r"has 10\.0 MiB; evidence above 10 MiB") as told:
        weigh_evidence({KEPT: bytes(10 * MIB + 1)}, no_doubt)
    assert "digest" in told.value.hint
    assert "excerpt" in told.value.hint


def propose(team: Team, name: str, data: bytes, *options: str, code: int = 0) -> str:
    (team.repo.path / name).write_bytes(data)
    entry = {"id": "run", "kind": "primary", "artifact": name}
    brief = {"context": "It is slow.", "text": "Make it fast.", "evidence": [entry]}
    draft = team.write("d.json", brief)
    arguments = ("propose", "x", "--class=architecture", "--from", str(draft), *options)
    return team.accord(*arguments, code=code)


def test_on_a_pipe_the_option_answers(team: Team) -> None:
    told = propose(team, "run.log", bytes(2 * MIB), code=2)
    assert "answer with --large" in told
    assert not [path for path in team.decisions.iterdir() if path.is_dir()]
    propose(team, "run.log", bytes(2 * MIB), "--large")
    assert "answer with --large" in team.accord("propose", team.id_of("x"), code=2)
    team.accord("propose", team.id_of("x"), "--large")


@pytest.mark.parametrize("name", ["a<b.log", "what?", "a."])
def test_a_name_that_windows_cannot_check_out_is_not_taken(name: str, team: Team) -> None:
    assert "Windows cannot check it out" in propose(team, name, b"x\n", code=2)


def test_a_claim_in_the_text_is_told_by_propose(team: Team) -> None:
    said = "Everybody on the platform team wants this change."
    claim = {"id": "mood", "kind": "claim", "text": said}
    brief = {"context": "It is slow.", "text": f"Make it fast. {said}", "evidence": [claim]}
    draft = team.write("d.json", brief)
    told = team.accord("propose", "x", "--class=architecture", "--from", str(draft))
    assert "claim-in-text" in told


FILTER = "*.log filter=big ident eol=crlf working-tree-encoding=UTF-16\n"


def set_filter(team: Team) -> None:
    team.repo.git("config", "filter.big.clean", "sed s/secret/POINTER/")
    team.repo.git("config", "filter.big.smudge", "sed s/POINTER/secret/")


def test_evidence_under_a_filter_is_kept_as_it_is(team: Team) -> None:
    set_filter(team)
    attributes = team.repo.path / ".gitattributes"
    attributes.write_text(FILTER + attributes.read_text())
    team.repo.commit({})
    assert "git leaves the bytes of decisions/ alone" in team.accord("doctor")
    propose(team, "run.log", b"a secret $Id$ line\n", "--open", "--commit")
    team.vote("x", {voter: {**vote, "evidence": ["run"]} for voter, vote in all_agree().items()})
    kept = team.file("x", "evidence/run-run.log")
    kept.unlink()
    team.repo.git("restore", ".")
    assert kept.read_bytes() == b"a secret $Id$ line\n"
    assert "decisions/" not in team.repo.git("status", "--porcelain")
    team.accord("verify", "--range=main..HEAD")


@table(
    ("line", "attribute"),
    {
        "a filter of all": ("* filter=big", "filter is big"),
        "of logs": ("*.log filter=big", "filter is big"),
        "of evidence": ("evidence/** filter=big", "filter is big"),
        "of a name that nothing else has": ("dump-*.[ab]in filter=big", "filter is big"),
        "of other names": ("[!d]ump.[!b]in filter=big", "filter is big"),
        "keywords": ("*.sql ident", "ident is set"),
        "an encoding": ("*.csv working-tree-encoding=UTF-16", "encoding is UTF-16"),
        "line ends": ("decisions/** text=auto", "text is auto"),
    },
)
def test_doctor_asks_git_what_it_would_do(line: str, attribute: str, team: Team) -> None:
    attributes = team.repo.path / ".gitattributes"
    attributes.write_text(f"# ours\n\n{attributes.read_text()}{line}\n[attr]odd text\n")
    if line.startswith("evidence"):
        propose(team, "run.log", b"x\n")
        attributes.write_text(f"{UNTOUCHED}\ndecisions/*/{line}\n")
    told = team.accord("doctor", code=3)
    assert attribute in told
    assert UNTOUCHED in told


def test_its_remedy_is_one(team: Team) -> None:
    attributes = team.repo.path / ".gitattributes"
    attributes.write_text(f"{FILTER}* text=auto\n{UNTOUCHED}\n")
    Path(team.repo.path / ".git/info/attributes").write_text("*.txt -ident\n")
    assert "git leaves the bytes of decisions/ alone" in team.accord("doctor")
