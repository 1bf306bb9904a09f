"""Which files of a round count (sections 3.5 to 3.7 and 4).

The steps, in this order, because each binds to what the one before let through:

1. the close, which says what is late;
2. the seals of a sealed ballot;
3. the votes: on the roster, for this ballot, as sealed, complete, not late;
4. the tally of the votes, and the amendment that minor objections found;
5. the affirmations of exactly that transcript and text; a retraction is never late or stale;
6. the outcome.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from accord.model.affirmation import Affirmation
from accord.model.ballot import Ballot
from accord.model.evaluation import Outcome
from accord.model.finding import Finding
from accord.model.ids import digest_map
from accord.model.proposal import Proposal
from accord.model.resolution import Amendment, Close
from accord.model.snapshot import Authenticated, RoundFiles
from accord.model.vote import Seal, Vote
from accord.rules.affirmations import count_affirmations, ends_voting_only, stem
from accord.rules.amendments import check_amendment
from accord.rules.binding import check_bindings, check_late, check_officer, check_place, check_voter
from accord.rules.completeness import check_vote
from accord.rules.tally import Cast, tally


@dataclass(frozen=True, slots=True)
class CountedRound:
    """One round with what counts in it.

    `votes` are by voter; `incomplete` are sealed votes that stand as abstentions; `late` came
    after the close. `affirmed` holds the affirmation of the final transcript and text that
    counts for each voter, `retracted` the retractions. `silenced` are those who dissent by files of
    which the ballot after it says nothing: that changes no tally, and takes nobody off a roster.
    """

    files: RoundFiles
    ballot: Authenticated[Ballot]
    proposal: Authenticated[Proposal]
    close: Authenticated[Close] | None
    seals: Mapping[str, Authenticated[Seal]]
    votes: Mapping[str, Authenticated[Vote]]
    incomplete: frozenset[str]
    late: tuple[Authenticated[Vote], ...]
    amendment: Authenticated[Amendment] | None
    affirmed: Mapping[str, Authenticated[Affirmation]]
    retracted: Mapping[str, Authenticated[Affirmation]]
    cast: Mapping[str, Cast]
    voted: Outcome
    outcome: Outcome
    transcript: str
    text_digest: str
    findings: tuple[Finding, ...]
    counted: frozenset[str]
    silenced: frozenset[str] = frozenset()

    @property
    def number(self) -> int:
        """The number of the round."""
        return self.files.number

    @property
    def roster(self) -> tuple[str, ...]:
        """The voters of the ballot, sorted."""
        return tuple(sorted(self.ballot.record.voters))

    @property
    def assenting(self) -> frozenset[str]:
        """The winners: who agrees, or whose minor objection was taken in.

        Where there is an amendment nobody assents without having affirmed it.
        """
        answers = {"agree", "minor"} if self.amendment else {"agree"}
        return frozenset(
            voter
            for voter, cast in self.cast.items()
            if cast in answers and (self.amendment is None or voter in self.affirmed)
        )

    @property
    def awaits_affirmations(self) -> bool:
        """Whether affirmations can still come, and could carry the round."""
        agreed = self.outcome not in ("open", "decision_triggered", "inconclusive")
        return agreed and not self.is_over

    @property
    def is_over(self) -> bool:
        """Whether the authority closed it for good, and not only for votes."""
        return self.close is not None and not ends_voting_only(self.close)

    @property
    def against(self) -> frozenset[str]:
        """Who disagreed, abstained or retracted, by what counts."""
        return frozenset(
            voter
            for voter, cast in self.cast.items()
            if cast not in ("agree", "pending", "missing")
        )

    @property
    def unopened(self) -> frozenset[str]:
        """Who sealed a vote and did not open it before the close."""
        return frozenset(voter for voter in self.seals if self.cast[voter] == "missing")

    @property
    def dissenters(self) -> frozenset[str]:
        """Who disagreed, abstained, retracted, or sealed and did not open; late votes too."""
        late = {vote.signer for vote in self.late if vote.record.vote != "agree"}
        return self.against | self.unopened | late

    def objects(self, voter: str) -> bool:
        """Whether the vote of a voter is a disagreement. A sealed incomplete one abstains."""
        vote = self.votes.get(voter)
        return vote is not None and vote.record.vote == "disagree" and voter not in self.incomplete

    @property
    def objections(self) -> frozenset[tuple[str, str | None]]:
        """Every (voter, category) that a next round has to answer; abstentions have no category."""
        raised: set[tuple[str, str | None]] = set()
        for vote in (*self.votes.values(), *self.late):
            if vote.signer in self.incomplete or vote.record.vote == "abstain":
                raised.add((vote.signer, None))
            elif vote.record.vote == "disagree":
                raised |= {(vote.signer, category) for category in vote.record.categories}
        for voter, retraction in self.retracted.items():
            raised |= {(voter, category) for category in retraction.record.categories}
        return frozenset(raised)


def count_round(
    files: RoundFiles, ballot: Authenticated[Ballot], proposal: Authenticated[Proposal]
) -> CountedRound:
    """Sort the files of a round, whose ballot counts, into what counts and what does not."""
    close, close_findings = _count_close(files, ballot)
    seals, seal_findings = _count_seals(files, ballot, close)
    votes, incomplete, late, vote_findings = _count_votes(files, ballot, proposal, close, seals)
    transcript = digest_map({voter: vote.digest for voter, vote in votes.items()})
    absent: Cast = "missing" if close else "pending"
    cast: dict[str, Cast] = {
        voter: "abstain" if voter in incomplete else _cast_of(votes.get(voter), absent)
        for voter in ballot.record.voters
    }
    voted = tally(ballot.record.rules, cast)
    amendment, amendment_findings = check_amendment(
        files.amendment, ballot, proposal, votes, transcript, voted
    )
    text_digest = amendment.digest if amendment else proposal.digest
    affirmed, retracted, standing, affirmation_findings = count_affirmations(
        files, ballot, proposal, close, transcript, text_digest
    )
    # Nobody takes back what was not cast: who has not voted yet still holds the round open.
    final: dict[str, Cast] = {
        voter: "retracted" if voter in retracted and cast[voter] != "pending" else cast[voter]
        for voter in cast
    }
    counted = [ballot, proposal, *seals.values(), *votes.values(), *late, *standing]
    counted += [file for file in (close, amendment) if file is not None]
    return CountedRound(
        files=files,
        ballot=ballot,
        proposal=proposal,
        close=close,
        seals=seals,
        votes=votes,
        incomplete=incomplete,
        late=late,
        amendment=amendment,
        affirmed=affirmed,
        retracted=retracted,
        cast=final,
        voted=voted,
        outcome=tally(ballot.record.rules, final),
        transcript=transcript,
        text_digest=text_digest,
        findings=(
            *close_findings,
            *seal_findings,
            *vote_findings,
            *amendment_findings,
            *affirmation_findings,
        ),
        counted=frozenset(file.path for file in counted),
    )


def _cast_of(vote: Authenticated[Vote] | None, absent: Cast) -> Cast:
    if vote is None:
        return absent
    if vote.record.vote == "disagree":
        return vote.record.severity or "major"
    return vote.record.vote


def _count_close(
    files: RoundFiles, ballot: Authenticated[Ballot]
) -> tuple[Authenticated[Close] | None, tuple[Finding, ...]]:
    close = files.close
    if close is None:
        return None, ()
    findings = (
        *check_place(close),
        *check_officer(close, ballot.record, "authority", "close"),
        *check_bindings(close, {"ballot": ballot.digest}, "stale-file"),
    )
    return (None if findings else close), findings


def _count_seals(
    files: RoundFiles, ballot: Authenticated[Ballot], close: Authenticated[Close] | None
) -> tuple[dict[str, Authenticated[Seal]], tuple[Finding, ...]]:
    seals: dict[str, Authenticated[Seal]] = {}
    findings: list[Finding] = []
    for seal in files.seals:
        faults = check_voter(seal, ballot)
        if close is not None and not faults:
            faults = check_late(seal, close.record.counted.seals.get(seal.signer))
        if not faults:
            seals[seal.signer] = seal
        findings += faults
    return seals, tuple(findings)


def _count_votes(
    files: RoundFiles,
    ballot: Authenticated[Ballot],
    proposal: Authenticated[Proposal],
    close: Authenticated[Close] | None,
    seals: Mapping[str, Authenticated[Seal]],
) -> tuple[
    dict[str, Authenticated[Vote]],
    frozenset[str],
    tuple[Authenticated[Vote], ...],
    tuple[Finding, ...],
]:
    sealed = ballot.record.rules.ballots == "sealed"
    votes: dict[str, Authenticated[Vote]] = {}
    incomplete: set[str] = set()
    late: list[Authenticated[Vote]] = []
    findings: list[Finding] = []
    for vote in files.votes:
        faults = check_voter(vote, ballot)
        if faults:
            findings += faults
            continue
        lateness = _check_vote_late(vote, close)
        if lateness:
            findings += lateness
            late.append(vote)
            continue
        if sealed:
            faults = _check_seal(vote, seals.get(vote.signer))
            findings += faults
            if faults:
                continue
        faults = check_vote(vote.record, ballot, proposal, vote.path)
        findings += faults
        if faults and not sealed:
            continue
        votes[vote.signer] = vote
        if faults:
            incomplete.add(vote.signer)
    if close is not None:
        findings += _find_unopened(seals, votes)
    return votes, frozenset(incomplete), tuple(late), tuple(findings)


def _check_vote_late(
    vote: Authenticated[Vote], close: Authenticated[Close] | None
) -> tuple[Finding, ...]:
    if close is None or vote.signer in close.record.counted.seals:
        return ()
    return check_late(vote, close.record.counted.votes.get(vote.signer))


def _check_seal(vote: Authenticated[Vote], seal: Authenticated[Seal] | None) -> tuple[Finding, ...]:
    if seal is None:
        return (
            Finding(
                code="seal-missing",
                path=vote.path,
                message="the ballot is sealed, and this vote has no seal; it is not counted",
                hint="Cast votes with accord vote: it seals first and opens when all seals are in.",
            ),
        )
    if seal.record.vote != vote.digest:
        return (
            Finding(
                code="seal-mismatch",
                path=vote.path,
                message="this is not the vote that was sealed; it is not counted",
                hint="Restore the vote that was sealed; a vote cannot be changed after sealing.",
            ),
        )
    return ()


def _find_unopened(
    seals: Mapping[str, Authenticated[Seal]], votes: Mapping[str, Authenticated[Vote]]
) -> list[Finding]:
    return [
        Finding(
            code="seal-unopened",
            path=seal.path,
            message=f"{voter} sealed a vote and did not open it; the vote counts as missing",
            hint=f"{voter} can still open it (accord reveal) until the next ballot or the record.",
        )
        for voter, seal in sorted(seals.items())
        if voter not in votes
    ]


def affirmation_digests(round_: CountedRound) -> dict[str, str]:
    """`<voter>.<n>` → digest of all affirmations that count, for close.yaml and `previous`."""
    return {
        stem(file): file.digest for file in round_.files.affirmations if file.path in round_.counted
    }
