"""What accord stats counts of decisions that were taken with the real commands."""

from __future__ import annotations

from typing import Any

from tests.e2e.team import MAJOR, MINOR, Team, all_agree


def counted(team: Team, *options: str) -> dict[str, Any]:
    found = team.json("stats", *options)
    assert isinstance(found, dict)
    return found


def test_three_decisions(team: Team) -> None:
    team.propose("plain")
    team.vote("plain", all_agree())
    team.affirm("plain")

    team.propose("amended", text="Make it faster.")
    team.vote("amended", all_agree() | {"reviewer": MINOR})
    team.accord("amend", "amended", "--commit")
    team.affirm("amended")

    team.propose("refined", text="Make all of it fast.")
    team.vote("refined", all_agree() | {"challenger": MAJOR})
    answer = "--addressed=challenger:SCOPE_CREEP=half of it is gone"
    team.accord("revise", "refined", answer, "--commit")
    draft = team.file("refined", "rounds/2/proposal.yaml")
    draft.write_text(draft.read_text().replace("Make all of it fast.", "Make half of it fast."))
    team.accord("open", "refined", "--commit")
    team.vote("refined", all_agree())
    running = counted(team)
    team.affirm("refined")
    found = counted(team)

    assert [found[total] for total in ("decisions", "rounds", "votes", "voters", "pairs")] == [
        3,
        4,
        12,
        3,
        3,
    ]
    assert (found["rejections"]["count"], found["rejections"]["of"]) == (2, 12)
    assert [
        (share["key"], share["count"], share["of"]) for share in found["rejections"]["by_voter"]
    ] == [("challenger", 1, 4), ("implementer", 0, 4), ("reviewer", 1, 4)]
    assert (found["refinement"]["count"], found["refinement"]["of"]) == (2, 2)
    assert (running["refinement"]["count"], running["refinement"]["of"]) == (1, 2)
    assert running["challengers"][0] | {"how": None} == {
        "voter": "challenger",
        "count": 0,
        "of": 0,
        "how": None,
        "pending": 1,
    }
    assert found["challengers"] == [
        {
            "voter": "challenger",
            "count": 1,
            "of": 1,
            "how": {"amendment": 0, "agreement": 1, "answer": 0},
            "pending": 0,
        }
    ]
    assert found["never_dissenting"] == [{"voter": "implementer", "rounds": 4}]
    assert found["always_agreeing"] == []
    assert found["resolved_by_refinement"] == [
        {"category": "SCOPE_CREEP", "count": 1, "of": 1, "raised_again": 0, "unheard": 0}
    ]
    assert "implementer (too few to say)" in team.accord("stats")
