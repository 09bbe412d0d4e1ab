"""Reputation fades: half of it is gone after the half-life. Nothing has to run for that.

What is left is worked out from the rewards themselves whenever it is shown. It is stored nowhere, so the
half-life can be changed at any time.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.conf import settings

from quests.models import LedgerRow


def faded(rows: Iterable[LedgerRow], moment: datetime) -> int:
    """What is left at a moment, to the nearest: what was earned a minute ago is still all there."""
    half_life = timedelta(days=settings.QUEST_REPUTATION_HALF_LIFE_DAYS)
    left = sum(row.reputation * 0.5 ** ((moment - (row.earned_at or row.at)) / half_life) for row in rows)
    return int(left + 0.5)
