"""Whether what answers cite is there: in the commits that they name, or in the trees at hand."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

from accord.model.evidence import ManifestEntry, UsedEvidence
from accord.model.finding import Finding
from accord.model.ids import digest_bytes
from accord.model.proposal import Proposal
from accord.model.snapshot import Stored
from accord.rules.artifacts import FindArtifact
from accord.rules.blobs import check_blob
from accord.rules.citations import FindCited, Found, measure_citations
from accord.rules.evaluate import Judgement
from accord.store.tree import Tree, read_plain


def find_cited(trees: Sequence[Tree], find: FindArtifact) -> FindCited:
    """Where a cited file is looked for: in its commit, else in one of the trees.

    A commit that is not at hand may have been squashed: the same bytes in a tree will do.
    """

    def look(artifact: str, revision: str | None, digest: str | None) -> Found:
        found = find(artifact, revision) if revision is not None else None
        if found is not None:
            return found
        there = [read_plain(tree, artifact) for tree in trees]
        known = [data for data in there if data is not None]
        same = (data for data in known if digest is None or digest_bytes(data) == digest)
        fitting = next(same, None)
        if fitting is not None or revision is not None:
            return fitting
        return known[0] if known else "absent"

    return look


def measure_answers(
    judgement: Judgement,
    trees: Sequence[Tree],
    find: FindArtifact,
    entering: Collection[str] | None = None,
) -> tuple[tuple[Finding, ...], tuple[str, ...]]:
    """What answers to the latest round cite that is not there, and what nobody could look at.

    `entering` are the paths that a step brings; what stood there before was judged when it
    entered. None: the trees stand alone, so what names no commit cannot be looked for in them.
    """
    findings: list[Finding] = []
    unmeasured: set[str] = set()
    for path, used, manifest in _list_answers(judgement):
        if entering is not None and path not in entering:
            continue
        named = used if entering is not None else tuple(map(_only_pinned, used))
        measured = measure_citations(named, manifest, path, find_cited(trees, find))
        findings += measured.findings
        unmeasured |= set(measured.unmeasured)
    if not unmeasured:
        return tuple(findings), ()
    names = ", ".join(sorted(unmeasured))
    decision = judgement.evaluation.decision
    return tuple(findings), (
        f"evidence that answers to {decision} cite: the commits of {names} are not at hand",
    )


def _only_pinned(entry: UsedEvidence) -> UsedEvidence:
    """An entry that names no commit, without what would have to be looked for."""
    pinned = entry.artifact is None or entry.revision is not None
    return entry if pinned else msgspec.structs.replace(entry, artifact=None, lines=None)


def _list_answers(
    judgement: Judgement,
) -> Iterator[tuple[str, tuple[UsedEvidence, ...], dict[str, ManifestEntry]]]:
    """The answers to the latest round that count, and second looks at it, with its manifest."""
    for round_ in judgement.rounds[-1:]:
        manifest = {entry.id: entry for entry in round_.proposal.record.evidence}
        for vote in round_.votes.values():
            yield vote.path, vote.record.evidence, manifest
        for affirmation in (*round_.affirmed.values(), *round_.retracted.values()):
            yield affirmation.path, affirmation.record.evidence, manifest
        for look in judgement.looks:
            yield look.path, look.record.evidence, manifest


def check_own_blobs(
    draft: Stored[Proposal], own: Mapping[str, str], tree: Tree
) -> Iterator[Finding]:
    """Whether the files of a decision's own evidence are the blobs that its manifest names."""
    for position, entry in enumerate(draft.record.evidence):
        there = tree.find(entry.artifact or "") if entry.artifact in own else None
        # Bytes that a redaction took out have a digest of their own.
        if there is not None and own.get(there.path) == entry.digest:
            yield from check_blob(entry, there.oid, draft.path, f"evidence[{position}]")
