"""Presets of league rules, and their stored form in seasons and games."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from core.dynamo.errors import Text
from tracker.games.models import Game, Season
from tracker.rules.replay import Rules

# Presets of a new season; every value can be changed.
PRESETS: Mapping[str, tuple[Text, Rules]] = {
    "fastpitch": (_("Fast pitch"), Rules(run_ahead=((3, 20), (4, 15), (5, 10)), tie_breaker_from=8)),
    "slowpitch": (
        _("Slow pitch"),
        Rules(run_ahead=((4, 20), (5, 15)), tie_breaker_from=8, home_run_limit=6),
    ),
    "plain": (_("Seven innings, no other rules"), Rules()),
}
# The fields of `Rules` by their stored names.
STORED = {
    "innings": "innings",
    "runAhead": "run_ahead",
    "tieBreakerFrom": "tie_breaker_from",
    "homeRunLimit": "home_run_limit",
    "homeRunAboveLimit": "home_run_above_limit",
    "runLimit": "run_limit",
    "emptyPlace": "empty_place",
    "fewestBatters": "fewest_batters",
    "timeLimit": "time_limit",
}


def of_game(game: Game, season: Season | None) -> Rules:
    """The rules of a game: its own copy once it has begun, before that those of its season."""
    return from_stored(season.rules if game.rules is None and season else game.rules)


def stored(rules: Rules) -> dict[str, Any]:
    """Rules as stored in `Season.rules` and `Game.rules`."""
    run_ahead = [{"inning": inning, "lead": lead} for inning, lead in rules.run_ahead]
    return {name: getattr(rules, each) for name, each in STORED.items()} | {"runAhead": run_ahead}


def from_stored(kept: Mapping[str, Any] | None) -> Rules:
    """Rules from their stored form; missing values are the defaults of `Rules`."""
    kept = kept or {}
    run_ahead = tuple((pair["inning"], pair["lead"]) for pair in kept.get("runAhead", ()))
    values = {each: kept[name] for name, each in STORED.items() if name in kept}
    return Rules(**values | {"run_ahead": run_ahead})
