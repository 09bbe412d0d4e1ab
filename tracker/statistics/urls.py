"""URLs of statistics, box scores, scorecards and JSON documents."""

from django.urls import path

from core.common.lazy_views import LazyViews

box = LazyViews("tracker.statistics.views.box_score")
documents = LazyViews("tracker.games.views.documents")
person = LazyViews("tracker.statistics.views.person")
statistics = LazyViews("tracker.statistics.views.team")

urlpatterns = [
    path("me/statistics/", person.my_statistics, name="my-statistics"),
    path("teams/<str:team>/statistics/", statistics.team_statistics, name="statistics"),
    path("teams/<str:team>/players/<str:player>/", person.player, name="player"),
    path("teams/<str:team>/document.json", documents.team, name="team-document"),
    path("games/<str:game>/document.json", documents.game, name="game-document"),
    path("games/<str:game>/box/", box.box, name="box"),
    path("games/<str:game>/scorecard/", box.scorecard, name="scorecard"),
]
