"""What many decisions teach: pure counts over judgements, one subject a file."""

from accord.analytics.collect import count_statistics
from accord.analytics.scope import select

__all__ = ["count_statistics", "select"]
