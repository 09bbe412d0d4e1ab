"""Statistics about teams and scouts, computed from forms. Pure functions, without reads or writes.

From the stand forms of an event and its game:

- First `sightings(forms, game)` of `scouting.analysis.consensus`: each robot once per match.
- `team`: `team_figures(team, sightings, game)` of one team.
- `table`: the table of all teams, sorted by any figure or by a weighted sum of their z-scores.
- `coverage`: missing reports and pit forms.
- `scouts`: how many forms each wrote, and how accurate they are.

Coverage and the leaderboard use only attributes that the GSIs of forms project.
"""
