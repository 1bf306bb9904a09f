"""Worked cases: decisions without git, keys or signatures, judged by the same rules."""

from accord.simulate.judge import digest_case, simulate

__all__ = ["digest_case", "simulate"]
