"""`make fuzz` repeats each test with new examples until its minutes are over."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

MINUTES = float(os.environ.get("FUZZ_MINUTES") or 0)
if MINUTES:
    # Hypothesis ends a test by the number of its examples: some thousands take a minute or more.
    settings.register_profile(
        "explore",
        deadline=None,
        max_examples=int(1000 * MINUTES),
        suppress_health_check=[HealthCheck.too_slow],
    )
