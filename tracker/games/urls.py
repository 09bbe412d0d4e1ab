"""URLs of schedules, games, line-ups, seasons and availability."""

from django.urls import path

from core.common.lazy_views import LazyViews

calendar = LazyViews("tracker.games.views.calendar")
game = LazyViews("tracker.games.views.game")
game_steps = LazyViews("tracker.games.views.game_steps")
games = LazyViews("tracker.games.views.games")
lineup = LazyViews("tracker.scoring.views.lineup")
seasons = LazyViews("tracker.games.views.seasons")

urlpatterns = [
    path("teams/<str:team>/games/", games.games, name="games"),
    path("teams/<str:team>/games/new/", games.NewGame, name="game-new"),
    path("teams/<str:team>/games/calendar/", calendar.month, name="games-calendar"),
    path("teams/<str:team>/games/calendar/address/", calendar.RenewFeed, name="games-feed-new"),
    path("calendars/<str:token>.ics", calendar.feed, name="games-feed"),
    path("teams/<str:team>/seasons/", seasons.seasons, name="seasons"),
    path("teams/<str:team>/seasons/new/", seasons.NewSeason, name="season-new"),
    path("teams/<str:team>/seasons/<str:season>/", seasons.EditSeason, name="season-edit"),
    path("teams/<str:team>/seasons/<str:season>/delete/", seasons.DeleteSeason, name="season-delete"),
    path("teams/<str:team>/seasons/<str:season>/restore/", seasons.RestoreSeason, name="season-restore"),
    path("games/<str:game>/", game.game, name="game"),
    path("games/<str:game>/edit/", game_steps.EditGame, name="game-edit"),
    path("games/<str:game>/status/", game_steps.MoveGame, name="game-status"),
    path("games/<str:game>/forfeit/", game_steps.ForfeitGame, name="game-forfeit"),
    path("games/<str:game>/delete/", game_steps.DeleteGame, name="game-delete"),
    path("games/<str:game>/restore/", game_steps.RestoreGame, name="game-restore"),
    path("games/<str:game>/share/", game.ShareGame, name="game-share"),
    path("games/<str:game>/answer/", game.AnswerGame, name="game-answer"),
    path("games/<str:game>/history/", game.changes, name="game-history"),
    path("games/<str:game>/lineup/", lineup.EditLineup, name="lineup"),
    path("games/<str:game>/lineup/substitute/", lineup.Substitute, name="lineup-substitute"),
]
