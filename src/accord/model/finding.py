"""Findings: a rule that a file breaks, and the catalogue of their codes (section 12)."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

FindingSeverity = Literal["error", "warning"]


class Code(NamedTuple):
    """One entry of the catalogue. `docs/findings.md` says why it exists and how to mend it."""

    about: str
    severity: FindingSeverity
    title: str


def _codes(about: str, **titles: str) -> dict[str, Code]:
    """Read a group of `code="title"`; a title that starts with `(w) ` is a warning."""
    return {
        name.replace("_", "-"): Code(
            about,
            "warning" if title.startswith("(w) ") else "error",
            title.removeprefix("(w) "),
        )
        for name, title in titles.items()
    }


CODES: dict[str, Code] = (
    _codes(
        "files",
        yaml_invalid="the file is not in accord's YAML",
        schema_invalid="a field is missing, unknown or of the wrong type",
        unsupported_format="the format is of another kind or needs another accord",
        file_too_large="the file is larger than 256 KiB",
        not_a_regular_file="a link, submodule or executable stands where a plain file belongs",
        path_invalid="the path cannot be that of an accord file, or of evidence",
        unexpected_file="no file of this name belongs here",
        id_clash="two ids differ only in - and _, or in case",
        stale_file="(w) bound to something else than what stands there, and not counted",
    )
    | _codes(
        "policy",
        policy_invalid="the policy contradicts itself",
        policy_serial="a changed policy must raise its serial by exactly one",
        policy_change_unapproved="no accepted governance decision enacts this policy or template",
        policy_removed="the policy is gone although the history had one",
        no_decider="(w) nobody can rule on what escalates",
    )
    | _codes(
        "signatures",
        unsigned="the signature beside the file is missing",
        bad_signature="the signature does not fit the file",
        unknown_signer="no member has the key that signed",
        wrong_signer="signed by another member than the file names",
        key_not_valid="the key was not valid, or revoked, when it signed",
        signer_lacks_role="the signer's role does not allow this file",
        key_revoked_since="(w) a key that signed was revoked later, reaching back",
    )
    | _codes(
        "ballot",
        ballot_not_from_policy="rules, voters or officers are not those of the policy",
        wrong_project="the ballot belongs to another project",
        challenger_missing="the roster holds no challenger",
        voter_count="the roster is smaller or larger than the class allows",
        voter_not_eligible="a voter of the roster may not vote in this class",
        proposer_votes="the proposer is on the roster",
        opener_votes="the opener is on the roster",
        dissenter_dropped="a dissenter of an earlier round is not on the roster",
        waiver_not_allowed="the class does not allow this waiver",
        class_changed="a later round changed the class",
        proposed_before="the text was refused, withdrawn or escalated before and is not continued",
        only_voters_added="a correlated quorum is not cured by more voters on the same evidence",
        ballot_not_anchored="the ballot is not in the base yet, as its class demands",
    )
    | _codes(
        "vote",
        ballot_mismatch="the file is bound to another ballot, round or decision",
        proposal_changed="the proposal is not the one that the ballot froze",
        not_a_voter="the signer is not on this ballot's roster",
        vote_incomplete="an answer lacks what makes it a vote",
        blocking_concern_under_agree="a vote agrees and names a blocking concern",
        challenger_silent="the challenger names no concern",
        unknown_category="the rejection category does not exist",
        equivocation="one member signed two different files for one place",
        late_vote="(w) it came after the round was closed, and is not counted",
    )
    | _codes(
        "seals",
        seal_missing="a vote of a sealed ballot has no seal",
        seal_mismatch="the vote is not the one that was sealed",
        revealed_before_sealed="a vote was opened before all seals were in",
        seal_order_unproven="(w) nothing proves that all seals came before the first opening",
        seal_unopened="(w) a seal was never opened",
        saw_other_votes="(w) other votes were there before this one was cast",
    )
    | _codes(
        "rounds",
        round_gap="a round is missing before this one",
        round_not_allowed="the state of the decision does not allow a next round",
        round_limit_exceeded="no round is left in this class",
        objection_unanswered="an objection of the round before is not answered",
        not_addressed="an objection is called addressed but nothing changed",
        reopens_invalid="the decision cannot be reopened or superseded like this",
    )
    | _codes(
        "evidence",
        evidence_digest_mismatch="the artifact is not the one that was listed",
        evidence_missing="a listed artifact is not in the repository",
        no_load_bearing_artifact="independence is asked for and nothing is load-bearing",
        claim_without_primary="(w) a vote leans on a claim without the evidence it is about",
        claim_in_text="(w) a sentence of a claim recurs in the text that is voted on",
        claim_not_shown="a vote cites a claim that its packet withheld",
        packet_mismatch="the packet that a vote names is none of its ballot",
        trace_unproven="evidence is called traced, and no receipt shows it",
        evidence_redacted="(w) a decider took evidence out, and its digest is left",
        redaction_unfounded="a redaction names no evidence that the decision lists",
        redacted_evidence_present="evidence that was redacted stands there",
        unpinned="(w) an artifact has no digest, so nobody can tell which one was meant",
    )
    | _codes(
        "agreement",
        amendment_differs="the amendment is not the voter's alternative, byte for byte",
        amendment_unfounded="an amendment without a minor objection is ignored",
        correlated_quorum_warning="(w) it passed, and one source could have carried it",
        single_lineage="(w) all who agree are one provider and model, or one session",
    )
    | _codes(
        "after",
        ruling_not_human="only a human decider who did not vote rules",
        ruling_too_early="a ruling is possible only after voting has failed",
        ruling_without_votes="nothing to rule on: no vote was ever cast",
        check_not_independent="a check by the coalition, the proposer or the opener is void",
        rederivation_not_independent="the second look is not a fresh one",
        rederivation_contradicts="(w) the second look comes to another result",
        synthesis_missing="a ruling needs the authority's synthesis",
        decision_ended="the decision has ended; this cannot enter any more",
    )
    | _codes(
        "generated",
        record_missing="the decision has ended and has no record",
        record_early="a record of a decision that has not ended",
        record_differs="the record is not the one that the files give",
        ledger_stale="(w) the ledger or the index is not the one that the files give",
        adr_stale="a page is not the one that the record gives",
        page_without_record="a page of a decision that is not there, or has not ended",
        shared_file_in_change="(w) a pull request touches the ledger or the index",
    )
    | _codes(
        "history",
        frozen_file_changed="a file that counts was changed",
        signed_file_deleted="a file that counts was deleted or renamed",
        undecided_on_protected_branch="the decision may not arrive on a protected branch yet",
        ballot_lost="no ref holds a ballot, seal or vote any more that one held",
        evil_merge="a merge holds content that no parent has",
        guarded_path="a guarded path changed without an accepted decision",
        enacts_differs="the file is not the one that the decision enacts",
        trailer_only="(w) only a trailer names the decision, and a squash can lose it",
        root_mismatch="the first policy is not the one that was pinned",
    )
)


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A rule that a file breaks.

    `path` is the file; `field` the place in it (`evidence[0].digest`), from which line and
    column are found when they are not known yet.
    """

    code: str
    path: str
    message: str
    hint: str = ""
    line: int | None = None
    column: int | None = None
    field: str = ""

    @property
    def severity(self) -> FindingSeverity:
        """`error` refuses, `warning` is told."""
        return CODES[self.code].severity


def find_errors(findings: tuple[Finding, ...] | list[Finding]) -> tuple[Finding, ...]:
    """The findings that refuse."""
    return tuple(finding for finding in findings if finding.severity == "error")
