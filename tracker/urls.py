"""The root URLconf of the tracker, from those of its packages."""

import tracker.games.urls as games
import tracker.live.urls as live
import tracker.roster.urls as roster
import tracker.scoring.urls as scoring
import tracker.statistics.urls as statistics
import tracker.teams.urls as teams

app_name = "tracker"

urlpatterns = [
    *teams.urlpatterns,
    *roster.urlpatterns,
    *games.urlpatterns,
    *scoring.urlpatterns,
    *live.urlpatterns,
    *statistics.urlpatterns,
]
