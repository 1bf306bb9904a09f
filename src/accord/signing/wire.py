"""The encoding of SSH (RFC 4251): numbers of four bytes, and strings behind their length."""

from __future__ import annotations


class Malformed(ValueError):
    """The bytes are not what they should be; the text says in which way."""


class Wire:
    """Reads what SSH encoded, from front to back."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def take(self, size: int) -> bytes:
        """The next bytes. Raises Malformed when there are not so many."""
        end = self._at + size
        if end > len(self._data):
            raise Malformed("it is cut off")
        taken = self._data[self._at : end]
        self._at = end
        return taken

    def number(self) -> int:
        """The next number."""
        return int.from_bytes(self.take(4), "big")

    def string(self) -> bytes:
        """The next string."""
        return self.take(self.number())

    def natural(self) -> int:
        """The next integer of any size, which must be positive and in its shortest form."""
        data = self.string()
        value = int.from_bytes(data, "big")
        if data != encode_natural(value) or not value:
            raise Malformed("a number in it is not in its shortest form")
        return value

    def end(self) -> None:
        """Nothing may follow. Raises Malformed otherwise."""
        if self._at != len(self._data):
            raise Malformed("more bytes follow it")


def encode_string(*parts: bytes) -> bytes:
    """Strings, each behind its length."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def encode_natural(value: int) -> bytes:
    """A positive integer; a zero byte keeps the first bit from being a sign."""
    return value.to_bytes(value.bit_length() // 8 + 1, "big")
