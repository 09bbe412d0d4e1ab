"""Groups a team's games by week. Pure functions, no requests."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from django.utils.timezone import localdate
from django.utils.translation import gettext_lazy as _

from core.dynamo.errors import Text
from tracker.games.models import IN_PROGRESS, POSTPONED, Game

THIS_WEEK, NEXT_WEEK, LATER, NO_DATE, PAST = "this-week", "next-week", "later", "no-date", "past"
TITLES: Mapping[str, Text] = {
    THIS_WEEK: _("This week"),
    NEXT_WEEK: _("Next week"),
    LATER: _("Later"),
    NO_DATE: _("Without a date"),
    PAST: _("Past"),
}


@dataclass(frozen=True)
class Group:
    name: str
    title: Text
    games: list[Game]


def group_of(game: Game, today: date) -> str:
    """The name of the game's group. Weeks begin on Monday; a postponed game counts as without a date."""
    if game.status == IN_PROGRESS:
        return THIS_WEEK
    if game.scheduled_start is None or game.status == POSTPONED:
        return NO_DATE
    day = localdate(game.scheduled_start)
    if day < today:
        return PAST
    sunday = today + timedelta(days=6 - today.weekday())
    if day <= sunday:
        return THIS_WEEK
    return NEXT_WEEK if day <= sunday + timedelta(days=7) else LATER


def grouped(games: Iterable[Game], today: date) -> list[Group]:
    """The groups that have games; coming games by start, past ones newest first."""
    found: dict[str, list[Game]] = {name: [] for name in TITLES}
    for game in games:
        found[group_of(game, today)].append(game)
    for name, members in found.items():
        members.sort(key=_start, reverse=name == PAST)
    return [Group(name, TITLES[name], members) for name, members in found.items() if members]


def _start(game: Game) -> float:
    return game.scheduled_start.timestamp() if game.scheduled_start else 0.0
