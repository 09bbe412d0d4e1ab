"""The URLconf of scouting."""

from django.urls import path

from core.common.lazy_views import LazyViews

events = LazyViews("scouting.events.views")
event_forms = LazyViews("scouting.analysis.views.forms")
form = LazyViews("scouting.forms.views.form")
games = LazyViews("scouting.games.views")
history = LazyViews("scouting.history.views")
matches = LazyViews("scouting.analysis.views.matches")
selection = LazyViews("scouting.selection.views")
settings = LazyViews("scouting.settings.views")
submit = LazyViews("scouting.forms.views.submit")
table = LazyViews("scouting.analysis.views.table")
team = LazyViews("scouting.analysis.views.team")

app_name = "scouting"

urlpatterns = [
    path("stand/", submit.Stand, name="stand"),
    path("pit/", submit.Pit, name="pit"),
    path("comment/", submit.Comment, name="comment"),
    path("mine/", form.mine, name="mine"),
    path("forms/stand/id/<str:form_id>/", form.with_id, name="form-with-id"),
    path("forms/<str:kind>/<str:key>/", form.form, name="form"),
    path("forms/<str:kind>/<str:key>/edit/", form.EditForm, name="form-edit"),
    path("forms/<str:kind>/<str:key>/move", form.MoveForm, name="form-move"),
    path("forms/<str:kind>/<str:key>/delete", form.DeleteForm, name="form-delete"),
    path("forms/<str:kind>/<str:key>/restore", form.RestoreForm, name="form-restore"),
    path("photos/<str:key>/<str:name>", form.photo, name="photo"),
    path("selection/", selection.board, name="selection"),
    path("selection/change", selection.ChangeBoard, name="selection-change"),
    path("selection/changes", selection.changes, name="selection-changes"),
    path("selection/report.csv", selection.report, {"kind": "csv"}, name="selection-report"),
    path("selection/report.xlsx", selection.report, {"kind": "xlsx"}, name="selection-workbook"),
    path("selection/print", selection.sheet, name="selection-print"),
    path("analysis/", table.table, name="analysis"),
    path("analysis/scatter/", table.scatter, name="scatter"),
    path("analysis/ranking/", table.ranking, name="ranking"),
    path("analysis/matches/", matches.matches, name="matches"),
    path("analysis/matches/<str:number>/", matches.match, name="match"),
    path("analysis/forms/", event_forms.forms, name="event-forms"),
    path("analysis/comments/", event_forms.comments, name="comments"),
    path("analysis/reports/<str:team>/<str:match>/", event_forms.reports, name="reports"),
    path("analysis/scouts/", event_forms.scouts, name="scouts"),
    path("coverage/", matches.coverage, name="coverage"),
    path("coverage/pits/", matches.pits, name="pits"),
    path("teams/<str:number>/", team.team, name="team"),
    path("compare/", team.compare, name="compare"),
    path("events/", events.events, name="events"),
    path("events/new/", events.NewEvent, name="event-new"),
    path("events/trash/", events.trashed, name="event-trash"),
    path("events/trash/restore", events.RestoreEvent, name="event-restore"),
    path("events/<str:key>/", events.event, name="event"),
    path("events/<str:key>/delete", events.DeleteEvent, name="event-delete"),
    path("events/<str:key>/edit/", events.EditEvent, name="event-edit"),
    path("events/<str:key>/teams/", events.EditTeams, name="event-teams"),
    path("events/<str:key>/schedule/", events.EditSchedule, name="event-schedule"),
    path("events/<str:key>/refresh", events.RefreshEvent, name="event-refresh"),
    path("history/<str:name>/<str:subject>/", history.history, name="history"),
    path("history/<str:name>/<str:subject>/version", history.version, name="history-version"),
    path("history/<str:name>/<str:subject>/restore", history.RestoreVersion, name="history-restore"),
    path("settings/", settings.EditSettings, name="settings"),
    path("games/<str:year>/", games.game, name="game"),
    path("games/<str:year>/edit/", games.EditGame, name="game-edit"),
    path("games/<str:year>/upload", games.UploadGame, name="game-upload"),
    path("games/<str:year>/game.json", games.download, name="game-download"),
]
