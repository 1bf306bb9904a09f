"""SSH signatures: ours against ssh-keygen's own verdict, and never more lenient."""

from __future__ import annotations

import base64
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.errors import CannotJudge
from accord.signing.base import Bad, Good, Unknown
from accord.signing.keyring import allowed_signers
from accord.signing.ssh import verify_by, verify_ssh
from accord.signing.ssh_key import parse_public_key
from accord.signing.wire import Malformed
from tests.signing.policies import policy_of, ring_of
from tests.support.keys import (
    FixedKey,
    HardwareKey,
    armour,
    dearmour,
    envelope,
    pack,
    signed_bytes,
)
from tests.support.ssh import make_key, run, sign, stock_verifies
from tests.support.tables import table

DATA = b"format: accord/vote/1\nvote: disagree\n"
DANA = FixedKey("dana")
OMAR = FixedKey("omar")
SIGNED = DANA.sign(DATA)
POLICY = policy_of(dana=DANA.line, omar=OMAR.line)
RING = ring_of(dana=DANA.line, omar=OMAR.line)


def raw(data: bytes = DATA, key: FixedKey = DANA) -> bytes:
    """The bare ed25519 signature of dana."""
    return key.private.sign(signed_bytes(data))


def forge(signature: bytes | None = None, key: bytes = DANA.blob, **fields: bytes | int) -> bytes:
    """A signature file in which some fields are not as they should be, signed all the same."""
    named = {name: fields[name] for name in ("namespace", "reserved") if name in fields}
    hash_name = bytes(fields.get("hash_name", b"sha512")).decode()
    signed = DANA.private.sign(signed_bytes(DATA, hash_name=hash_name, **named))  # type: ignore[arg-type]
    value = pack(b"ssh-ed25519", signed) if signature is None else signature
    return armour(envelope(key, value, **fields))  # type: ignore[arg-type]


def rewrap(width: int) -> bytes:
    text = base64.b64encode(dearmour(SIGNED))
    lines = [text[start : start + width] for start in range(0, len(text), width)]
    return b"\n".join([SIGNED.splitlines()[0], *lines, SIGNED.splitlines()[-1], b""])


class TestWhatSshKeygenMakes:
    @pytest.mark.parametrize("hash_name", ["sha256", "sha512"])
    def test_ed25519_byte_for_byte(self, tmp_path: Path, hash_name: str) -> None:
        file = DANA.write(tmp_path)

        made = sign(file, DATA, "-O", f"hashalg={hash_name}")

        assert made == DANA.sign(DATA, hash_name=hash_name)
        verdict = verify_ssh(DATA, made, RING)
        assert isinstance(verdict, Good)
        assert verdict.owner.member == "dana"
        assert verdict.owner.name == parse_public_key(DANA.line).fingerprint
        assert verdict.signed_at is None

    @pytest.mark.parametrize("hash_name", ["sha256", "sha512"])
    @table(
        "options",
        {
            "rsa-2048": ["-t", "rsa", "-b", "2048"],
            "rsa-3072": ["-t", "rsa", "-b", "3072"],
            "ecdsa-256": ["-t", "ecdsa", "-b", "256"],
            "ecdsa-384": ["-t", "ecdsa", "-b", "384"],
            "ecdsa-521": ["-t", "ecdsa", "-b", "521"],
        },
    )
    def test_other_types(self, tmp_path: Path, options: list[str], hash_name: str) -> None:
        made = make_key(tmp_path / "key", *options)
        ring = ring_of(dana=made)

        signature = sign(tmp_path / "key", DATA, "-O", f"hashalg={hash_name}")

        assert isinstance(verify_ssh(DATA, signature, ring), Good)
        assert isinstance(verify_ssh(DATA + b"x", signature, ring), Bad)
        assert verify_by(parse_public_key(made), DATA, signature)
        assert not verify_by(parse_public_key(DANA.line), DATA, signature)

    def test_any_length_of_data(self, tmp_path: Path) -> None:
        file = DANA.write(tmp_path)

        for data in (b"", b"\n", b"\r\n" * 50_000):
            assert isinstance(verify_ssh(data, sign(file, data), RING), Good)

    def test_security_tokens(self, tmp_path: Path) -> None:
        token = HardwareKey("dana")
        policy = policy_of(dana=token.line)
        signature = token.sign(DATA)

        assert stock_verifies(tmp_path, allowed_signers(policy), "dana", DATA, signature)
        assert isinstance(verify_ssh(DATA, signature, ring_of(dana=token.line)), Good)
        assert isinstance(verify_ssh(b"", signature, ring_of(dana=token.line)), Bad)


class Damaged(NamedTuple):
    """A signature file that may not be taken, and a word of the reason."""

    signature: bytes
    reason: str


LENGTH = "length of its type"
OTHER_BYTES = "of other bytes"
AS_WRITTEN = "as ssh-keygen writes it"
BLOB = dearmour(SIGNED)
BODY = SIGNED.split(b"\n")
DAMAGED: dict[str, Damaged] = {
    "empty": Damaged(b"", AS_WRITTEN),
    "no-signature": Damaged(b"hello\n", AS_WRITTEN),
    "binary": Damaged(bytes(range(256)), AS_WRITTEN),
    "not-armoured": Damaged(BLOB, AS_WRITTEN),
    "base64-alone": Damaged(base64.b64encode(BLOB), AS_WRITTEN),
    "pgp": Damaged(SIGNED.replace(b"SSH", b"PGP"), AS_WRITTEN),
    "line-before": Damaged(b"\n" + SIGNED, AS_WRITTEN),
    "words-before": Damaged(b"words\n" + SIGNED, AS_WRITTEN),
    "line-behind": Damaged(SIGNED + b"\n", AS_WRITTEN),
    "words-behind": Damaged(SIGNED + b"words\n", AS_WRITTEN),
    "no-last-line-feed": Damaged(SIGNED[:-1], AS_WRITTEN),
    "no-end": Damaged(b"\n".join(BODY[:-2]) + b"\n", AS_WRITTEN),
    "no-begin": Damaged(b"\n".join(BODY[1:]), AS_WRITTEN),
    "twice": Damaged(SIGNED + SIGNED, AS_WRITTEN),
    "carriage-returns": Damaged(SIGNED.replace(b"\n", b"\r\n"), AS_WRITTEN),
    "spaces": Damaged(SIGNED.replace(b"\nU1", b"\n U1"), AS_WRITTEN),
    "space-at-the-end": Damaged(SIGNED.replace(b"\n", b" \n"), AS_WRITTEN),
    "empty-line-inside": Damaged(SIGNED.replace(b"\nU1", b"\n\nU1"), AS_WRITTEN),
    "byte-order-mark": Damaged(b"\xef\xbb\xbf" + SIGNED, AS_WRITTEN),
    "nul": Damaged(SIGNED + b"\0", AS_WRITTEN),
    "one-line": Damaged(rewrap(1000), AS_WRITTEN),
    "76-columns": Damaged(rewrap(76), AS_WRITTEN),
    "64-columns": Damaged(rewrap(64), AS_WRITTEN),
    "padding-left-out": Damaged(SIGNED.replace(b"=\n", b"\n"), AS_WRITTEN),
    "padding-more": Damaged(SIGNED.replace(b"=\n", b"==\n"), AS_WRITTEN),
    "bits-behind-the-end": Damaged(
        SIGNED.replace(b"=\n", b"\n").replace(BODY[-3][-2:-1] + b"\n", b"/=\n"), AS_WRITTEN
    ),
    "too-long": Damaged(armour(BLOB + bytes(20_000)), "too long"),
    "another-magic": Damaged(forge(magic=b"SSHSIX"), "no SSH signature"),
    "version-0": Damaged(forge(version=0), "version 0"),
    "version-2": Damaged(forge(version=2), "version 2"),
    "namespace-git": Damaged(forge(namespace=b"git"), 'for "git"'),
    "namespace-file": Damaged(DANA.sign(DATA, "file"), 'for "file"'),
    "namespace-empty": Damaged(forge(namespace=b""), 'for ""'),
    "namespace-longer": Damaged(forge(namespace=b"accord\0"), "for "),
    "namespace-upper": Damaged(forge(namespace=b"Accord"), 'for "Accord"'),
    "reserved": Damaged(forge(reserved=b"x"), "must be empty"),
    "md5": Damaged(forge(hash_name=b"md5"), 'the hash "md5"'),
    "sha1": Damaged(forge(hash_name=b"sha1"), 'the hash "sha1"'),
    "sha384": Damaged(forge(hash_name=b"sha384"), 'the hash "sha384"'),
    "sha3": Damaged(forge(hash_name=b"sha3_512"), 'the hash "sha3_512"'),
    "trailing-byte": Damaged(forge(trailing=b"\0"), "more bytes follow"),
    "trailing-in-the-signature": Damaged(
        forge(pack(b"ssh-ed25519", raw()) + b"\0"), "more bytes follow"
    ),
    "trailing-in-the-value": Damaged(
        forge(pack(b"ssh-ed25519", raw() + b"\0")), "length of its type"
    ),
    "value-cut-off": Damaged(forge(pack(b"ssh-ed25519", raw()[:-1])), LENGTH),
    "value-empty": Damaged(forge(pack(b"ssh-ed25519", b"")), LENGTH),
    "value-zero": Damaged(forge(pack(b"ssh-ed25519", bytes(64))), "its first half is of low order"),
    "no-value": Damaged(forge(pack(b"ssh-ed25519")), "cut off"),
    "no-signature-inside": Damaged(forge(b""), "cut off"),
    "another-algorithm": Damaged(forge(pack(b"rsa-sha2-512", raw())), "algorithm"),
    "hash-swapped": Damaged(
        armour(envelope(DANA.blob, pack(b"ssh-ed25519", raw()), hash_name=b"sha256")),
        OTHER_BYTES,
    ),
    "of-other-data": Damaged(DANA.sign(DATA + b"\n"), OTHER_BYTES),
    "of-another-file": Damaged(DANA.sign(b"another file"), OTHER_BYTES),
    "of-anothers-key": Damaged(forge(key=OMAR.blob), OTHER_BYTES),
    "length-beyond-the-end": Damaged(
        armour(BLOB.replace(pack(b"accord"), b"\xff\xff\xff\xffaccord")), "cut off"
    ),
    # s + L is the same number to the curve; two forms of one signature would be two files.
    "malleable": Damaged(
        forge(
            pack(
                b"ssh-ed25519",
                raw()[:32]
                + (
                    int.from_bytes(raw()[32:], "little")
                    + 2**252
                    + 27742317777372353535851937790883648493
                ).to_bytes(32, "little"),
            )
        ),
        "its second half is not in its one form",
    ),
}


@table("damaged", DAMAGED)
def test_damaged_signatures_are_bad(damaged: Damaged) -> None:
    verdict = verify_ssh(DATA, damaged.signature, RING)

    assert isinstance(verdict, Bad)
    assert damaged.reason in verdict.reason


def test_ssh_keygen_takes_what_we_take_and_much_that_we_refuse(tmp_path: Path) -> None:
    """The differential test: a row that we took and ssh-keygen refused would be a hole."""
    rows = {"good": SIGNED, "good-sha256": DANA.sign(DATA, hash_name="sha256")} | {
        name: damaged.signature for name, damaged in DAMAGED.items()
    }
    signers = allowed_signers(POLICY)

    ours = {name for name, row in rows.items() if isinstance(verify_ssh(DATA, row, RING), Good)}
    stock = {
        name for name, row in rows.items() if stock_verifies(tmp_path, signers, "dana", DATA, row)
    }

    assert ours == {"good", "good-sha256"}
    assert ours <= stock
    assert "words-behind" in stock  # or this test does not compare what it means to


def test_no_flipped_bit_is_taken() -> None:
    flipped = 0
    for target, wrap in ((BLOB, armour), (SIGNED, bytes)):
        for position in range(len(target) * 8):
            altered = bytearray(target)
            altered[position // 8] ^= 1 << position % 8
            assert not isinstance(verify_ssh(DATA, wrap(bytes(altered)), RING), Good)
            flipped += 1
    for position in range(len(DATA) * 8):
        altered = bytearray(DATA)
        altered[position // 8] ^= 1 << position % 8
        assert isinstance(verify_ssh(bytes(altered), SIGNED, RING), Bad)
    assert flipped == (len(BLOB) + len(SIGNED)) * 8


def test_no_truncated_signature_is_taken() -> None:
    for end in range(len(BLOB)):
        assert not isinstance(verify_ssh(DATA, armour(BLOB[:end]), RING), Good)
    for end in range(len(SIGNED)):
        assert isinstance(verify_ssh(DATA, SIGNED[:end], RING), Bad)


@st.composite
def altered_files(draw: st.DrawFn) -> bytes:
    """A signature file with a few pieces cut out, repeated, moved or put in."""
    inside = draw(st.booleans())
    data = bytearray(BLOB if inside else SIGNED)
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(len(data), start + 40)))
        piece = draw(
            st.one_of(
                st.binary(max_size=6),
                st.sampled_from([b"\n", b"=", b"A", b"\0\0\0\0", bytes(data[start:end]) * 2]),
            )
        )
        data[start:end] = piece
    return armour(bytes(data)) if inside else bytes(data)


@given(altered_files())
@settings(max_examples=300)
def test_a_signature_has_one_form(signature: bytes) -> None:
    good = isinstance(verify_ssh(DATA, signature, RING), Good)

    assert good == (signature == SIGNED)


@pytest.fixture(scope="module")
def rsa(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, RSAPrivateKey]:
    file = tmp_path_factory.mktemp("rsa") / "key"
    made = make_key(file, "-t", "rsa", "-b", "2048")
    private = serialization.load_ssh_private_key(file.read_bytes(), None)
    assert isinstance(private, RSAPrivateKey)
    return made, private


class TestRsa:
    @table(
        ("algorithm", "hash_", "expected"),
        {
            "sha512": (b"rsa-sha2-512", hashes.SHA512, Good),
            "sha256": (b"rsa-sha2-256", hashes.SHA256, Good),
            "sha1": (b"ssh-rsa", hashes.SHA1, Bad),
            "sha1-under-another-name": (b"rsa-sha2-512", hashes.SHA1, Bad),
            "swapped": (b"rsa-sha2-256", hashes.SHA512, Bad),
            "sha384": (b"rsa-sha2-384", hashes.SHA384, Bad),
        },
    )
    def test_takes_sha2_alone(
        self,
        tmp_path: Path,
        rsa: tuple[str, RSAPrivateKey],
        algorithm: bytes,
        hash_: Callable[[], hashes.HashAlgorithm],
        expected: type,
    ) -> None:
        line, private = rsa
        value = private.sign(signed_bytes(DATA), padding.PKCS1v15(), hash_())
        blob = base64.b64decode(line.split(" ")[1])
        signature = armour(envelope(blob, pack(algorithm, value)))

        ours = verify_ssh(DATA, signature, ring_of(dana=line))

        assert isinstance(ours, expected)
        if expected is Good:
            signers = allowed_signers(policy_of(dana=line))
            assert stock_verifies(tmp_path, signers, "dana", DATA, signature)

    @pytest.mark.parametrize("change", [b"\0", b""], ids=["a-zero-before", "short"])
    def test_the_value_has_one_length(self, rsa: tuple[str, RSAPrivateKey], change: bytes) -> None:
        line, private = rsa
        value = private.sign(signed_bytes(DATA), padding.PKCS1v15(), hashes.SHA512())
        altered = change + value if change else value[:-1]
        blob = base64.b64decode(line.split(" ")[1])

        for signature, reason in {
            armour(envelope(blob, pack(b"rsa-sha2-512", altered))): OTHER_BYTES,
            armour(envelope(blob, pack(b"rsa-sha2-512", value) + b"\0")): "more bytes follow",
        }.items():
            verdict = verify_ssh(DATA, signature, ring_of(dana=line))
            assert isinstance(verdict, Bad)
            assert reason in verdict.reason

    def test_small_keys_speak_for_nobody(self, tmp_path: Path) -> None:
        made = make_key(tmp_path / "key", "-t", "rsa", "-b", "1024")
        signature = sign(tmp_path / "key", DATA)

        assert stock_verifies(tmp_path, f'dana namespaces="accord" {made}', "dana", DATA, signature)
        assert isinstance(verify_ssh(DATA, signature, ring_of(dana=made)), Unknown)


class TestOwners:
    def test_a_key_that_no_member_has(self) -> None:
        verdict = verify_ssh(DATA, FixedKey("eve").sign(DATA), RING)

        assert isinstance(verdict, Unknown)
        assert "no member" in verdict.reason

    def test_a_key_of_two_members_is_nobodys(self) -> None:
        verdict = verify_ssh(DATA, SIGNED, ring_of(dana=DANA.line, eve=f"{DANA.line} eve"))

        assert isinstance(verdict, Unknown)
        assert "dana and eve" in verdict.reason

    def test_verdicts_have_no_truth_of_their_own(self) -> None:
        with pytest.raises(TypeError, match="no truth value"):
            bool(verify_ssh(DATA, SIGNED, RING))


class TestWithSshKeygen:
    """Types that are not checked in this process: three results, kept apart."""

    @pytest.fixture
    def ecdsa(self, tmp_path: Path) -> tuple[str, bytes]:
        made = make_key(tmp_path / "key", "-t", "ecdsa")
        return made, sign(tmp_path / "key", DATA)

    def test_the_envelope_is_as_strict(self, ecdsa: tuple[str, bytes], tmp_path: Path) -> None:
        made, signature = ecdsa
        signers = f'dana namespaces="accord" {made}'

        assert stock_verifies(tmp_path, signers, "dana", DATA, signature + b"words")
        assert isinstance(verify_ssh(DATA, signature + b"words", ring_of(dana=made)), Bad)

    def test_damage_inside_is_bad(self, ecdsa: tuple[str, bytes]) -> None:
        made, signature = ecdsa
        blob = bytearray(dearmour(signature))

        for position in (-1, -60, -75, -100):
            altered = blob.copy()
            altered[position] ^= 1
            verdict = verify_ssh(DATA, armour(bytes(altered)), ring_of(dana=made))
            assert isinstance(verdict, Bad)

    def test_without_ssh_keygen_it_cannot_be_judged(
        self, ecdsa: tuple[str, bytes], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made, signature = ecdsa
        monkeypatch.setenv("PATH", "/nowhere")

        with pytest.raises(CannotJudge, match="ecdsa-sha2-nistp256 key signed") as missing:
            verify_ssh(DATA, signature, ring_of(dana=made))
        assert "install OpenSSH" in missing.value.hint
        assert isinstance(verify_ssh(DATA, SIGNED, RING), Good)

    def test_with_an_old_ssh_keygen_it_cannot_be_judged(
        self, ecdsa: tuple[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made, signature = ecdsa
        old = tmp_path / "bin/ssh-keygen"
        old.parent.mkdir()
        old.write_text("#!/bin/sh\necho 'unknown option -- Y' >&2\nexit 1\n")
        old.chmod(0o755)
        monkeypatch.setenv("PATH", str(old.parent), prepend=":")

        with pytest.raises(CannotJudge, match="unknown option -- Y"):
            verify_ssh(DATA, signature, ring_of(dana=made))

    def test_a_point_that_is_on_no_curve_is_nobodys_key(self) -> None:
        type_ = b"ecdsa-sha2-nistp256"
        blob = pack(type_, b"nistp256", b"\4" + b"\1" * 64)
        line = f"{type_.decode()} {base64.b64encode(blob).decode()}"
        signature = armour(envelope(blob, pack(type_, pack(b"\1", b"\1"))))

        verdict = verify_ssh(DATA, signature, ring_of(dana=line))

        assert isinstance(verdict, Unknown)


def test_verify_by_tells_no_signature_from_a_bad_one() -> None:
    key = parse_public_key(DANA.line)

    assert verify_by(key, DATA, SIGNED)
    assert not verify_by(key, DATA, OMAR.sign(DATA))
    assert not verify_by(key, DATA, DANA.sign(b"other"))
    with pytest.raises(Malformed):
        verify_by(key, DATA, b"words")


def test_nothing_is_weaker_when_python_optimises(tmp_path: Path) -> None:
    """`python -O` drops `assert`: a verifier that relied on it would take everything."""
    rows = [SIGNED, OMAR.sign(DATA), FixedKey("eve").sign(DATA)]
    rows += [damaged.signature for damaged in DAMAGED.values()]
    files = []
    for number, row in enumerate(rows):
        (tmp_path / f"{number}.sig").write_bytes(row)
        files.append(str(tmp_path / f"{number}.sig"))
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from accord.signing.ssh import verify_ssh\n"
        "from tests.signing.test_ssh import DATA, RING\n"
        "print(__debug__)\n"
        "for name in sys.argv[1:]:\n"
        "    print(type(verify_ssh(DATA, Path(name).read_bytes(), RING)).__name__)\n"
    )

    judged = run(sys.executable, "-O", "-c", program, *files).decode().split()

    assert judged[0] == "False"
    assert judged[1:4] == ["Good", "Good", "Unknown"]
    assert set(judged[4:]) == {"Bad"}
    assert len(judged) == len(rows) + 1
