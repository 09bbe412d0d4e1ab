"""Figures, box scores, scorecards and files."""

from django.urls import path

from core.common.lazy_views import LazyViews

box = LazyViews("tracker.views.box")
documents = LazyViews("tracker.views.documents")
mine = LazyViews("tracker.views.mine")
player = LazyViews("tracker.views.player")
scorecard = LazyViews("tracker.views.scorecard")
statistics = LazyViews("tracker.views.statistics")

urlpatterns = [
    path("me/statistics/", mine.my_statistics, name="my-statistics"),
    path("teams/<str:team>/statistics/", statistics.team_statistics, name="statistics"),
    path("teams/<str:team>/players/<str:player>/", player.player, name="player"),
    path("teams/<str:team>/document.json", documents.team, name="team-document"),
    path("games/<str:game>/document.json", documents.game, name="game-document"),
    path("games/<str:game>/box/", box.box, name="box"),
    path("games/<str:game>/scorecard/", scorecard.scorecard, name="scorecard"),
]
