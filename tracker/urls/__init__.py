"""The addresses of the tracker; each room of it brings its own."""

from tracker.urls import games, live, roster, scoring, statistics, teams

app_name = "tracker"

urlpatterns = [
    *teams.urlpatterns,
    *roster.urlpatterns,
    *games.urlpatterns,
    *scoring.urlpatterns,
    *live.urlpatterns,
    *statistics.urlpatterns,
]
