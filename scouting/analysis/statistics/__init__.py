"""Statistics about teams and scouts, computed from forms. Pure functions, without reads or writes.

From the stand forms of an event and its game:

- First `sightings(forms, game)` of `scouting.analysis.consensus`: each robot once per match.
- `event_figures(sightings, game, event.team_numbers)`: all teams; `team_figures(team, sightings, game)`: one.
- `columns(game)`, `table(figures, official_values(event.matches))` and `ordered(rows, key)`: the table of all
  teams sorted by any figure; `weighted(rows, weights)`: the teams by a weighted sum of their z-scores.
- `coverage(event, forms)` with `tally` and `strays`: missing reports; `pit_progress(event, forms)`.
- `accuracy(event.matches, sightings)` and `leaderboard(forms)`: statistics about scouts.

Coverage and the leaderboard use only attributes that the GSIs of forms project.
"""

from scouting.analysis.statistics.coverage import coverage, pit_progress, strays, tally
from scouting.analysis.statistics.scouts import accuracy, leaderboard
from scouting.analysis.statistics.table import columns, official_values, ordered, table, weighted
from scouting.analysis.statistics.team import TeamFigures, event_figures, summary, team_figures

__all__ = [
    "TeamFigures",
    "accuracy",
    "columns",
    "coverage",
    "event_figures",
    "leaderboard",
    "official_values",
    "ordered",
    "pit_progress",
    "strays",
    "summary",
    "table",
    "tally",
    "team_figures",
    "weighted",
]
