"""Where a check runs: what a proposal declares, on the head of its change; else here (section 7).

The head is checked out into a worktree that goes away again, whatever branch is checked out. The
decision's own evidence, which the head does not have, is put beside it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from accord.errors import UsageError
from accord.flow.change import find_bytes, find_plain
from accord.flow.session import Session
from accord.model.evidence import Input
from accord.model.ids import digest_bytes
from accord.model.paths import ROOT
from accord.model.proposal import CheckPlan, Proposal
from accord.store.files import write_files


@dataclass(frozen=True, slots=True)
class Place:
    """A working tree in which a check runs; `commit` is set where it is one of the head alone."""

    session: Session
    root: Path
    commit: str | None

    def digest(self, path: str) -> str | None:
        """The digest of a plain file in it."""
        data = find_plain(self.root, path)
        return None if data is None else digest_bytes(data)

    def describe(self) -> dict[str, str]:
        """Which commit is checked out, and whether what lies here differs from it.

        The folder of decisions is left out, and so is what git ignores.
        """
        if self.commit is not None:
            return {"commit": self.commit, "tree": "as committed"}
        repository = self.session.repository
        answer = repository.reading.ask(
            "status", "--porcelain", "--untracked-files=all", "--", ".", f":(top,exclude){ROOT}"
        )
        changed = "changed, or with files that git does not know" if answer.out else "as committed"
        return {"commit": repository.head() or "none yet", "tree": changed}


@dataclass(frozen=True, slots=True)
class Stand:
    """What a check will run on: the head of a change, or what is checked out (`head` is None)."""

    session: Session
    head: str | None

    def digest(self, path: str) -> str | None:
        """The digest of an input as the check will find it."""
        data = self._read(path)
        return None if data is None else digest_bytes(data)

    @contextmanager
    def entered(self, inputs: Iterable[Input]) -> Iterator[Place]:
        """The place itself, while the check runs. Raises UsageError when git cannot make it."""
        if self.head is None:
            yield Place(self.session, self.session.root, None)
            return
        acting = self.session.repository.acting
        with tempfile.TemporaryDirectory(prefix="accord-check-") as folder:
            root = Path(folder).resolve() / "head"
            made = acting.ask(
                "-c", "core.hooksPath=", "worktree", "add", "--detach", str(root), self.head
            )
            try:
                if made.status:
                    raise UsageError(f"{self.head} cannot be checked out", made.err)
                write_files(root, dict(self._list_own(inputs)))
                yield Place(self.session, root, self.head)
            finally:
                acting.ask("worktree", "remove", "--force", str(root))

    def _read(self, path: str) -> bytes | None:
        if self.head is None or path.startswith(f"{ROOT}/"):
            return find_bytes(self.session, path)
        found = self.session.sources(self.session.tree).means.find_artifact(path, self.head)
        return found if isinstance(found, bytes) else None

    def _list_own(self, inputs: Iterable[Input]) -> Iterator[tuple[str, bytes]]:
        for entry in inputs:
            data = self._read(entry.artifact) if entry.artifact.startswith(f"{ROOT}/") else None
            if data is not None:
                yield entry.artifact, data


def find_stand(session: Session, proposal: Proposal, plan: CheckPlan) -> Stand:
    """What a check runs on. Raises UsageError when the head of the change is not at hand."""
    declared = {one.name: one.argv for one in proposal.checks}
    if proposal.change is None or declared.get(plan.name) != plan.argv:
        return Stand(session, None)
    if not session.repository.has(proposal.change.head):
        raise UsageError(
            f"the head of the change, {proposal.change.head}, is not here",
            "fetch the branch that has it",
        )
    return Stand(session, proposal.change.head)
