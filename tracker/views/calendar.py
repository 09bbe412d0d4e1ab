"""A team's games in a month, and as a calendar that other programs subscribe to."""

import re
from calendar import Calendar
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.timezone import localdate, make_aware
from django.views.decorators.http import require_safe

from accounts.rights import SignedInRequest, public, requires
from crud.http import page_or_partial
from tracker import policy, repository
from tracker.frame import frame
from tracker.models import Game
from tracker.services import game_feed
from tracker.views.games import feed_address
from tracker.views.showing import Card

# The months that can be asked for, and how they are typed.
FIRST_MONTH, LAST_MONTH = "2000-01", "2099-12"
TYPED_MONTH = re.compile(r"(20\d\d)-(0[1-9]|1[0-2])")


@dataclass(frozen=True)
class Day:
    date: date
    cards: list[Card]
    is_today: bool
    is_outside: bool


@requires("tracker.team.view")
@require_safe
def month(request: SignedInRequest, team: str) -> HttpResponse:
    access = policy.access(request.user, team)
    today = localdate()
    first = _asked(request.GET.get("month", ""), today)
    weeks = Calendar().monthdatescalendar(first.year, first.month)
    games = repository.games.between(team, _midnight(weeks[0][0]), _midnight(weeks[-1][-1] + timedelta(1)))
    context = frame(access, "games") | {
        "month": first,
        "weeks": [[_day(day, games, first, today) for day in week] for week in weeks],
        "before": max(f"{first - timedelta(days=1):%Y-%m}", FIRST_MONTH),
        "after": min(f"{first + timedelta(days=31):%Y-%m}", LAST_MONTH),
        "this_month": f"{today:%Y-%m}",
        "has_games": any(localdate(game.scheduled_start).month == first.month for game in games),
        "address": reverse("tracker:games-calendar", args=[team]),
        "may_manage": access.may("manage_games"),
        "feed": feed_address(request, team) if access.membership else "",
    }
    return page_or_partial(request, "tracker/games_calendar.html", "month", context)


@public
@require_safe
def feed(request: HttpRequest, token: str) -> HttpResponse:
    """Without signing in, for the one who has the address; it ends with the membership."""
    site = request.build_absolute_uri("/").rstrip("/")
    file = game_feed.calendar_for(token, site=site)
    response = HttpResponse(file, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = 'inline; filename="games.ics"'
    response["Cache-Control"] = "private, no-store"
    return response


def _asked(typed: str, today: date) -> date:
    found = TYPED_MONTH.fullmatch(typed)
    return date(int(found[1]), int(found[2]), 1) if found else today.replace(day=1)


def _midnight(day: date) -> datetime:
    return make_aware(datetime.combine(day, time.min))


def _day(day: date, games: list[Game], month: date, today: date) -> Day:
    cards = [Card(game) for game in games if localdate(game.scheduled_start) == day]
    return Day(day, cards, is_today=day == today, is_outside=day.month != month.month)
