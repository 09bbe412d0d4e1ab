"""The leaderboard of a month."""

from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.crud.http import page_or_partial
from core.crud.months import Month
from core.dynamo.attributes import now
from quests import queries, repository
from quests.models import MonthScore
from quests.months import first_day_of

MOST_LEADERS = 50


class Leader(NamedTuple):
    place: int
    key: str
    name: str
    experience: int
    completed: int


@requires("quests.account.view")
@require_safe
def leaders(request: SignedInRequest) -> HttpResponse:
    this_month = first_day_of(now())
    month = min(Month.asked(request.GET.get("month", ""), this_month).first, this_month)
    next_month = (month + timedelta(days=31)).replace(day=1)
    context = {
        "leaders": _ranked(repository.ledger.leaders(f"{month:%Y-%m}", limit=MOST_LEADERS)),
        "month": month,
        "earlier": (month - timedelta(days=1)).replace(day=1),
        "later": next_month if next_month <= this_month else None,
        "is_this_month": month == this_month,
        "most": MOST_LEADERS,
    }
    return page_or_partial(request, "quests/leaders.html", "board", context)


def _ranked(scores: Sequence[MonthScore]) -> list[Leader]:
    """Equal XP means equal place; these are ordered by completed quests, then by name."""
    people = queries.participants(score.user_id for score in scores)
    ordered = sorted(
        scores,
        key=lambda score: (-score.experience, -score.quests_completed, people.name(score.user_id)),
    )
    totals = [score.experience for score in ordered]
    return [
        Leader(
            place=totals.index(score.experience) + 1,
            key=score.user_id,
            name=people.name(score.user_id),
            experience=int(score.experience),
            completed=int(score.quests_completed),
        )
        for score in ordered
    ]
