"""What writing verbs do alike: who acts, what is saved, and what is said afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path

from accord.cli import output
from accord.cli.context import (
    Workspace,
    allow_option,
    commit_options,
    pass_workspace,
    signer_options,
)
from accord.errors import UsageError
from accord.flow.cast import Answer
from accord.flow.drafts import DraftFile, find_drafts, read_draft
from accord.flow.identity import Wish, find_actor, find_all, find_named
from accord.flow.publish import Published, Saving
from accord.flow.session import open_session
from accord.flow.settle import settle
from accord.model.paths import SIGNATURES
from accord.render.decision import write_directive
from accord.render.escape import escape
from accord.render.page import Page
from accord.signing.base import Signer


class Desk:
    """A session, who is wished to act, and how to save: the place where one verb works."""

    def __init__(self, workspace: Workspace, wish: Wish, saving: Saving, keep: Path | None) -> None:
        self.find = workspace.find
        self.session = open_session(workspace.repository, state=keep)
        self.wish = wish
        self.saving = saving

    def actor(self, able: Iterable[str], what: str) -> Signer:
        """The member that acts."""
        return find_actor(self.session, self.wish, able, what)

    def answers(self, source: Path | None, stem: str, able: Iterable[str]) -> list[Answer]:
        """Drafts and their signers: many from a directory, or one from a file or from nothing."""
        if source is not None and source.is_dir():
            if self.wish.member is not None:
                raise UsageError(
                    f"{source} holds drafts of many, and --as names one",
                    "leave out --as, or name the one file",
                )
            return [
                Answer(find_named(self.session, member, self.wish), draft)
                for member, draft in find_drafts(source, stem).items()
            ]
        draft = DraftFile("the options", b"{}") if source is None else read_draft(source)
        return [Answer(self.actor(able, stem), draft)]

    def settle(self, decision: str) -> None:
        """Do what is due, and say so."""
        session = self.session.renewed()
        signers = find_all(session, self.wish)
        for line in settle(session, decision, signers, self.saving):
            output.write(f"{escape(line)}\n")

    def tell(self, published: Published) -> None:
        """Say what was written, where it was committed, and where the decision now stands."""
        suffixes = tuple(SIGNATURES.values())
        for path in published.paths:
            if not path.endswith(suffixes):
                output.write(f"wrote {escape(path)}\n")
        for path in published.removed:
            output.write(f"removed {escape(path)}\n")
        if published.commit is not None:
            output.write(f"committed {published.commit[:12]}\n")
        for place in published.allowed:
            output.tell(f"written although it looks like a secret: {escape(place)}")
        for warning in published.warnings:
            output.tell(f"{warning.code}: {warning.path}: {warning.message}")

    def push(self) -> None:
        """Push once at the end, if that is wished, and say where to."""
        if self.saving.push:
            output.write(f"pushed to {escape(self.session.repository.push())}\n")

    def tell_standing(self, decision: str) -> None:
        """Where the decision stands now: the directive, in one word and one sentence."""
        page = Page()
        write_directive(page, self.session.renewed().judge(decision).judgement.evaluation)
        output.write_page(page)


def at_desk(function: Callable[..., None]) -> Callable[..., None]:
    """Give a verb its `Desk`, with the options that every writing verb has.

    They are `--as`, `--key`, `--sigstore`, `--commit`, `--push` and `--allow-secret-like`;
    `--keep` where the verb declares it.
    """

    @signer_options
    @commit_options
    @allow_option
    @pass_workspace
    @wraps(function)
    def command(
        workspace: Workspace,
        /,
        *,
        wish: Wish,
        commit: bool,
        push: bool,
        allowed: tuple[str, ...],
        keep: Path | None = None,
        **options: object,
    ) -> None:
        desk = Desk(workspace, wish, Saving(commit, push, allowed), keep)
        function(desk, **options)
        desk.push()

    return command
