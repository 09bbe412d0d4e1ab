"""Figures, box scores, scorecards and files."""

from django.urls import path

from tracker.views import box, documents, mine, player, scorecard, statistics

urlpatterns = [
    path("me/statistics/", mine.my_statistics, name="my-statistics"),
    path("teams/<str:team>/statistics/", statistics.team_statistics, name="statistics"),
    path("teams/<str:team>/players/<str:player>/", player.player, name="player"),
    path("teams/<str:team>/document.json", documents.team, name="team-document"),
    path("games/<str:game>/document.json", documents.game, name="game-document"),
    path("games/<str:game>/box/", box.box, name="box"),
    path("games/<str:game>/scorecard/", scorecard.scorecard, name="scorecard"),
]
