"""The verbs that check: verify and the hooks, simulate, schema, doctor, completion."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from accord.cli.main import run
from accord.cli.report_formats import FORMATS
from accord.flow import doctor
from accord.store.kinds import KINDS
from tests.cli.story import PART, VOTERS, Place
from tests.store.test_git import fake_git
from tests.support.repos import Repo

At = Callable[[str], Place]
Out = pytest.CaptureFixture[str]
CASE = """\
format: accord/case/1
title: All agree
class: {rule: unanimity, require: {reasoning_convergence: false}}
voters:
  a: {kind: agent, roles: [voter]}
  b: {kind: agent, roles: [voter, challenger]}
evidence: [{id: log, kind: primary}]
rounds:
  - votes:
      a: {vote: agree, evidence: [log]}
      b: {vote: agree, evidence: [log]}
expect: {status: STATUS}
"""


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        ([], 0, "against"),
        (["--staged"], 0, "0 files checked in what is staged"),
        (["--rev", "HEAD"], 3, "Not measured"),
        (["--rev", "HEAD", "--tree-only"], 0, "no errors"),
        (["--rev", "main", "--tree-only"], 0, "of 0 decisions"),
        (["--rev", "nowhere"], 2, ""),
        (["--rev", "HEAD", "--staged"], 2, ""),
        (["--tree-only"], 2, ""),
    ],
    ids=lambda value: " ".join(value) or "nothing" if isinstance(value, list) else "",
)
def test_verify(arguments: list[str], code: int, told: str, at: At, capsys: Out) -> None:
    at("accepted")
    capsys.readouterr()

    assert run(["verify", *arguments]) == code
    assert told in capsys.readouterr().out


def test_verify_says_why_it_could_not_judge(at: At, capsys: Out) -> None:
    at("accepted")
    capsys.readouterr()

    run(["verify", "--rev", "HEAD"])

    told = capsys.readouterr().err
    assert "not everything could be judged" in told
    assert "--tree-only" in told


def test_verify_refuses_a_hand_written_record(at: At, capsys: Out) -> None:
    accepted = at("accepted")
    record = f"decisions/{accepted.decision}/record.yaml"
    data = (accepted.path / record).read_bytes()
    accepted.repo.git("switch", "--quiet", "--detach", "HEAD~1")
    accepted.repo.add({record: data})
    capsys.readouterr()

    assert run(["verify", "--format", "json"]) == 1
    plain = json.loads(capsys.readouterr().out)

    assert plain["checked"]["tree"] == "index"
    assert [(finding["code"], finding["path"]) for finding in plain["findings"]] == [
        ("record-early", record)
    ]
    assert run(["hook", "run", "accord-verify"]) == 1
    assert "error[record-early]" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["json", "github", "sarif", "gitlab", "rdjsonl"])
def test_machine_output_is_alone_on_stdout(name: str, at: At, capsys: Out) -> None:
    at("voted")
    capsys.readouterr()

    run(["verify", "--rev", "HEAD", "--format", name])

    out = capsys.readouterr().out
    if name in ("json", "sarif", "gitlab"):
        json.loads(out)
    assert "not everything" not in out


def test_the_hooks_are_listed(capsys: Out) -> None:
    assert run(["hook", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(maxsplit=1) for line in lines[::2]] == [
        ["accord-verify", "pre-commit, pre-merge-commit"],
        ["accord-generate", "pre-commit"],
        ["accord-commit-msg", "commit-msg"],
        ["accord-range", "pre-push"],
        ["accord-receive", "pre-receive"],
    ]


def test_the_verify_hook_says_so_where_nothing_is_staged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    Repo.init(tmp_path).commit({"a": "b"})
    monkeypatch.chdir(tmp_path)

    assert run(["hook", "run", "accord-verify"]) == 0
    assert capsys.readouterr().out.endswith(": there is neither a policy nor a decision.\n")
    assert run(["hook", "run", "accord-generate"]) == 0
    assert capsys.readouterr().out == ""


def test_what_the_verify_hook_cannot_judge_has_not_passed(
    at: At, tmp_path: Path, capsys: Out
) -> None:
    """In a shallow clone the commit that the evidence names is not at hand."""
    place = at("voted")
    here = Repo.clone(place.repo, tmp_path / "shallow", "--depth", "1")
    os.chdir(here.path)
    here.add({f"decisions/{Place(here).decision}/evidence/more.txt": "more\n"})
    capsys.readouterr()

    assert run(["hook", "run", "accord-verify"]) == 3
    told = capsys.readouterr().out
    assert "Not measured" in told
    assert run(["verify", "--staged"]) == 3


def test_the_generate_hook_writes_what_is_due_and_stages_nothing(at: At, capsys: Out) -> None:
    place = at("accepted")
    record = f"decisions/{place.decision}/record.yaml"
    right = (place.path / record).read_bytes()
    place.repo.git("reset", "--quiet", "--soft", "HEAD~1")
    place.repo.git("rm", "--quiet", "--force", record)
    capsys.readouterr()

    assert run(["hook", "run", "accord-verify"]) == 1
    assert "error[record-missing]" in capsys.readouterr().out
    assert run(["hook", "run", "accord-generate"]) == 1

    assert capsys.readouterr().out == f"wrote {record}: stage it and commit again\n"
    assert (place.path / record).read_bytes() == right
    assert record not in place.repo.git("ls-files")

    place.repo.git("add", record)
    assert run(["hook", "run", "accord-generate"]) == 0
    assert run(["hook", "run", "accord-verify"]) == 0


def test_the_generate_hook_leaves_alone_what_is_not_due(at: At, capsys: Out) -> None:
    place = at("voted")
    place.repo.git("reset", "--quiet", "--soft", "HEAD~1")

    assert run(["hook", "run", "accord-generate"]) == 0
    assert not (place.path / f"decisions/{place.decision}/record.yaml").exists()


def test_the_generate_hook_leaves_alone_what_is_right_and_not_staged(at: At, capsys: Out) -> None:
    place = at("accepted")
    place.repo.git("reset", "--quiet", "--soft", "HEAD~1")
    place.repo.git("rm", "--quiet", "--cached", f"decisions/{place.decision}/record.yaml")

    assert run(["hook", "run", "accord-generate"]) == 0


def test_simulate(tmp_path: Path, capsys: Out) -> None:
    right, wrong = tmp_path / "right.yaml", tmp_path / "wrong.json"
    right.write_text(CASE.replace("STATUS", "accepted"))
    wrong.write_text(
        json.dumps(
            {
                "title": "Nobody voted",
                "class": {"rule": "unanimity"},
                "voters": {"a": {"kind": "agent", "roles": ["voter", "challenger"]}},
                "rounds": [{}],
                "expect": {"status": "accepted"},
            }
        )
    )

    assert run(["simulate", str(right), str(wrong)]) == 0
    page = capsys.readouterr().out
    assert run(["simulate", str(right), str(wrong), "--format", "json"]) == 0
    plain = [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    assert "PROCEED" in page
    assert "WAIT" in page
    assert [one["status"] for one in plain] == ["accepted", "open"]
    assert all(one["manifest_digest"].startswith("sha256:") for one in plain)
    assert plain[0]["independence"] is None


def test_simulate_tells_what_is_wrong_with_a_case(tmp_path: Path, capsys: Out) -> None:
    case = tmp_path / "case.yaml"
    case.write_text("format: accord/case/1\ntitel: x\n")

    assert run(["simulate", str(case)]) == 1
    assert f"{case}:2:1: error[schema-invalid]" in capsys.readouterr().out.replace("\n    ", " ")
    assert run(["simulate", str(tmp_path / "none.yaml")]) == 2
    assert "cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_schema_of_a_kind(kind: str, capsys: Out) -> None:
    assert run(["schema", kind]) == 0
    assert json.loads(capsys.readouterr().out)["properties"]["format"] == {
        "const": f"accord/{kind}/1"
    }


def test_schemas_are_listed_and_written(tmp_path: Path, capsys: Out) -> None:
    assert run(["schema"]) == 0
    assert capsys.readouterr().out.split() == sorted(KINDS)

    assert run(["schema", "vote", "--write", str(tmp_path / "one")]) == 0
    assert run(["schema", "--write", str(tmp_path / "all")]) == 0

    assert [path.name for path in (tmp_path / "one").iterdir()] == ["vote.schema.json"]
    assert len(list((tmp_path / "all").iterdir())) == len(KINDS)
    assert capsys.readouterr().out.count("wrote ") == len(KINDS) + 1


def symptoms(capsys: Out) -> dict[str, dict[str, str]]:
    """What `accord doctor` says, by the grade and the beginning of each line."""
    capsys.readouterr()
    run(["doctor", "--format", "json"])
    return {line["text"]: line for line in json.loads(capsys.readouterr().out)}


def find(found: dict[str, dict[str, str]], text: str) -> tuple[str, str]:
    """The grade and the remedy of the line that holds a text."""
    (line,) = (line for line in found.values() if text in line["text"])
    return line["grade"], line["remedy"]


def test_doctor_in_good_health(at: At, capsys: Out) -> None:
    at("sealed")

    found = symptoms(capsys)
    assert run(["doctor"]) == 0

    assert find(found, "/git: git version")[0] == "ok"
    assert find(found, "/ssh-keygen: OpenSSH")[0] == "ok"
    assert find(found, "serial 1, 5 members")[0] == "ok"
    assert all(find(found, f"you can sign as {voter} with /")[0] == "ok" for voter in VOTERS)
    assert find(found, "leaves the bytes of decisions/ alone")[0] == "ok"
    assert find(found, "a sealed vote of implementer in round 1")[0] == "warn"
    assert find(found, "no hook runs accord")[0] == "warn"
    assert "mend: " in capsys.readouterr().out


def test_doctor_knows_whether_the_hook_is_installed(at: At, capsys: Out) -> None:
    place = at("empty")
    place.repo.write({".pre-commit-config.yaml": "repos: [{hooks: [{id: accord-verify}]}]\n"})

    assert find(symptoms(capsys), "lists accord-verify") == ("warn", "pre-commit install")

    place.repo.write({".git/hooks/pre-commit": "#!/bin/sh\nexec pre-commit run\n"})
    assert find(symptoms(capsys), "runs accord before a commit")[0] == "ok"

    place.repo.git("config", "core.hooksPath", "own-hooks")
    assert find(symptoms(capsys), "lists accord-verify")[0] == "warn"

    place.repo.write({"own-hooks/pre-commit": "#!/bin/sh\nexec accord hook run accord-verify\n"})
    assert find(symptoms(capsys), "own-hooks/pre-commit runs accord")[0] == "ok"


def test_doctor_finds_what_breaks_signatures_and_keys(at: At, capsys: Out) -> None:
    place = at("empty")
    place.repo.write({".gitattributes": "* text=auto\n"})
    for member in (*VOTERS, "orchestrator", "dana"):
        place.repo.git("config", "--unset", f"accord.{member}.key")

    found = symptoms(capsys)

    assert find(found, "git may change the bytes")[0] == "fail"
    grade, remedy = find(found, "no key of any member is at hand")
    assert (grade, remedy) == ("warn", "git config accord.challenger.key PATH")
    assert run(["doctor"]) == 3


def test_doctor_names_keys_of_the_agent(at: At, capsys: Out, tmp_path: Path) -> None:
    place = at("empty")
    key = place.repo.git("config", "accord.dana.key")
    place.repo.git("config", "--unset", "accord.dana.key")
    started = subprocess.run(
        ["ssh-agent", "-a", str(tmp_path / "s"), "-s"], capture_output=True, text=True, check=True
    )
    process = int(started.stdout.partition("SSH_AGENT_PID=")[2].partition(";")[0])
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("SSH_AUTH_SOCK", str(tmp_path / "s"))
            subprocess.run(["ssh-add", "-q", key], check=True)
            found = symptoms(capsys)
    finally:
        os.kill(process, 15)

    assert find(found, "you can sign as dana with the ssh-agent (SHA256:")[0] == "ok"


def test_doctor_judges_the_policy(at: At, capsys: Out) -> None:
    place = at("empty")
    policy = (place.path / "decisions/policy.yaml").read_text()
    place.repo.commit({"decisions/policy.yaml": policy.replace("max: 3", "max: 2")})

    found = symptoms(capsys)

    assert any(
        line["grade"] == "fail" and line["text"].startswith("decisions/policy.yaml: ")
        for line in found.values()
    )


def test_doctor_outside_of_a_repository_and_in_a_bare_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    monkeypatch.chdir(tmp_path)
    assert find(symptoms(capsys), "there is no git repository")[0] == "fail"

    Repo.init(tmp_path, "sha1", "--bare")
    assert find(symptoms(capsys), "it is bare")[0] == "warn"


def test_doctor_with_a_git_that_cannot_merge_aside(
    at: At, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    at("empty")
    script = 'case "$*" in *version) echo git version 2.37.1;; *) exec "$GIT" "$@";; esac'
    fake_git(tmp_path / "bin", script, monkeypatch)

    found = symptoms(capsys)

    assert find(found, "2.37.1 cannot merge aside") == ("warn", "install git 2.38 or newer")


def test_doctor_without_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    old = {"git": "echo git version 1.8.3", "ssh-keygen": "true", "ssh": "true"}
    for name, line in old.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{line}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))

    found = [doctor.examine_program(program) for program in doctor.PROGRAMS]
    (tmp_path / "git").unlink()
    (tmp_path / "ssh").unlink()
    gone = [doctor.examine_program(program) for program in doctor.PROGRAMS]

    assert [(symptom.grade, symptom.remedy) for symptom in found] == [
        ("fail", "install git 2.31 or newer"),
        ("warn", "install openssh-client 8.2 or newer"),
    ]
    assert [(symptom.grade, symptom.text.split()[-1]) for symptom in gone] == [
        ("fail", "there"),
        ("warn", "version"),
    ]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_the_script_of_a_shell(shell: str, capsys: Out) -> None:
    assert run(["completion", shell]) == 0
    assert f"_ACCORD_COMPLETE={shell}_complete" in capsys.readouterr().out


def complete(*words: str) -> list[str]:
    """What bash would offer after `accord WORD…` for the last word."""
    done = subprocess.run(
        [sys.executable, "-m", "accord"],
        env={
            **os.environ,
            "_ACCORD_COMPLETE": "bash_complete",
            "COMP_WORDS": " ".join(["accord", *words]),
            "COMP_CWORD": str(len(words)),
        },
        capture_output=True,
        text=True,
        check=True,
    )
    return [line.partition(",")[2] for line in done.stdout.split()]


def test_decisions_members_and_verbs_are_completed(at: At) -> None:
    place = at("draft")

    assert complete("sho") == ["show"]
    assert complete("show", PART) == [place.decision]
    assert complete("packet", PART, "--voter", "im") == ["implementer"]


def test_where_nothing_is_completion_is_silent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    assert complete("show", "x") == []
    assert complete("vote", "x", "--as", "x") == []


def test_verify_tells_that_a_first_policy_is_trusted(at: At, capsys: Out) -> None:
    at("empty").repo.git("update-ref", "-d", "HEAD")
    capsys.readouterr()

    assert run(["verify", "--staged"]) == 0
    assert "trusted" in capsys.readouterr().err


def test_doctor_misses_the_fast_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "find_spec", lambda _: None)

    symptoms = {symptom.text: symptom for symptom in doctor.examine(Path("/"))}

    missing = symptoms["the C part of ruamel.yaml is missing, so nothing can be judged"]
    assert (missing.grade, missing.remedy) == ("fail", "pip install 'ruamel.yaml[oldlibyaml]'")


UNCHANGED = "no file of accord's differs; the policy and 1 decision stand as they did"


@pytest.mark.parametrize("output_format", FORMATS)
def test_every_format_says_why_there_was_nothing(output_format: str, at: At, capsys: Out) -> None:
    """In what holds findings and nothing else there is no room for it: it is told beside it."""
    at("accepted")
    capsys.readouterr()
    assert run(["verify", "--staged", "--format", output_format]) == 0
    printed = capsys.readouterr()
    bare = output_format in ("gitlab", "rdjsonl")
    assert UNCHANGED in " ".join((printed.err if bare else printed.out).split())


def test_the_hook_says_why_there_was_nothing(at: At, capsys: Out) -> None:
    at("accepted")
    capsys.readouterr()
    assert run(["hook", "run", "accord-verify"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("accord: 0 files checked in what is staged against ")
    assert UNCHANGED in told


def test_a_repository_without_anything_of_accords(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    Repo.init(tmp_path, "sha1").commit({"a.txt": "a"})
    monkeypatch.chdir(tmp_path)
    assert run(["verify", "--staged"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert told.endswith(": there is neither a policy nor a decision.")
