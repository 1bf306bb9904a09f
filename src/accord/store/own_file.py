"""Whose a file in the git directory is: what others can write would be theirs to fill."""

from __future__ import annotations

import os
import stat


def is_own(about: os.stat_result) -> bool:
    """Whether it is a plain file of this user that nobody else can write."""
    ours = about.st_uid == os.geteuid() and not about.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return ours and stat.S_ISREG(about.st_mode)
