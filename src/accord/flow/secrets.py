"""What looks like a key or a token, before it is written where it stays (docs/redaction.md).

The formats are those of detect-secrets, as patterns alone: nothing of it reads git, keeps a
baseline or asks a network whether a token works. Its guesses (entropy, words like `password`) are
left out: digests, commit ids, signatures and lock files are what evidence is made of.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import NamedTuple

from accord.errors import UsageError
from accord.model.paths import SIGNATURES, find_location
from accord.store.tree import Tree, read_plain

MAX_LINE = 4000  # longer ones are looked at piece by piece, since some patterns look far
_OVERLAP = 400
_MAX_SHOWN = 10

# module and class below detect_secrets.plugins, and whether a token ends where its pattern does:
# if more follows, it was a part of something longer, like a digest.
_KINDS: tuple[tuple[str, str, bool], ...] = (
    ("aws", "AWSKeyDetector", True),
    ("azure_storage_key", "AzureStorageKeyDetector", False),
    ("discord", "DiscordBotTokenDetector", True),
    ("github_token", "GitHubTokenDetector", False),
    ("gitlab_token", "GitLabTokenDetector", False),
    ("jwt", "JwtTokenDetector", False),
    ("mailchimp", "MailchimpDetector", True),
    ("npm", "NpmDetector", False),
    ("openai", "OpenAIDetector", False),
    ("pypi_token", "PypiTokenDetector", False),
    ("sendgrid", "SendGridDetector", True),
    ("slack", "SlackDetector", False),
    ("square_oauth", "SquareOAuthDetector", False),
    ("stripe", "StripeDetector", False),
    ("telegram_token", "TelegramBotTokenDetector", True),
    ("twilio", "TwilioKeyDetector", True),
)
# What it does not know, or takes for one where only the name of one stands.
_OWN: tuple[tuple[str, str], ...] = (
    (
        "Private Key",
        r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----[^-]{1,300}?[\w+/=]{32}",
    ),
    ("Private Key", r"PuTTY-User-Key-File-[0-9]: .{1,200}\n"),
    ("Private Key", r"AGE-SECRET-KEY-1[0-9A-Z]{50,60}"),
    ("Basic Auth Credentials", r"://[^\s:/@{}<>\"']{1,80}:(?P<password>[^\s/@{}<>\"']{3,200})@\w"),
    ("GitHub Token", r"github_pat_[0-9A-Za-z_]{60,90}"),
    ("Google API Key", r"AIza[0-9A-Za-z_-]{35}"),
    ("Anthropic Token", r"sk-ant-[a-z0-9]{2,10}-[0-9A-Za-z_-]{40,120}"),
    ("OpenAI Token", r"sk-(?:proj|svcacct|admin)-[0-9A-Za-z_-]{40,200}"),
    ("Hugging Face Token", r"hf_[A-Za-z]{34}"),
)
_PLACEHOLDER = re.compile(r"example|placeholder|redacted|x{5}|\.{3}|\*{3}|(.)\1{7}", re.IGNORECASE)
_NO_PASSWORD = re.compile(r"\$|%|\*|(?:pass(?:word|wd)?|pw|secret|token|changeme|x+)\Z", re.I)
_ESCAPES = re.compile(r"\\[nrt]\Z")  # of JSON: what follows begins a line
_KEY = re.compile(r"^([a-z_]+):", re.MULTILINE)


class Place(NamedTuple):
    """Where something looks like a secret: never what it is."""

    path: str
    line: int
    kind: str
    field: str = ""

    def __str__(self) -> str:
        inside = f", in {self.field}" if self.field else ""
        return f"{self.path}:{self.line}: {self.kind}{inside}"


class _Pattern(NamedTuple):
    kind: str
    regex: re.Pattern[str]
    ends: bool
    is_valid: Callable[[str], bool]


def find_secrets(text: str, path: str) -> Iterator[Place]:
    """Where a text has what looks like a key or a token, in the order of its lines."""
    lines = _Lines(text)
    found = {
        (lines.number_of(match.start()), pattern.kind)
        for pattern in _patterns()
        for match in pattern.regex.finditer(lines.text)
        if _is_whole(pattern, match) and not _is_placeholder(match)
        if pattern.is_valid(match[0])
    }
    yield from (Place(path, line, kind) for line, kind in sorted(found))


def find_in_file(data: bytes, path: str) -> Iterator[Place]:
    """The same for a file; in one of accord's own the field is named, too."""
    text = _decode(data)
    location = find_location(path)
    named = location is not None and location.kind != "evidence"
    for place in find_secrets(text, path):
        yield place._replace(field=_find_field(text, place.line)) if named else place


def refuse_secrets(
    files: Mapping[str, bytes], allowed: Sequence[str], base: Tree
) -> tuple[str, ...]:
    """Refuse to write what looks like a secret; what is allowed by its place, in words.

    What `base` holds already is not looked at again, and signatures hold none. Raises UsageError
    that names every place.
    """
    suffixes = tuple(SIGNATURES.values())
    places = [
        place
        for path, data in sorted(files.items())
        if not path.endswith(suffixes) and read_plain(base, path) != data
        for place in find_in_file(data, path)
    ]
    left = [place for place in places if not is_allowed(place, allowed)]
    if not left:
        return tuple(map(str, places))
    shown = [str(place) for place in left[:_MAX_SHOWN]]
    more = [f"… and {len(left) - _MAX_SHOWN} more"] if len(left) > _MAX_SHOWN else []
    first = f"{left[0].path}:{left[0].line}"
    raise UsageError(
        "this looks like a secret, and what is written here stays:\n  "
        + "\n  ".join((*shown, *more)),
        "nothing was written; take it out and run the command again (a secret that was in a file:"
        f" revoke it). If it is none: --allow-secret-like {first}",
    )


def tell_allowed(allowed: Sequence[str]) -> str:
    """The end of a commit message: what looks like a secret there, and was let through."""
    lines = "\n".join(f"Allowed-Secret-Like: {one}" for one in allowed)
    return f"\n\n{lines}" if lines else ""


def is_allowed(place: Place, allowed: Sequence[str]) -> bool:
    """Whether one of the given places is this one: a path or the end of one, with a line or not."""
    wholes = (place.path, f"{place.path}:{place.line}")
    return any(whole == one or whole.endswith(f"/{one}") for one in allowed for whole in wholes)


class _Lines:
    """A text with its long lines cut into pieces that overlap, and the numbers of its lines."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._numbers: list[int] = []
        self._starts: list[int] = []
        pieces: list[str] = []
        start = 0
        for number, line in enumerate(text.split("\n"), start=1):
            for at in range(0, max(len(line) - _OVERLAP, 1), MAX_LINE - _OVERLAP):
                piece = line[at : at + MAX_LINE]
                pieces.append(piece)
                self._numbers.append(number)
                self._starts.append(start)
                start += len(piece) + 1
        self.text = "\n".join(pieces)

    def number_of(self, position: int) -> int:
        return self._numbers[bisect_right(self._starts, position) - 1]


@cache
def _patterns() -> tuple[_Pattern, ...]:
    known = []
    for module, name, ends in _KINDS:
        detector = getattr(import_module(f"detect_secrets.plugins.{module}"), name)()
        is_valid = getattr(detector, "is_formally_valid", _has_digit)
        known += [
            _Pattern(detector.secret_type, regex, ends, is_valid) for regex in detector.denylist
        ]
    own = (_Pattern(kind, re.compile(regex), False, _is_any) for kind, regex in _OWN)
    return (*known, *own)


def _has_digit(token: str) -> bool:
    """What is drawn at random has one; a long name in a stack trace seldom does."""
    return any(character.isdigit() for character in token)


def _is_any(_token: str) -> bool:
    return True


def _is_whole(pattern: _Pattern, match: re.Match[str]) -> bool:
    """Whether it stands for itself, and is no part of a longer word: of base64 or of a digest."""
    before = _ESCAPES.sub("", match.string[max(match.start() - 2, 0) : match.start()])[-1:]
    after = match.string[match.end() : match.end() + 1]
    if match[0][0].isalnum() and (before.isalnum() or before in {"+", "_"}):
        return False
    return not (pattern.ends and after and (after.isalnum() or after in "+/_-"))


def _is_placeholder(match: re.Match[str]) -> bool:
    password = match.groupdict().get("password")
    if password is not None:
        return bool(_NO_PASSWORD.match(password) or _PLACEHOLDER.search(password))
    return bool(_PLACEHOLDER.search(match[0]))


def _decode(data: bytes) -> str:
    """Some text for any bytes, line by line the same; what is no UTF-8 is no part of a token."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8", "replace")


def _find_field(text: str, line: int) -> str:
    """The field of a file in accord's YAML that a line belongs to."""
    above = "\n".join(text.split("\n")[:line])
    keys: list[str] = _KEY.findall(above)
    return keys[-1] if keys else ""
