"""Which redactions have effect: evidence whose bytes are gone, and whose digest stands (3.7).

A redaction changes nothing that was decided: votes name evidence by digest, and so does every
count. It only says that a file which counts may be missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from accord.model.evidence import ManifestEntry
from accord.model.finding import Finding
from accord.model.paths import evidence_directory
from accord.model.policy import Policy
from accord.model.redaction import Redaction
from accord.model.snapshot import Authenticated, DecisionFiles, Settled
from accord.rules.binding import check_place
from accord.rules.evaluate import Judgement


@dataclass(frozen=True, slots=True)
class CountedRedactions:
    """The redactions that have effect, and what is wrong with them and with the others."""

    files: tuple[Authenticated[Redaction], ...]
    findings: tuple[Finding, ...]

    @property
    def gone(self) -> dict[str, str]:
        """The evidence that was taken out, with the digest that it had."""
        return {file.record.path: file.record.digest for file in self.files}

    def mark(self, judgement: Judgement) -> Judgement:
        """The judgement of their decision: they count, and what they took out may be missing."""
        return replace(
            judgement,
            counted=judgement.counted | {file.path for file in self.files},
            redacted=frozenset(self.gone),
        )


def count_redactions(
    decision: DecisionFiles,
    judgement: Judgement,
    there: Mapping[str, str],
    policy: Policy,
    settled: Settled,
) -> CountedRedactions:
    """The redactions of a decision; `there` maps the evidence that it has to digests.

    What stood before the step was judged when it entered, by the policy of that time.
    """
    counted: list[Authenticated[Redaction]] = []
    findings: list[Finding] = []
    for file in decision.redactions:
        faults = [*check_place(file), *_check_subject(decision, file)]
        if file.path in settled.redactions:
            faults += _check_human(file, policy)
        else:
            faults += _check_decider(file, policy, judgement)
        if not faults:
            counted.append(file)
            faults = [_tell(file), *_check_gone(file, there)]
        findings += faults
    return CountedRedactions(tuple(counted), tuple(findings))


def find_redactors(policy: Policy, judgement: Judgement) -> frozenset[str]:
    """Who may redact evidence of a decision now: its human deciders who vote on it no more.

    While a decision runs, who votes on it hides none of its evidence from the others.
    """
    voters = {voter for round_ in judgement.rounds for voter in round_.roster}
    deciders = {
        name
        for name, member in policy.members.items()
        if member.kind == "human" and "decider" in member.roles
    }
    return frozenset(deciders if judgement.evaluation.ended else deciders - voters)


def find_redactable(decision: DecisionFiles) -> dict[str, set[str | None]]:
    """The own evidence that the proposals of a decision list, with the digests they give."""
    own = evidence_directory(decision.id)
    listed: dict[str, set[str | None]] = {}
    for entry in list_evidence(decision):
        if entry.artifact is not None and entry.artifact.startswith(own):
            listed.setdefault(entry.artifact, set()).add(entry.digest)
    return listed


def list_evidence(decision: DecisionFiles) -> Iterator[ManifestEntry]:
    """What the proposals of a decision list, drafts too."""
    for round_ in decision.rounds:
        proposal = round_.proposal or round_.draft
        yield from proposal.record.evidence if proposal is not None else ()


def _check_subject(decision: DecisionFiles, file: Authenticated[Redaction]) -> Iterator[Finding]:
    path, digest = file.record.path, file.record.digest
    listed = find_redactable(decision)
    if path not in listed:
        field, fault = "path", f"{path} is no evidence below evidence/ that a proposal here lists"
    elif listed[path].isdisjoint({None, digest}):
        field, fault = "digest", f"{path} is listed with another digest"
    else:
        return
    yield Finding(
        code="redaction-unfounded",
        path=file.path,
        field=field,
        message=f"{fault}; the redaction has no effect",
        hint="Remove it and write a new one with accord redact, which names what it takes out.",
    )


def _check_human(file: Authenticated[Redaction], policy: Policy) -> Iterator[Finding]:
    member = policy.members.get(file.signer)
    if member is None or member.kind != "human":
        yield _not_able(file, "is no human")


def _check_decider(
    file: Authenticated[Redaction], policy: Policy, judgement: Judgement
) -> Iterator[Finding]:
    able = find_redactors(policy, judgement)
    if file.signer not in able:
        who = " or ".join(sorted(able)) or "nobody in this policy"
        why = "is no human decider, or is a voter of this decision, which has not ended"
        yield _not_able(file, why, f"Only {who} can sign it.")


def _not_able(
    file: Authenticated[Redaction], why: str, hint: str = "A human decider signs it."
) -> Finding:
    return Finding(
        code="signer-lacks-role",
        path=file.path,
        message=f"{file.signer} signed this redaction and {why}; it has no effect",
        hint=hint,
    )


def _tell(file: Authenticated[Redaction]) -> Finding:
    return Finding(
        code="evidence-redacted",
        path=file.path,
        message=f"{file.signer} took {file.record.path} out; {file.record.digest} is left of it",
        hint="Whoever has these bytes can still compare them with the digest.",
    )


def _check_gone(file: Authenticated[Redaction], there: Mapping[str, str]) -> Iterator[Finding]:
    path = file.record.path
    if path in there:
        yield Finding(
            code="redacted-evidence-present",
            path=path,
            message=f"it was redacted by {file.signer}, and a file stands there",
            hint=f"Remove it: git rm {path}",
        )
