"""Reputation decays exponentially with a half-life.

It is computed from the ledger rows whenever it is shown and never stored, so no job has to run and the
half-life can be changed at any time.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.conf import settings

from quests.models import LedgerRow


def current_reputation(rows: Iterable[LedgerRow], moment: datetime) -> int:
    """The reputation that is left at a moment, rounded to the nearest number."""
    half_life = timedelta(days=settings.QUEST_REPUTATION_HALF_LIFE_DAYS)
    left = sum(row.reputation * 0.5 ** ((moment - (row.earned_at or row.at)) / half_life) for row in rows)
    return int(left + 0.5)
