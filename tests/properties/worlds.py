"""Strategies: rounds in which anybody may have cast, marked and affirmed anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from accord.model.ballot import Rules
from accord.model.evidence import EvidenceKind, ManifestEntry, UsedEvidence
from accord.model.policy import Independence, Seats
from accord.model.snapshot import DecisionFiles, RoundFiles
from tests.support import aftermath as a
from tests.support import files as b

FOUR = ("challenger", "voter_1", "voter_2", "voter_3")
VIAS = ("read", "executed", "measured")
RULES: dict[str, Rules] = {
    "unanimity": b.make_rules(voters=Seats(min=2, max=4, eligible=FOUR)),
    "independent": b.make_rules(
        voters=Seats(min=2, max=4, eligible=FOUR), independence=Independence(f=1)
    ),
    "sealed": b.make_rules(voters=Seats(min=2, max=4, eligible=FOUR), ballots="sealed"),
    "one round": b.make_rules(voters=Seats(min=2, max=4, eligible=FOUR), max_rounds=1),
    "quorum": b.make_rules(
        rule="bft_quorum",
        voters=Seats(min=4, max=4, eligible=FOUR),
        independence=Independence(f=1, overlap_warning="0.5"),
    ),
}
OTHER = ManifestEntry(
    id="other", kind="claim", artifact="notes.md", digest=b.digest_of("notes"), summarizes="log"
)
MANIFEST = (*b.MANIFEST, OTHER)

_used = st.builds(
    lambda id_, via, kind, weighty: UsedEvidence(id=id_, via=via, kind=kind, load_bearing=weighty),
    st.sampled_from([entry.id for entry in MANIFEST]),
    st.sampled_from(VIAS),
    st.sampled_from([None, None, None, "claim"]),
    st.sampled_from([None, None, None, True]),
)
_found = st.builds(
    lambda path, name, weighty: UsedEvidence(
        artifact=path, digest=b.digest_of(name), load_bearing=weighty
    ),
    st.sampled_from(["src/a.py", "src/b.py", "lib/a.py"]),
    st.sampled_from(["one", "two"]),
    st.sampled_from([None, True]),
)
evidence = st.lists(st.one_of(_used, _used, _found), max_size=4).map(tuple)
answers: st.SearchStrategy[Mapping[str, Any]] = st.sampled_from(
    [b.AGREE, b.AGREE, b.AGREE, b.MINOR, b.MAJOR, b.ABSTAIN]
)


@st.composite
def rounds(
    draw: Callable[[st.SearchStrategy[Any]], Any],
    rules: st.SearchStrategy[str] = st.sampled_from(sorted(RULES)),  # noqa: B008
) -> RoundFiles:
    """Any round: some vote, some are amended in, some affirm or retract, perhaps it is closed."""
    files = b.open_round({"evidence": MANIFEST}, rules=RULES[draw(rules)], voters=b.seats(FOUR))
    voting = draw(st.lists(st.sampled_from(FOUR), unique=True, min_size=2))
    files = b.cast(
        files, **{voter: {**draw(answers), "evidence": draw(evidence)} for voter in sorted(voting)}
    )
    if draw(st.booleans()):
        files = b.amend(files)
    stances: st.SearchStrategy[Mapping[str, Any]] = st.sampled_from([{}, {}, {}, {}, b.RETRACT])
    files = b.affirm(
        files,
        **{
            voter: {
                **draw(stances),
                "evidence": draw(evidence),
                "asymmetry_acknowledged": draw(st.booleans()),
            }
            for voter in sorted(draw(st.lists(st.sampled_from(FOUR), unique=True)))
        },
    )
    return b.close(files) if draw(st.booleans()) else files


@st.composite
def decisions(draw: Callable[[st.SearchStrategy[Any]], Any]) -> DecisionFiles:
    """Any decision of one round, with checks and second looks after it."""
    files = draw(rounds())
    checks = [
        a.check_file(files, number=number, passed=passed, exit_code=0 if passed else 1)
        for number, passed in enumerate(draw(st.lists(st.booleans(), max_size=3)), start=1)
    ]
    looks = [
        a.rederivation_file(files, by=by, confirms=confirms)
        for by, confirms in draw(
            st.dictionaries(st.sampled_from(["outsider", "auditor"]), st.booleans())
        ).items()
    ]
    return b.decide(files, checks=tuple(checks), rederivations=tuple(looks))


def shuffled(
    draw: Callable[[st.SearchStrategy[Any]], Any], decision: DecisionFiles
) -> DecisionFiles:
    """The same files in another order."""

    def mix(files: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(draw(st.permutations(files)))

    mixed = tuple(
        replace(
            files,
            votes=mix(files.votes),
            seals=mix(files.seals),
            affirmations=mix(files.affirmations),
        )
        for files in decision.rounds
    )
    return replace(
        decision,
        rounds=mix(mixed),
        checks=mix(decision.checks),
        rederivations=mix(decision.rederivations),
    )


def kinds() -> st.SearchStrategy[EvidenceKind]:
    return st.sampled_from(["primary", "claim"])
