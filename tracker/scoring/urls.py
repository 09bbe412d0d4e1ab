"""URLs of the scoring screen and of corrections."""

from django.urls import URLPattern, path

from core.common.lazy_views import LazyViews

plays = LazyViews("tracker.scoring.views.plays")
scoring = LazyViews("tracker.scoring.views.scoring")

GAME = "games/<str:game>/"
PLAY = f"{GAME}plays/<str:at_bat>/"
CORRECTION = {"is_correction": True}

urlpatterns: list[URLPattern] = [
    path(f"{GAME}score/", scoring.score, name="score"),
    path(f"{GAME}score/changes/", scoring.changes, name="score-changes"),
    path(f"{GAME}score/preview/", plays.preview, name="preview"),
    path(f"{GAME}record/", scoring.RecordPlay, name="record"),
    path(f"{GAME}half/", scoring.EndHalfInning, name="end-half"),
    path(f"{GAME}empty/", scoring.EmptyPlace, name="empty-place"),
    path(f"{GAME}undo/", scoring.UndoPlay, name="undo"),
    path(f"{GAME}redo/", scoring.RedoPlay, name="redo"),
    path(f"{GAME}opponent/", scoring.SetOpponentRuns, name="opponent"),
    path(PLAY, plays.CorrectPlay, name="at-bat"),
    path(f"{PLAY}preview/", plays.preview, CORRECTION, name="at-bat-preview"),
    path(f"{PLAY}before/preview/", plays.preview, name="at-bat-insert-preview"),
    path(f"{PLAY}before/", plays.InsertPlay, name="at-bat-insert"),
    path(f"{PLAY}remove/", plays.RemovePlay, name="at-bat-remove"),
    path(f"{PLAY}restore/", plays.RestorePlay, name="at-bat-restore"),
]
