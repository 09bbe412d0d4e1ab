"""URLs of statistics, box scores, scorecards and JSON documents."""

from django.urls import path

from core.common.lazy_views import LazyViews

box = LazyViews("tracker.statistics.views.box_score")
documents = LazyViews("tracker.games.views.documents")
mine = LazyViews("tracker.statistics.views.my_statistics")
player = LazyViews("tracker.statistics.views.player")
scorecard = LazyViews("tracker.statistics.views.scorecard")
statistics = LazyViews("tracker.statistics.views.team")

urlpatterns = [
    path("me/statistics/", mine.my_statistics, name="my-statistics"),
    path("teams/<str:team>/statistics/", statistics.team_statistics, name="statistics"),
    path("teams/<str:team>/players/<str:player>/", player.player, name="player"),
    path("teams/<str:team>/document.json", documents.team, name="team-document"),
    path("games/<str:game>/document.json", documents.game, name="game-document"),
    path("games/<str:game>/box/", box.box, name="box"),
    path("games/<str:game>/scorecard/", scorecard.scorecard, name="scorecard"),
]
