"""The addresses of scouting."""

from django.urls import path

from scouting.views import (
    comment,
    compare,
    event_edit,
    events,
    form,
    games,
    mine,
    pit,
    selection,
    settings,
    stand,
    team,
)

app_name = "scouting"

urlpatterns = [
    path("stand/", stand.stand, name="stand"),
    path("pit/", pit.pit, name="pit"),
    path("comment/", comment.comment, name="comment"),
    path("mine/", mine.mine, name="mine"),
    path("forms/<str:kind>/<str:key>/", form.form, name="form"),
    path("forms/<str:kind>/<str:key>/edit/", form.edit, name="form-edit"),
    path("forms/<str:kind>/<str:key>/delete", form.delete, name="form-delete"),
    path("forms/<str:kind>/<str:key>/restore", form.restore, name="form-restore"),
    path("selection/", selection.board, name="selection"),
    path("selection/change", selection.change, name="selection-change"),
    path("selection/report.csv", selection.report, name="selection-report"),
    path("selection/print", selection.sheet, name="selection-print"),
    path("teams/<str:number>/", team.team, name="team"),
    path("compare/", compare.compare, name="compare"),
    path("events/", events.events, name="events"),
    path("events/new/", events.new, name="event-new"),
    path("events/<str:key>/", events.event, name="event"),
    path("events/<str:key>/edit/", event_edit.edit, name="event-edit"),
    path("events/<str:key>/teams/", event_edit.teams, name="event-teams"),
    path("events/<str:key>/schedule/", event_edit.schedule, name="event-schedule"),
    path("events/<str:key>/refresh", events.refresh, name="event-refresh"),
    path("settings/", settings.settings, name="settings"),
    path("games/<str:year>/", games.game, name="game"),
    path("games/<str:year>/edit/", games.edit, name="game-edit"),
    path("games/<str:year>/upload", games.upload, name="game-upload"),
    path("games/<str:year>/game.json", games.download, name="game-download"),
]
