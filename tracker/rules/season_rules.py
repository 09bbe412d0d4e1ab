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
    "plain": (_("Seven innings, nothing else"), Rules()),
}


def of_game(game: Game, season: Season | None) -> Rules:
    """The rules of a game: its own copy once it has begun, before that those of its season."""
    if game.rules is None and season is not None:
        return from_stored(season.rules)
    return from_stored(game.rules)


def stored(rules: Rules) -> dict[str, Any]:
    """Rules as stored in `Season.rules` and `Game.rules`."""
    return {
        "innings": rules.innings,
        "runAhead": [{"inning": inning, "lead": lead} for inning, lead in rules.run_ahead],
        "tieBreakerFrom": rules.tie_breaker_from,
        "homeRunLimit": rules.home_run_limit,
        "homeRunAboveLimit": rules.home_run_above_limit,
        "runLimit": rules.run_limit,
        "emptyPlace": rules.empty_place,
        "fewestBatters": rules.fewest_batters,
        "timeLimit": rules.time_limit,
    }


def from_stored(kept: Mapping[str, Any] | None) -> Rules:
    """Rules from their stored form; missing values are the defaults of `Rules`."""
    kept, usual = kept or {}, Rules()
    return Rules(
        innings=kept.get("innings", usual.innings),
        run_ahead=tuple((pair["inning"], pair["lead"]) for pair in kept.get("runAhead", ())),
        tie_breaker_from=kept.get("tieBreakerFrom"),
        home_run_limit=kept.get("homeRunLimit"),
        home_run_above_limit=kept.get("homeRunAboveLimit", usual.home_run_above_limit),
        run_limit=kept.get("runLimit"),
        empty_place=kept.get("emptyPlace", usual.empty_place),
        fewest_batters=kept.get("fewestBatters", usual.fewest_batters),
        time_limit=kept.get("timeLimit"),
    )
