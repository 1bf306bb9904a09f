"""From stored to authenticated: who signed, and whether that key may, by position."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import msgspec
import pytest

import accord
from accord.model.affirmation import Affirmation
from accord.model.ballot import Ballot
from accord.model.base import Record
from accord.model.escalation import Check, Rederivation, Ruling, Synthesis, Withdrawal
from accord.model.finding import Finding
from accord.model.ids import digest_bytes
from accord.model.policy import Key
from accord.model.proposal import Proposal
from accord.model.resolution import Amendment, Close, Resolution
from accord.model.snapshot import Authenticated, Scheme, Stored
from accord.model.vote import Seal, Vote
from accord.signing import authenticate as authenticate_module
from accord.signing.authenticate import KeyRing, Timing, assume, authenticate
from accord.signing.base import Bad, Good, Unknown
from tests.signing.policies import ring_of
from tests.support.keys import FixedKey
from tests.support.tables import table

PATH = "decisions/2026-11-30-one/rounds/1/votes/dana.yaml"
DATA = b"format: accord/vote/1\n"
DIGEST = digest_bytes(DATA)
DANA, OMAR, EVE = FixedKey("dana"), FixedKey("omar"), FixedKey("eve")
RING = ring_of(dana=(DANA.line, FixedKey("laptop").line), omar=OMAR.line)
NOW = "2026-11-30T12:00:00Z"
NEW = Timing.new(NOW)


def record_of(kind: type[Record], **given: object) -> Record:
    """A record with these fields, and anything at all in the others that it needs."""
    needed = {field.name: "anything" for field in msgspec.structs.fields(kind) if field.required}
    return kind(**needed | given)


def judge(
    record: Record,
    signatures: dict[Scheme, bytes],
    ring: KeyRing = RING,
    timing: Timing = NEW,
) -> tuple[Authenticated[Record] | None, tuple[Finding, ...]]:
    return authenticate(Stored(record, PATH, DIGEST), DATA, signatures, ring, timing)


def vote(cast_at: str = NOW, voter: str = "dana") -> Record:
    return record_of(Vote, voter=voter, cast_at=cast_at)


class TestWho:
    @table(
        ("kind", "signer", "time"),
        {
            "proposal": (Proposal, "proposer", None),
            "round": (Ballot, "opened_by", "opened_at"),
            "seal": (Seal, "voter", "at"),
            "vote": (Vote, "voter", "cast_at"),
            "affirmation": (Affirmation, "voter", "affirmed_at"),
            "amendment": (Amendment, "by", "at"),
            "close": (Close, "by", "at"),
            "resolution": (Resolution, "by", "at"),
            "check": (Check, "by", "at"),
            "rederivation": (Rederivation, "by", "at"),
            "synthesis": (Synthesis, "by", "at"),
            "ruling": (Ruling, "by", "at"),
            "withdrawal": (Withdrawal, "by", "at"),
        },
    )
    def test_is_the_member_that_the_record_names(
        self, kind: type[Record], signer: str, time: str | None
    ) -> None:
        times: dict[str, object] = {time: NOW} if time else {}
        record = record_of(kind, **{signer: "dana"}, **times)

        good, findings = judge(record, {"ssh": DANA.sign(DATA)})
        none, faults = judge(record, {"ssh": OMAR.sign(DATA)})

        assert good == Authenticated(record, PATH, DIGEST, "dana", "ssh")
        assert findings == ()
        assert none is None
        assert [fault.code for fault in faults] == ["wrong-signer"]

    def test_any_of_the_members_keys_will_do(self) -> None:
        good, _ = judge(vote(), {"ssh": FixedKey("laptop").sign(DATA)})

        assert good is not None
        assert good.signer == "dana"

    @table(
        ("signatures", "code", "words"),
        {
            "none": ({}, "unsigned", "nobody signed it"),
            "empty": ({"ssh": b""}, "bad-signature", ".sig is not good"),
            "damaged": ({"ssh": DANA.sign(DATA)[:-1]}, "bad-signature", ".sig is not good"),
            "other-bytes": ({"ssh": DANA.sign(b"")}, "bad-signature", "other bytes"),
            "other-namespace": ({"ssh": DANA.sign(DATA, "git")}, "bad-signature", 'for "git"'),
            "two-in-one": ({"ssh": DANA.sign(DATA) * 2}, "bad-signature", ".sig is not good"),
            "of-two-members": (
                {"ssh": DANA.sign(DATA) + OMAR.sign(DATA)},
                "bad-signature",
                ".sig is not good",
            ),
            "of-nobody": ({"ssh": EVE.sign(DATA)}, "unknown-signer", "no member has"),
            "of-another": (
                {"ssh": OMAR.sign(DATA)},
                "wrong-signer",
                "names dana, and omar signed it",
            ),
        },
    )
    @pytest.mark.parametrize(
        "timing",
        [NEW, Timing.in_base(), Timing.by_claim(), Timing.by_claim_recorded()],
        ids=lambda timing: timing.position,
    )
    def test_is_nobody(
        self, signatures: dict[Scheme, bytes], code: str, words: str, timing: Timing
    ) -> None:
        good, (fault,) = judge(vote(), signatures, timing=timing)

        assert good is None
        assert fault.code == code
        assert fault.path == PATH
        assert words in fault.message
        assert fault.hint

    def test_is_not_for_a_member_that_the_policy_does_not_know(self) -> None:
        good, (fault,) = judge(vote(voter="eve"), {"ssh": EVE.sign(DATA)})

        assert good is None
        assert fault.code == "unknown-signer"

    def test_is_nobody_whose_key_is_two_members(self) -> None:
        ring = ring_of(dana=DANA.line, eve=f"{DANA.line} x")

        good, (fault,) = judge(vote(), {"ssh": DANA.sign(DATA)}, ring)

        assert good is None
        assert fault.code == "unknown-signer"
        assert "dana and eve" in fault.message

    @pytest.mark.parametrize("key", [DANA, EVE], ids=["good-ssh", "bad-ssh"])
    def test_a_bundle_that_is_none_is_bad_whatever_stands_beside_it(self, key: FixedKey) -> None:
        for signatures in ({"sigstore": b"{}"}, {"ssh": key.sign(DATA), "sigstore": b"{}"}):
            good, faults = judge(vote(), signatures)  # type: ignore[arg-type]
            assert good is None
            assert "bad-signature" in {fault.code for fault in faults}

    def test_other_bytes_than_those_that_were_read_are_a_mistake_of_the_caller(self) -> None:
        with pytest.raises(ValueError, match="not the bytes of"):
            authenticate(Stored(vote(), PATH, DIGEST), DATA + b"x", {}, RING, NEW)


def verify_written(data: bytes, signature: bytes, ring: KeyRing) -> Good | Unknown | Bad:
    """A second scheme, like Sigstore's: it says whose it is, and when a log saw it."""
    member, _, signed_at = signature.decode().partition(" ")
    if not member:
        return Bad(reason="it is empty")
    (owner, *_) = ring.ssh_owners(member).values()
    return Good(owner=owner, signed_at=signed_at or None)


class TestSeveralSignatures:
    """All of them must be good, and by the member that the record names."""

    @pytest.fixture(autouse=True)
    def second_scheme(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(authenticate_module._VERIFIERS, "sigstore", verify_written)

    @table(
        ("signatures", "scheme", "codes"),
        {
            "both-good": ({"sigstore": b"dana", "ssh": DANA.sign(DATA)}, "ssh", []),
            "the-second-alone": ({"sigstore": b"dana"}, "sigstore", []),
            "the-first-is-bad": (
                {"ssh": DANA.sign(b""), "sigstore": b"dana"},
                None,
                ["bad-signature"],
            ),
            "the-second-is-bad": (
                {"ssh": DANA.sign(DATA), "sigstore": b""},
                None,
                ["bad-signature"],
            ),
            "of-two-members": (
                {"ssh": DANA.sign(DATA), "sigstore": b"omar"},
                None,
                ["wrong-signer"],
            ),
            "neither": ({"ssh": b"", "sigstore": b"omar"}, None, ["bad-signature", "wrong-signer"]),
        },
    )
    def test_are_judged_one_by_one(
        self, signatures: dict[Scheme, bytes], scheme: Scheme | None, codes: list[str]
    ) -> None:
        good, findings = judge(vote(), signatures)

        assert (good.scheme if good else None) == scheme
        assert [finding.code for finding in findings] == codes

    def test_a_bad_one_is_named_by_its_file(self) -> None:
        _, (fault,) = judge(vote(), {"ssh": DANA.sign(DATA), "sigstore": b""})

        assert ".sigstore.json is not good: it is empty" in fault.message

    @pytest.mark.parametrize("timing", [NEW, Timing.by_claim()])
    def test_the_time_of_a_log_goes_before_every_other(self, timing: Timing) -> None:
        ring = ring_of(dana=Key(ssh=DANA.line, valid_until="2026-10-31T00:00:00Z"))

        early, _ = judge(vote(), {"sigstore": b"dana 2026-10-30T00:00:00Z"}, ring, timing)
        late, (fault,) = judge(vote(), {"sigstore": b"dana 2026-11-01T00:00:00Z"}, ring, timing)

        assert early is not None
        assert late is None
        assert fault.code == "key-not-valid"


EARLY = "2026-10-01T00:00:00Z"
BEFORE, LATER = "2026-11-01T00:00:00Z", "2026-12-24T00:00:00Z"


class TestKey:
    """Keys are judged by position, not by dates in files."""

    WINDOWS: dict[str, dict[str, str]] = {
        "valid": {},
        "valid-now": {"valid_from": BEFORE, "valid_until": LATER},
        "first-moment": {"valid_from": NOW},
        "last-moment": {"valid_until": NOW},
        "last-moment-in-other-digits": {"valid_until": "2026-11-30T12:00:00.000Z"},
        "not-yet": {"valid_from": LATER},
        "retired": {"valid_until": BEFORE},
        "revoked": {"revoked_from": BEFORE},
        "revoked-at-that-moment": {"revoked_from": NOW},
        "revoked-later": {"revoked_from": LATER},
        "retired-and-revoked": {"valid_until": BEFORE, "revoked_from": BEFORE},
    }

    def codes(self, windows: dict[str, str], claimed: str, timing: Timing) -> list[str]:
        ring = ring_of(dana=Key(ssh=DANA.line, **windows))  # type: ignore[arg-type]
        good, findings = judge(vote(claimed), {"ssh": DANA.sign(DATA)}, ring, timing)
        assert (good is None) == any(each.severity == "error" for each in findings)
        for each in findings:
            assert "SHA256:" in each.message
            assert each.hint
        return [each.code for each in findings]

    REFUSED, TOLD = ["key-not-valid"], ["key-revoked-since"]

    @table(
        ("windows", "expected"),
        {
            "valid": ("valid", []),
            "valid-now": ("valid-now", []),
            "first-moment": ("first-moment", []),
            "last-moment": ("last-moment", []),
            "last-moment-in-other-digits": ("last-moment-in-other-digits", []),
            "not-yet": ("not-yet", REFUSED),
            "retired": ("retired", REFUSED),
            "revoked": ("revoked", REFUSED),
            "revoked-at-that-moment": ("revoked-at-that-moment", REFUSED),
            # The base knows that the key is lost; that a later date stands there saves nothing.
            "revoked-later": ("revoked-later", REFUSED),
            "retired-and-revoked": ("retired-and-revoked", REFUSED),
        },
    )
    @pytest.mark.parametrize("claimed", ["2020-01-01T00:00:00Z", NOW, "2040-01-01T00:00:00Z"])
    def test_new_in_a_step(self, windows: str, expected: list[str], claimed: str) -> None:
        """Whatever time the file claims."""
        assert self.codes(self.WINDOWS[windows], claimed, NEW) == expected

    @table(
        ("windows", "expected"),
        {
            "valid": ("valid", []),
            "not-yet": ("not-yet", []),
            "retired": ("retired", []),
            "revoked": ("revoked", TOLD),
            "revoked-at-that-moment": ("revoked-at-that-moment", TOLD),
            "revoked-later": ("revoked-later", []),
            "retired-and-revoked": ("retired-and-revoked", TOLD),
        },
    )
    def test_in_the_base_before(self, windows: str, expected: list[str]) -> None:
        """What counted stays; only a revocation that reaches back is told."""
        assert self.codes(self.WINDOWS[windows], NOW, Timing.in_base()) == expected

    @table(
        ("windows", "running", "recorded"),
        {
            "valid": ("valid", [], []),
            "valid-now": ("valid-now", [], []),
            "first-moment": ("first-moment", [], []),
            "last-moment": ("last-moment", [], []),
            "last-moment-in-other-digits": ("last-moment-in-other-digits", [], []),
            "not-yet": ("not-yet", REFUSED, REFUSED),
            "retired": ("retired", REFUSED, REFUSED),
            "revoked": ("revoked", REFUSED, TOLD),
            "revoked-at-that-moment": ("revoked-at-that-moment", REFUSED, TOLD),
            "revoked-later": ("revoked-later", [], []),
            "retired-and-revoked": ("retired-and-revoked", REFUSED, REFUSED),
        },
    )
    def test_in_a_bare_tree(self, windows: str, running: list[str], recorded: list[str]) -> None:
        """There is only the time that the file claims."""
        assert self.codes(self.WINDOWS[windows], NOW, Timing.by_claim()) == running
        assert self.codes(self.WINDOWS[windows], NOW, Timing.by_claim_recorded()) == recorded

    def test_a_claim_moves_the_verdict_in_a_bare_tree_alone(self) -> None:
        retired = self.WINDOWS["retired"]

        assert self.codes(retired, EARLY, Timing.by_claim()) == []
        assert self.codes(retired, EARLY, NEW) == self.REFUSED

    @table(
        ("windows", "timing", "expected"),
        {
            "new": ("retired", NEW.opened("2020-01-01T00:00:00Z"), REFUSED),
            "opened when it was good": ("retired", Timing.by_claim().opened(EARLY), []),
            "opened before it was lost": ("revoked", Timing.by_claim().opened(EARLY), []),
            "opened after it was retired": ("retired", Timing.by_claim().opened(NOW), REFUSED),
            "opened after it was lost": ("revoked", Timing.by_claim().opened(NOW), REFUSED),
            "recorded": ("revoked", Timing.by_claim_recorded().opened(NOW), TOLD),
            "in the base, lost since": ("revoked-later", Timing.in_base().opened(NOW), []),
            "in the base, lost before": ("revoked", Timing.in_base().opened(NOW), TOLD),
            "never, and retired": ("retired", Timing.by_claim(), []),
            "never, and lost": ("revoked", Timing.by_claim(), REFUSED),
            "never, in the base, and lost": ("revoked", Timing.in_base().opened(""), TOLD),
        },
    )
    def test_a_proposal_has_the_time_of_its_ballot(
        self, windows: str, timing: Timing, expected: list[str]
    ) -> None:
        ring = ring_of(dana=Key(ssh=DANA.line, **self.WINDOWS[windows]))  # type: ignore[arg-type]
        proposal = record_of(Proposal, proposer="dana")

        good, findings = judge(proposal, {"ssh": DANA.sign(DATA)}, ring, timing)

        assert [each.code for each in findings] == expected
        assert (good is None) == (expected == self.REFUSED)

    def test_the_best_entry_of_a_key_decides(self) -> None:
        twice = (Key(ssh=DANA.line, valid_until=BEFORE), Key(ssh=f"{DANA.line} renewed"))

        good, findings = judge(vote(), {"ssh": DANA.sign(DATA)}, ring_of(dana=twice))

        assert good is not None
        assert findings == ()

    def test_the_key_of_another_member_is_not_judged(self) -> None:
        ring = ring_of(dana=DANA.line, omar=Key(ssh=OMAR.line, revoked_from=BEFORE))

        _, faults = judge(vote(), {"ssh": OMAR.sign(DATA)}, ring)

        assert [fault.code for fault in faults] == ["wrong-signer"]


def test_a_simulated_record_is_assumed() -> None:
    record: Any = vote()

    assert assume(record, PATH, DIGEST, "dana") == Authenticated(
        record, PATH, DIGEST, "dana", "ssh"
    )


def test_nothing_but_simulation_assumes_a_signer() -> None:
    source = Path(accord.__file__).parent
    users = {
        file.relative_to(source).parts[0]
        for file in source.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.ImportFrom)
        and node.module == "accord.signing.authenticate"
        and "assume" in {alias.name for alias in node.names}
    }

    assert users == {"simulate"}
