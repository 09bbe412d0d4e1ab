"""Polling with growing pauses and jitter."""

import random
import time

FIRST_SECONDS = 0.05
LONGEST_SECONDS = 1.0


def pause_before(poll: int, *, at_most: float = LONGEST_SECONDS) -> None:
    """Sleep before the next poll: from 50 ms up to a second, with jitter."""
    longest = min(LONGEST_SECONDS, FIRST_SECONDS * 2 ** min(poll, 10))
    time.sleep(max(0.0, min(random.uniform(longest / 2, longest), at_most)))
