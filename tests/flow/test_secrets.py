"""What is taken for a secret, what is not, and the way past it."""

from __future__ import annotations

import base64
import json
import re
import uuid
from pathlib import Path

import pytest

from accord.errors import UsageError
from accord.flow.secrets import MAX_LINE, find_in_file, find_secrets, refuse_secrets, tell_allowed
from accord.store.tree import MemoryTree
from tests.support.keys import FixedKey
from tests.support.tables import table

# Made up, and put together here: as one word each would be found in this file, too.
MIXED = "aZ3kQ9xW1vB7nM5cR2tY8uJ4hG6fD0sLpEoIwVyT"
AWS = "AKIA" + "QZ7XW3VB5NM2CR8T"
GITHUB = "ghp_" + MIXED[:36]
CLAIMS = (
    base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")
    for part in ({"alg": "HS256", "typ": "JWT"}, {"sub": "1234", "name": "omar"})
)
JWT = ".".join((*CLAIMS, MIXED))
KEY = "-----BEGIN OPENSSH " + "PRIVATE KEY-----\n" + (MIXED * 2)[:70] + "\n"
SIGNATURE = FixedKey("reviewer").sign(b"x").decode()
DIGEST = "accaf0" * 10 + "1234"


def kinds(text: str) -> list[str]:
    return [place.kind for place in find_secrets(text, "x")]


@table(
    ("text", "kind"),
    {
        "an AWS key": (f"aws_access_key_id = {AWS}", "AWS Access Key"),
        "one in JSON": ('{"log": "\\n' + AWS + '\\n"}', "AWS Access Key"),
        "one in a diff": (f"+key={AWS}", "AWS Access Key"),
        "an AWS secret": (f'aws_secret_key = "{MIXED}"', "AWS Access Key"),
        "a GitHub token": (f"Authorization: token {GITHUB}", "GitHub Token"),
        "a newer GitHub token": ("github_" + "pat_" + MIXED * 2, "GitHub Token"),
        "a GitLab token": ("glpat-" + MIXED[:20], "GitLab Token"),
        "a JSON web token": (f"Cookie: session={JWT}; path=/", "JSON Web Token"),
        "a Slack token": ("xox" + "b-123456789012-" + MIXED.lower()[:24], "Slack Token"),
        "a Stripe key": ("sk_" + "live_" + MIXED[:24], "Stripe Access Key"),
        "a PyPI token": ("pypi-AgEIcHlwaS5vcmc" + MIXED * 2, "PyPI Token"),
        "an Anthropic token": ("sk-ant-" + "api03-" + MIXED * 2, "Anthropic Token"),
        "an OpenAI token": ("sk-" + "proj-" + MIXED * 2, "OpenAI Token"),
        "a Google key": ("AIza" + MIXED[:35], "Google API Key"),
        "a Hugging Face token": ("hf_" + "abcdeFGHIJ" * 3 + "klMN", "Hugging Face Token"),
        "a private key": (KEY, "Private Key"),
        "a private key in JSON": (json.dumps({"key": KEY}), "Private Key"),
        "an age key": ("AGE-SECRET-" + "KEY-1" + MIXED.upper() + MIXED.upper()[:18], "Private Key"),
        "a PuTTY key": ("PuTTY-User-" + "Key-File-3: ssh-ed25519\n", "Private Key"),
        "a password in a URL": (
            "postgres://app:" + "hunter2" + "@db.local:5432/orders",
            "Basic Auth Credentials",
        ),
        "one far out in a long line": ("x " * MAX_LINE + GITHUB, "GitHub Token"),
        "one where a long line is cut": ("x" * (MAX_LINE - 21) + " " + GITHUB, "GitHub Token"),
    },
)  # fmt: skip
def test_it_is_found(text: str, kind: str) -> None:
    assert kinds(text) == [kind]


@table(
    ("text",),
    {
        "a digest": (f"sha256:{DIGEST}",),
        "a digest in capitals": (DIGEST.upper(),),
        "a commit": ("commit " + "3f9c1e0a7b" * 4,),
        "a commit of SHA-256": (DIGEST,),
        "an SSH signature": (SIGNATURE,),
        "an SSH public key": (FixedKey("reviewer").line,),
        "a UUID": (str(uuid.UUID(int=2**127 + 12345)),),
        "base64 with the letters of a key": (f"d2{AWS}RRwvE+/9==",),
        "the same, upper case alone": ("QQ" + AWS + "WW",),
        "a line of package-lock.json": ('"integrity": "sha512-' + MIXED * 2 + '=="',),
        "a line of uv.lock": (f'hash = "sha256:{DIGEST}", size = 12345',),
        "a line of go.sum": (f"golang.org/x/mod v0.1.0 h1:{MIXED}=",),
        "a wheel's RECORD": (f"accord/x.py,sha256={MIXED}zzz,1234",),
        "a digest after a time": (f"1700000000:{DIGEST}",),
        "a word after a time": ("1700000000:the-long-name-of-some-unit-in-a-log",),
        "a nonce": ("nonce: " + "ab12" * 16,),
        "the example of a manual": ("AKIAIOSFODNN7EXAMPLE",),
        "a token that is crossed out": ("ghp_" + "x" * 36,),
        "the head of a private key alone": ("-----BEGIN OPENSSH " + "PRIVATE KEY-----",),
        "a name in a stack trace": ("NameOfAVeryLongJavaClass.create.andThenSomethingRatherLong",),
        "a password that is none": ("https://user:password@example.org/x",),
        "a password from elsewhere": ("https://user:$TOKEN@host.org/x",),
        "a user in a URL": ("ssh://git@host.org:22/repo and omar@host.org",),
        "three dotted words": ("eyJhbGci.is.nothing",),
        "UTF-8 that is damaged": ("\ufffd\ufffd" + "a" * 60,),
    },
)
def test_a_look_alike_is_not(text: str) -> None:
    assert kinds(text) == []


def test_the_project_itself_holds_none() -> None:
    root = Path(__file__).parents[2]
    files = [path for path in sorted((root / "decisions").rglob("*")) if path.is_file()]
    assert files
    assert [place for file in files for place in find_in_file(file.read_bytes(), str(file))] == []


def test_a_place_never_shows_the_secret() -> None:
    with pytest.raises(UsageError) as refused:
        refuse_secrets({"a.txt": f"one\ntwo {GITHUB}\n".encode()}, (), MemoryTree({}))
    assert "a.txt:2: GitHub Token" in refused.value.message
    assert "--allow-secret-like a.txt:2" in refused.value.hint
    assert MIXED[:8] not in refused.value.message + refused.value.hint


def test_of_many_some_are_named() -> None:
    data = "".join(f"{GITHUB}\n" for _ in range(13)).encode()
    with pytest.raises(UsageError, match=r"a\.txt:10: .*\n.*… and 3 more"):
        refuse_secrets({"a.txt": data}, (), MemoryTree({}))


def test_windows_writes_other_text() -> None:
    (place,) = find_in_file(f"one\r\n{GITHUB}\r\n".encode("utf-16"), "a.txt")
    assert place.line == 2


def test_in_a_file_of_accords_the_field_is_named() -> None:
    path = "decisions/2026-11-30-x/rounds/1/proposal.yaml"
    data = f"title: x\ntext: |\n  one\n  {GITHUB}\nclass: y\n".encode()
    assert [str(place) for place in find_in_file(data, path)] == [
        f"{path}:4: GitHub Token, in text"
    ]
    (place,) = find_in_file(GITHUB.encode(), path)
    assert place.field == ""


SAME = {"d/a.txt": GITHUB.encode()}


@table(
    ("allowed", "there", "told"),
    {
        "the place": (("d/a.txt:1",), {}, ("d/a.txt:1: GitHub Token",)),
        "the file": (("d/a.txt",), {}, ("d/a.txt:1: GitHub Token",)),
        "the end of its path": (("a.txt:1",), {}, ("d/a.txt:1: GitHub Token",)),
        "what HEAD has": ((), SAME, ()),
    },
)
def test_it_is_let_through(
    allowed: tuple[str, ...], there: dict[str, bytes], told: tuple[str, ...]
) -> None:
    assert refuse_secrets(SAME, allowed, MemoryTree(there)) == told


@pytest.mark.parametrize("allowed", ["d/a.txt:2", "xa.txt", "b.txt", ""])
def test_another_place_lets_nothing_through(allowed: str) -> None:
    with pytest.raises(UsageError):
        refuse_secrets(SAME, (allowed,), MemoryTree({}))


def test_what_was_let_through_ends_a_commit_message() -> None:
    assert tell_allowed(()) == ""
    assert re.fullmatch(r"\n\nAllowed-Secret-Like: a\nAllowed-Secret-Like: b", tell_allowed("ab"))
