"""The one form that all spellings of a URI have."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from accord.model.uri import normalise_uri
from tests.support.tables import table


@table(
    ("uri", "normal"),
    {
        "as it is": ("https://example.org/a?b=c", "https://example.org/a?b=c"),
        "a fragment": ("https://example.org/a?b#c", "https://example.org/a?b"),
        "scheme and host": ("HTTPS://User@EXAMPLE.org/A", "https://User@example.org/A"),
        "an escape that need not be": ("https://x.org/%7ea%2Db", "https://x.org/~a-b"),
        "an escape that must be": ("https://x.org/a%2fb?c=%e2", "https://x.org/a%2Fb?c=%E2"),
        "an escape in the host": ("https://%41b%c3.org/", "https://ab%C3.org/"),
        "dots": ("https://x.org/a/./b/../../c/.", "https://x.org/c/"),
        "dots above the root": ("https://x.org/../../a/..", "https://x.org/"),
        "no path": ("https://x.org", "https://x.org/"),
        "no path, and no web": ("git+ssh://x.org", "git+ssh://x.org"),
        "the port of the scheme": ("http://x.org:80/", "http://x.org/"),
        "an empty port": ("ftp://x.org:/a", "ftp://x.org/a"),
        "another port": ("http://x.org:8080/", "http://x.org:8080/"),
        "no authority": ("URN:ISBN:%31#x", "urn:ISBN:1"),
        "no URI": ("src/a.py", "src/a.py"),
    },
)
def test_normal_form(uri: str, normal: str) -> None:
    assert normalise_uri(uri) == normal


@given(st.from_regex(r"[a-zA-Z]{1,3}:(//[a-z@:.%0-9]{0,6})?[/.a%0-9E]{0,12}(\?[%a-f0-9]{0,4})?"))
def test_the_normal_form_is_its_own(uri: str) -> None:
    normal = normalise_uri(uri)
    assert normalise_uri(normal) == normal
