"""An answer comes from a file or from options: what would not be read is refused, not dropped."""

from __future__ import annotations

from tests.e2e.team import AGREE, MAJOR, MINOR, Team, all_agree
from tests.support.tables import table

FAILED = {"reviewer": AGREE, "implementer": AGREE, "challenger": MAJOR}


@table(
    ("stage", "verb", "source", "options"),
    {
        "a concern beside a vote": ("open", "vote", "--from", ("--concern=slow",)),
        "a rationale beside a vote": ("open", "vote", "--from", ("--rationale=r",)),
        "evidence beside a vote": ("open", "vote", "--from", ("--evidence=source",)),
        "a word beside a vote": ("open", "vote", "--from", ("--agree",)),
        "an acknowledgement beside an affirmation": (
            "voted", "affirm", "--from", ("--acknowledge-asymmetry",),
        ),
        "evidence beside an affirmation": ("voted", "affirm", "--from", ("--evidence=source",)),
        "a retraction beside an affirmation": ("voted", "affirm", "--from", ("--retract",)),
        "evidence beside a second look": ("voted", "rederive", "--from", ("--evidence=source",)),
        "an answer beside answers": (
            "failed", "resolve", "--from", ("--rebutted=challenger:SCOPE_CREEP=no",),
        ),
        "the same when revising": (
            "failed", "revise", "--from", ("--addressed=challenger:SCOPE_CREEP=yes",),
        ),
        "an editor beside an amended text": ("minor", "amend", "--text", ("--edit",)),
        "an outline beside a synthesis": ("open", "synthesize", "--text", ("--outline",)),
    },
)  # fmt: skip
def test_both_are_refused(
    stage: str, verb: str, source: str, options: tuple[str, ...], team: Team
) -> None:
    team.propose("x")
    votes = {"voted": all_agree(), "failed": FAILED, "minor": FAILED | {"challenger": MINOR}}
    if stage != "open":
        team.vote("x", votes[stage])
    draft = team.write("draft.json", {})
    before = team.repo.git("status", "--short")
    told = team.accord(verb, "x", source, str(draft), *options, code=2)
    assert "exclude each other" in told
    assert team.repo.git("status", "--short") == before
