"""What the scouts' forms say of the teams of an event, and of the scouts. Nothing here reads or writes.

For the screens of analysis, out of the stand forms of an event and its game:

- `sightings(forms, game)` of `scouting.analysis.consensus` first: each robot once per match.
- `event_figures(sightings, game, event.team_numbers)`: all teams; `team_figures(team, sightings, game)`: one.
- `columns(game)`, `table(figures, official_values(event.matches))` and `ordered(rows, key)`: the table of all
  teams by any figure; `weighted(rows, weights)`: the teams by the weighted sum of how they stand out.
- `coverage(event, forms)` with `tally` and `strays`: who still has to be seen; `pit_progress(event, forms)`.
- `accuracy(event.matches, sightings)` and `leaderboard(forms)`: how the scouts do.

Coverage and the leaderboard use only what the indexes of forms hold, so they need no whole forms.
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
