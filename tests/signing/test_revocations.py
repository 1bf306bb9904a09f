"""What one policy revokes, revoked in another."""

from __future__ import annotations

from accord.model.policy import Key, Policy, SigstoreIdentity
from accord.signing.revocations import share_revocations
from tests.signing.policies import policy_of
from tests.support.keys import FixedKey
from tests.support.tables import table

EARLY, LATE = "2026-01-01T00:00:00Z", "2026-06-01T00:00:00Z"
LINE = FixedKey("reviewer").line
ACCOUNT = SigstoreIdentity(identity="rev@example.org", issuer="https://accounts.example.org")
OTHER = SigstoreIdentity(identity="rev@example.org", issuer="https://elsewhere.example.org")


def policy(*keys: Key, name: str = "reviewer") -> Policy:
    return policy_of(**{name: keys})


@table(
    ("here", "there", "since"),
    {
        "not revoked": (Key(ssh=LINE), Key(ssh=LINE), None),
        "revoked there": (Key(ssh=LINE), Key(ssh=LINE, revoked_from=EARLY), EARLY),
        "revoked here": (Key(ssh=LINE, revoked_from=EARLY), Key(ssh=LINE), EARLY),
        "earlier there": (
            Key(ssh=LINE, revoked_from=LATE),
            Key(ssh=LINE, revoked_from=EARLY),
            EARLY,
        ),
        "earlier here": (
            Key(ssh=LINE, revoked_from=EARLY),
            Key(ssh=LINE, revoked_from=LATE),
            EARLY,
        ),
        "with a comment": (
            Key(ssh=LINE),
            Key(ssh=f"{LINE} at home", revoked_from=EARLY),
            EARLY,
        ),
        "another key": (
            Key(ssh=LINE),
            Key(ssh=FixedKey("stranger").line, revoked_from=EARLY),
            None,
        ),
        "an account": (Key(sigstore=ACCOUNT), Key(sigstore=ACCOUNT, revoked_from=EARLY), EARLY),
        "of another issuer": (
            Key(sigstore=ACCOUNT),
            Key(sigstore=OTHER, revoked_from=EARLY),
            None,
        ),
        "no key here": (Key(ssh="nonsense"), Key(ssh=LINE, revoked_from=EARLY), None),
        "no key there": (Key(ssh=LINE), Key(ssh="nonsense", revoked_from=EARLY), None),
    },
)
def test_a_key_is_revoked_when_either_says_so(here: Key, there: Key, since: str | None) -> None:
    shared = share_revocations(policy(here), policy(there, name="somebody"))
    assert shared.members["reviewer"].keys[0].revoked_from == since


def test_the_earliest_of_several_entries() -> None:
    there = policy(Key(ssh=LINE, revoked_from=LATE), Key(ssh=LINE, revoked_from=EARLY))
    shared = share_revocations(policy(Key(ssh=LINE), Key(ssh=LINE, valid_until=LATE)), there)
    assert {key.revoked_from for key in shared.members["reviewer"].keys} == {EARLY}


def test_nothing_new_is_the_same_policy() -> None:
    before = policy(Key(ssh=LINE, revoked_from=EARLY))
    assert share_revocations(before, before) is before
