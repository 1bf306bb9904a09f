"""One decision before and after a step, as the rules of steps see it (spec section 9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from accord.model.paths import with_signatures
from accord.model.policy import Policy
from accord.rules.evaluate import Judgement


@dataclass(frozen=True, slots=True)
class DecisionStep:
    """One decision before and after a step. `before` and `after` map paths to object ids.

    `base` is None when the decision is new; `policy` is that of the base, None where it has none:
    the step that brings the first policy brings only drafts and imports besides.
    """

    decision: str
    base: Judgement | None
    head: Judgement
    before: Mapping[str, str]
    after: Mapping[str, str]
    policy: Policy | None

    def is_new(self, path: str) -> bool:
        """Whether the file or its signature entered, or was changed, in this step."""
        return is_changed(path, self.before, self.after)

    def enters(self, path: str) -> bool:
        """Whether a file begins to count with this step, even if its bytes were there before."""
        return self.base is None or path not in self.base.counted or self.is_new(path)


def is_changed(path: str, before: Mapping[str, str], after: Mapping[str, str]) -> bool:
    """Whether a file or a signature of it differs between two trees."""
    return any(before.get(one) != after.get(one) for one in with_signatures(path))
