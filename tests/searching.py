"""How long hypothesis looks: at the same examples in every run of the suite, at new and at more of them in `make search`.

A suite that draws anew each time fails now and then for somebody who changed something else. What a search finds becomes a
test, or mends the model that was wrong.
"""

from __future__ import annotations

import os
from typing import Final

from hypothesis import HealthCheck, settings

TIMES: Final = int(os.environ.get("TAKE5_SEARCH", "0"))
"""How many times as many examples a search tries; 0 in the suite, which tries the same ones each time."""

PROFILE: Final = "take5"

settings.register_profile(
    PROFILE,
    max_examples=100 * max(1, TIMES),
    derandomize=not TIMES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


def examples(count: int) -> settings:
    """So many examples, each as long as it takes."""
    return settings(max_examples=count * max(1, TIMES))
