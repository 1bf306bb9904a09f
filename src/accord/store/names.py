"""What a name means that somebody typed: one commit, or it is refused (gitrevisions(7)).

git looks for a name at several places and takes the first that has it: a tag `main` before the
branch. Whoever may push a tag would say so what is judged. So a name that means different commits
at different places means none, and a full one (`refs/heads/main`) is looked for nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from accord.errors import UsageError
from accord.store.git import Repository
from accord.store.refs import HEADS, list_tips

_PLACES = ("refs/", "refs/tags/", HEADS, "refs/remotes/")
_TAGS = "refs/tags/"
_END_OF_NAME = re.compile(r"[\^~:?*\[\\\s]|@\{|\.\.")
_WHOLE_ID = re.compile(r"(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")
_PART_OF_ID = re.compile(r"(?:.*-g)?([0-9a-f]{4,63})\Z")
_SHORT = 12


def check_name(repository: Repository, revision: str) -> None:
    """Whether the name that an expression begins with means one commit.

    Raises UsageError when it means several, and when it is a full one and nothing has it.
    """
    name = _END_OF_NAME.split(revision, maxsplit=1)[0]
    name = "HEAD" if name == "@" else name
    if not name or _WHOLE_ID.match(name):
        return
    if name.startswith("refs/"):
        _require_ref(repository, name)
        return
    there = list_tips(repository, *(place + name for place in _PLACES), f"refs/remotes/{name}/HEAD")
    if not there:
        return
    meant = set(_find_meanings(repository, name)) - set(there.values())
    if len({*meant, *there.values()}) > 1:
        told = ", ".join(
            [f"{ref} is {commit[:_SHORT]}" for ref, commit in there.items()]
            + [f"by itself it is {commit[:_SHORT]}" for commit in sorted(meant)]
        )
        raise UsageError(f"{name} means several commits: {told}", _find_way_out(there))


def _require_ref(repository: Repository, name: str) -> None:
    """git would look for it elsewhere too: a tag may be called refs/heads/main."""
    if name not in list_tips(repository, name):
        raise UsageError(f"no commit is called {name!r}", "`git branch --all` lists the names")


def _find_meanings(repository: Repository, name: str) -> Iterator[str]:
    """What a name means besides a ref: a file of git such as HEAD, a part of the id of a commit."""
    answer = repository.reading.ask("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    if answer.status == 0:
        yield answer.text
    part = _PART_OF_ID.match(name)
    if part is None:
        return
    listed = repository.reading.ask("rev-parse", f"--disambiguate={part[1]}").text.split()
    yield from filter(repository.objects.is_commit, listed)


def _find_way_out(there: dict[str, str]) -> str:
    full = next((f"full name, such as {ref}" for ref in there if not ref.startswith(_TAGS)), None)
    tags = [ref.removeprefix(_TAGS) for ref in there if ref.startswith(_TAGS)]
    remove = f"; or remove the tag, if nobody needs it: git tag -d {tags[0]}" if tags else ""
    return f"write the {full or 'id of the commit'}{remove}"
