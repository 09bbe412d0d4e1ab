"""The summary of a team's games: live game, next game, last results, record. Pure functions, no requests."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.utils.timezone import localdate

from tracker.games.models import FINAL, IN_PROGRESS, SCHEDULED, Game, Season
from tracker.rules.game_states import LOST, TIED, WON, outcome
from tracker.statistics.totals import Record

LAST_RESULTS = 5


@dataclass(frozen=True)
class Glance:
    live: Game | None
    next: Game | None
    results: list[Game]
    # The record of the current season; without a season, of the year.
    record: Record
    season: Season | None


def glance(games: Sequence[Game], seasons: Iterable[Season], moment: datetime) -> Glance:
    """The summary at this moment; `games` are by start, the newest first."""
    season = season_on(seasons, localdate(moment))
    counted = [game for game in games if _counts(game, season, moment)]
    # Without a dated game to come, the next one is the oldest of the undated ones.
    coming = [game for game in games if _is_to_come(game, localdate(moment))] or [
        game for game in games if game.status == SCHEDULED and game.scheduled_start is None
    ]
    return Glance(
        live=next((game for game in games if game.status == IN_PROGRESS), None),
        next=coming[-1] if coming else None,
        results=[game for game in games if game.status == FINAL][:LAST_RESULTS],
        record=record_of(counted),
        season=season,
    )


def season_on(seasons: Iterable[Season], day: date) -> Season | None:
    """The season of this day; between two seasons, the last one that began."""
    begun = [each for each in seasons if each.starts_on is None or each.starts_on <= day]
    on = [each for each in begun if each.holds(day)]
    return max(on or begun, key=lambda each: (each.starts_on or date.min, each.id), default=None)


def record_of(games: Iterable[Game]) -> Record:
    ended = Counter(outcome(game) for game in games)
    return Record(ended[WON], ended[LOST], ended[TIED])


def _is_to_come(game: Game, today: date) -> bool:
    day = _day(game)
    return game.status == SCHEDULED and day is not None and day >= today


def _counts(game: Game, season: Season | None, moment: datetime) -> bool:
    if season is not None:
        return bool(game.season_id == season.id)
    day = _day(game) or localdate(game.created_at)
    return day.year == localdate(moment).year


def _day(game: Game) -> date | None:
    return localdate(game.scheduled_start) if game.scheduled_start else None
