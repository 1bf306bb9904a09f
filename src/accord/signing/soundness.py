"""Whether a public key, or a signature, is one that needs a private key to be made.

Libraries and ssh-keygen check that a signature fits its key. They take keys under which anybody
can make one that does: a point of low order on curve 25519, a number that everybody can factor.
Whoever brings such a key into a policy signs for a member as they like, and so does everybody
else. Everything here raises Malformed, with the reason.
"""

from __future__ import annotations

from functools import cache
from math import gcd, isqrt, prod
from typing import NamedTuple

from accord.signing.wire import Malformed, Wire

_FIELD = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _FIELD) % _FIELD
_EIGHTH = 0x5FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
# The second coordinates of the eight points whose order divides 8.
_LOW_ORDER = frozenset({0, 1, _FIELD - 1, _EIGHTH, _FIELD - _EIGHTH})
_SIGN = 1 << 255


class Curve(NamedTuple):
    """A curve y² = x³ - 3x + b over a prime field; `size` is the bytes of a coordinate."""

    size: int
    field: int
    b: int
    order: int


CURVES = {
    b"nistp256": Curve(
        32,
        2**256 - 2**224 + 2**192 + 2**96 - 1,
        0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
        0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    ),
    b"nistp384": Curve(
        48,
        2**384 - 2**128 - 2**96 + 2**32 - 1,
        0xB3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE8141120314088F5013875AC656398D8A2ED19D2A85C8EDD3EC2AEF,
        0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973,
    ),
    b"nistp521": Curve(
        66,
        2**521 - 1,
        0x0051953EB9618E1C9A1F929A21A0B68540EEA2DA725B99B315F3B8B489918EF109E156193951EC7E937B1652C0BD3BB1BF073573DF883D2C34F1EF451FD46B503F00,
        (2**257 - 1 << 264) + 0xFA51868783BF2F966B7FCC0148F709A5D03BB5C9B8899C47AEBB6FB71E91386409,
    ),
}


def check_ed25519_point(encoded: bytes, what: str = "its point") -> None:
    """A point in its one form, on the curve, and not of low order (RFC 8032)."""
    y = _read_point(encoded, what)
    square = (y * y - 1) * (_D * y * y + 1) % _FIELD
    if square and pow(square, (_FIELD - 1) // 2, _FIELD) != 1:
        raise Malformed(f"{what} is not on its curve")


def check_ed25519_signature(value: bytes) -> None:
    """The two halves of an ed25519 signature, each in its one form, the point of no low order."""
    if len(value) != 64:
        raise Malformed("it has not the length of its type")
    _read_point(value[:32], "its first half")
    if int.from_bytes(value[32:], "little") >= _ORDER:
        raise Malformed("its second half is not in its one form")


def _read_point(encoded: bytes, what: str) -> int:
    """The second coordinate."""
    if len(encoded) != 32:
        raise Malformed("it has not the length of its type")
    y = int.from_bytes(encoded, "little") & ~_SIGN
    if y % _FIELD in _LOW_ORDER:
        raise Malformed(f"{what} is of low order, so that anybody could sign with it")
    if y >= _FIELD:
        raise Malformed(f"{what} is not in its one form")
    return y


def check_curve_point(curve: Curve, encoded: bytes) -> None:
    """A whole point of a curve."""
    if len(encoded) != 2 * curve.size + 1 or encoded[0] != 4:
        raise Malformed("it is no whole point of its curve")
    x, y = (int.from_bytes(half) for half in (encoded[1 : curve.size + 1], encoded[-curve.size :]))
    if max(x, y) >= curve.field or (y * y - x * x * x + 3 * x - curve.b) % curve.field:
        raise Malformed("its point is not on its curve")


def check_curve_signature(curve: Curve, value: bytes) -> None:
    """The two numbers of a signature on a curve, neither of which may be nothing (FIPS 186-5)."""
    wire = Wire(value)
    numbers = wire.natural(), wire.natural()
    wire.end()
    if max(numbers) >= curve.order:
        raise Malformed("a number in it is too large for its curve")


@cache
def _small_primes() -> int:
    """A product: what shares a factor with it is factored by everybody."""
    return prod(
        number
        for number in range(3, 1 << 12, 2)
        if all(number % other for other in range(3, isqrt(number) + 1, 2))
    )


def check_modulus(modulus: int) -> None:
    """A modulus that not everybody can factor at sight."""
    if modulus % 2 == 0 or gcd(modulus, _small_primes()) != 1 or isqrt(modulus) ** 2 == modulus:
        raise Malformed("everybody can factor its modulus, so that anybody could sign with it")


def check_is_product(modulus: int) -> None:
    """A modulus that is no prime number. It takes some hundredths of a second."""
    if pow(2, modulus - 1, modulus) == 1:
        raise Malformed("its modulus is a prime number, so that anybody could sign with it")
