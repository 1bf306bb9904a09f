"""A story for `accord demo`: eight improvements at once, refused, scoped down, accepted."""

from __future__ import annotations

import json

from accord.cli.stage import Stage
from accord.model.affirmation import COMMITMENT
from accord.render.templates import read_template

_VOTERS = ("architect", "devex", "security", "tester", "pm", "catfish")
_HAND_WRITTEN = """\
format: accord/record/1
status: accepted
"""


def _prepare(stage: Stage) -> None:
    stage.say("A repository with six agents as voters, one that opens rounds, and one human.")
    stage.begin(_VOTERS, "dana")
    stage.write("sandbox/measurements.txt", "1000 commands, 31 of them ran for over an hour\n")
    stage.run("git add measurements.txt")
    stage.run("git commit --quiet --message 'Start deciding with accord'")
    stage.run("git switch --quiet --create agent-sandbox")


def play(stage: Stage) -> None:
    """Play it from the empty folder to the record."""
    _prepare(stage)
    stage.say("The orchestrator proposes eight improvements at once, and opens round 1.")
    stage.write("brief.yaml", read_template("demo/sandbox-brief.yaml"))
    stage.run(
        "accord propose agent-sandbox --class architecture --from ../brief.yaml --open --commit"
    )
    stage.say("Six voters answer, sealed. Two refuse, with categories and an alternative.")
    stage.write_votes("votes-1", "demo/sandbox-votes-1.yaml")
    stage.run("accord vote agent-sandbox --from ../votes-1 --commit")
    stage.run("accord show agent-sandbox")
    decision = stage.find_decision("agent-sandbox")
    stage.say("Somebody is in a hurry and writes the acceptance by hand. The hook refuses it.")
    stage.write(f"sandbox/decisions/{decision}/record.yaml", _HAND_WRITTEN)
    stage.run(f"git add decisions/{decision}/record.yaml")
    stage.run("accord hook run accord-verify", expected=1)
    stage.run(f"git rm --quiet --force decisions/{decision}/record.yaml")
    _play_second_round(stage, decision)


def _play_second_round(stage: Stage, decision: str) -> None:
    stage.say("The objections are answered, and the next round is drafted from them.")
    stage.run(
        "accord revise agent-sandbox --commit"
        " --addressed 'pm:DRY_VIOLATION=uses the timer of the scheduler'"
        " --addressed 'catfish:OVER_ENGINEERING=seven of eight are gone'"
    )
    draft = stage.root / f"decisions/{decision}/rounds/2/proposal.yaml"
    draft.write_text(_scope_down(draft.read_text()))
    stage.run("accord open agent-sandbox --voter pm --voter catfish --voter architect --commit")
    stage.write_votes("votes-2", "demo/sandbox-votes-2.yaml")
    stage.run("accord vote agent-sandbox --from ../votes-2 --commit")
    stage.say("All agree. Now each has read the others' reasons, and signs that it still stands.")
    stands = {
        "stance": "affirm",
        "reason": "The others' reasons add to mine; the files left behind are known.",
        "commitment": COMMITMENT,
    }
    for voter in ("architect", "pm", "catfish"):
        stage.write(f"affirmations/{voter}.json", json.dumps(stands))
    stage.run("accord affirm agent-sandbox --from ../affirmations --commit")
    stage.run("accord verify")
    stage.run("accord status")


def _scope_down(draft: str) -> str:
    """The draft of round 2 with the text cut down, as somebody would in an editor."""
    before, _, rest = draft.partition("\ntext: |\n")
    _, _, after = rest.partition("\noptions:")
    text = "".join(f"  {line}\n" for line in read_template("demo/sandbox-scoped.txt").splitlines())
    return f"{before}\ntext: |\n{text}options:{after}"
