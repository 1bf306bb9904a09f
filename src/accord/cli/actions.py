"""What writing verbs do alike: who acts, what is saved, and what is said afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
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
from accord.errors import AccordError, UsageError
from accord.flow.cast import Answer
from accord.flow.drafts import DraftFile, find_drafts, read_draft
from accord.flow.identity import Wish, find_actor, find_all, find_named, with_role
from accord.flow.open_round import open_round
from accord.flow.publish import Published, Saving, alone
from accord.flow.reveal import tell_damaged
from accord.flow.session import open_session
from accord.flow.settle import settle
from accord.flow.unfinished import (
    NotCommitted,
    Unfinished,
    commit_left,
    find_unfinished,
    identify_command,
    noting,
)
from accord.model.finding import Finding
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
        self._written: str | None = None

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
        for round_ in session.renewed().judge(decision).judgement.rounds[-1:]:
            for line in tell_damaged(session.state, round_):
                output.tell(line)

    def tell(self, published: Published) -> None:
        """Say what was written, where it was committed, and where the decision now stands."""
        self._written = published.judged.loaded.id
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
        self.warn(published.warnings)

    def warn(self, warnings: Iterable[Finding]) -> None:
        """Say what refuses nothing, on standard error."""
        for warning in warnings:
            output.tell(f"{warning.code}: {warning.path}: {warning.message}")

    def open(self, decision: str) -> None:
        """Open the round of a draft, and say so."""
        session = self.session.renewed()
        opener = self.actor(with_role(session, "authority"), "open")
        self.tell(open_round(session, decision, opener, (), self.saving))

    def go_on(self, left: Unfinished, rest: Rest, options: Mapping[str, object]) -> None:
        """Finish what git refused before: what was written is committed, not written again."""
        decision = self._written = left.decision
        with alone(self.session, f"commit {decision}") as here:
            commit = commit_left(here, left)
        if commit is not None:
            output.write(f"committed {commit[:12]}, which was written before\n")
        rest(self, decision, options)
        self.settle(decision)
        self.tell_standing(decision)

    def push(self) -> None:
        """Push once at the end, if that is wished, and say where to."""
        if not self.saving.push:
            return
        try:
            output.write(f"pushed to {escape(self.session.repository.push())}\n")
        except AccordError as error:
            if self._written is None:
                raise
            raise NotCommitted(error, self._written, "", ()) from error

    def tell_standing(self, decision: str) -> None:
        """Where the decision stands now: the directive, in one word and one sentence."""
        page = Page()
        write_directive(page, self.session.renewed().judge(decision).judgement.evaluation)
        output.write_page(page)


Rest = Callable[[Desk, str, Mapping[str, object]], None]
"""What a verb does after its first commit, if it does more: desk, decision, options."""


def at_desk(function: Callable[..., None]) -> Callable[..., None]:
    """Give a verb its `Desk`, with the options that every writing verb has.

    They are `--as`, `--key`, `--sigstore`, `--commit`, `--push` and `--allow-secret-like`;
    `--keep` where the verb declares it.
    """
    return _at_desk(function, lambda _desk, _decision, _options: None)


def at_desk_then(rest: Rest) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The same for a verb that commits twice; `rest` is the second part, if it is still due."""
    return lambda function: _at_desk(function, rest)


def _at_desk(function: Callable[..., None], rest: Rest) -> Callable[..., None]:
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
        said = identify_command(function.__module__, {**options, "as": wish.member})
        left = find_unfinished(desk.session, said) if said and (commit or push) else None
        with noting(desk.session, said):
            if left is None:
                function(desk, **options)
            else:
                desk.go_on(left, rest, options)
            desk.push()

    return command
