"""The URLconf of scouting."""

from django.urls import path

from core.common.lazy_views import LazyViews

accuracy = LazyViews("scouting.analysis.views.accuracy")
comment = LazyViews("scouting.forms.views.comment")
compare = LazyViews("scouting.analysis.views.compare")
coverage = LazyViews("scouting.analysis.views.coverage")
event_edit = LazyViews("scouting.events.views.edit")
event_trash = LazyViews("scouting.events.views.trash")
events = LazyViews("scouting.events.views.events")
form = LazyViews("scouting.forms.views.form")
games = LazyViews("scouting.games.views")
history = LazyViews("scouting.history.views")
match = LazyViews("scouting.analysis.views.match")
mine = LazyViews("scouting.forms.views.mine")
pit = LazyViews("scouting.forms.views.pit")
reports = LazyViews("scouting.analysis.views.reports")
selection = LazyViews("scouting.selection.views")
settings = LazyViews("scouting.settings.views")
stand = LazyViews("scouting.forms.views.stand")
table = LazyViews("scouting.analysis.views.table")
team = LazyViews("scouting.analysis.views.team")

app_name = "scouting"

urlpatterns = [
    path("stand/", stand.Stand, name="stand"),
    path("pit/", pit.Pit, name="pit"),
    path("comment/", comment.Comment, name="comment"),
    path("mine/", mine.mine, name="mine"),
    path("forms/stand/id/<str:form_id>/", form.with_id, name="form-with-id"),
    path("forms/<str:kind>/<str:key>/", form.form, name="form"),
    path("forms/<str:kind>/<str:key>/edit/", form.EditForm, name="form-edit"),
    path("forms/<str:kind>/<str:key>/move", form.MoveForm, name="form-move"),
    path("forms/<str:kind>/<str:key>/delete", form.delete, name="form-delete"),
    path("forms/<str:kind>/<str:key>/restore", form.restore, name="form-restore"),
    path("photos/<str:key>/<str:name>", form.photo, name="photo"),
    path("selection/", selection.board, name="selection"),
    path("selection/change", selection.change, name="selection-change"),
    path("selection/changes", selection.changes, name="selection-changes"),
    path("selection/report.csv", selection.report, {"kind": "csv"}, name="selection-report"),
    path("selection/report.xlsx", selection.report, {"kind": "xlsx"}, name="selection-workbook"),
    path("selection/print", selection.sheet, name="selection-print"),
    path("analysis/", table.table, name="analysis"),
    path("analysis/scatter/", table.scatter, name="scatter"),
    path("analysis/ranking/", table.ranking, name="ranking"),
    path("analysis/matches/", match.matches, name="matches"),
    path("analysis/matches/<str:number>/", match.match, name="match"),
    path("analysis/forms/", accuracy.forms, name="event-forms"),
    path("analysis/comments/", accuracy.comments, name="comments"),
    path("analysis/reports/<str:team>/<str:match>/", reports.reports, name="reports"),
    path("analysis/scouts/", accuracy.scouts, name="scouts"),
    path("coverage/", coverage.coverage, name="coverage"),
    path("coverage/pits/", coverage.pits, name="pits"),
    path("teams/<str:number>/", team.team, name="team"),
    path("compare/", compare.compare, name="compare"),
    path("events/", events.events, name="events"),
    path("events/new/", events.NewEvent, name="event-new"),
    path("events/trash/", event_trash.index, name="event-trash"),
    path("events/trash/restore", event_trash.restore, name="event-restore"),
    path("events/<str:key>/", events.event, name="event"),
    path("events/<str:key>/delete", event_trash.delete, name="event-delete"),
    path("events/<str:key>/edit/", event_edit.EditEvent, name="event-edit"),
    path("events/<str:key>/teams/", event_edit.EditTeams, name="event-teams"),
    path("events/<str:key>/schedule/", event_edit.EditSchedule, name="event-schedule"),
    path("events/<str:key>/refresh", events.refresh, name="event-refresh"),
    path("history/<str:name>/<str:subject>/", history.history, name="history"),
    path("history/<str:name>/<str:subject>/version", history.version, name="history-version"),
    path("history/<str:name>/<str:subject>/restore", history.restore, name="history-restore"),
    path("settings/", settings.EditSettings, name="settings"),
    path("games/<str:year>/", games.game, name="game"),
    path("games/<str:year>/edit/", games.EditGame, name="game-edit"),
    path("games/<str:year>/upload", games.UploadGame, name="game-upload"),
    path("games/<str:year>/game.json", games.download, name="game-download"),
]
