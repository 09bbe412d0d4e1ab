"""Reputation fades: half of it is gone after the half-life. Nothing has to run for that.

An account keeps the sum of all its reputation, each part weighted by the time when it was earned:
2 ** (time / half-life). Dividing the sum by the weight of today gives what is left of it today. A reward
only adds to the sum, so two rewards at once need not wait for each other, and their order does not matter.
"""

from datetime import UTC, datetime

from django.conf import settings

# Weights are counted from here, so that they stay small numbers.
BEGINNING = datetime(2025, 1, 1, tzinfo=UTC)
SECONDS_OF_A_DAY = 86_400
# As many digits as make no difference to anybody.
DIGITS = 9


def weight(moment: datetime) -> float:
    days = (moment - BEGINNING).total_seconds() / SECONDS_OF_A_DAY
    return float(2 ** (days / settings.QUEST_REPUTATION_HALF_LIFE_DAYS))


def mass(reputation: int, moment: datetime) -> float:
    """What a reward adds to an account's sum."""
    return round(reputation * weight(moment), DIGITS)


def faded(mass: float, moment: datetime) -> int:
    """What is left of a sum at a moment, to the nearest: what was earned a minute ago is still all there."""
    return int(mass / weight(moment) + 0.5)
