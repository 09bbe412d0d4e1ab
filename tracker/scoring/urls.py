"""URLs of the scoring screen and of corrections."""

from django.urls import URLPattern, path

from core.common.lazy_views import LazyViews

plays = LazyViews("tracker.scoring.views.plays")
scoring = LazyViews("tracker.scoring.views.scoring")

urlpatterns: list[URLPattern] = [
    path("games/<str:game>/score/", scoring.score, name="score"),
    path("games/<str:game>/score/changes/", scoring.changes, name="score-changes"),
    path("games/<str:game>/score/preview/", scoring.preview, name="preview"),
    path("games/<str:game>/record/", scoring.record, name="record"),
    path("games/<str:game>/half/", scoring.end_half_inning, name="end-half"),
    path("games/<str:game>/empty/", scoring.empty_place, name="empty-place"),
    path("games/<str:game>/undo/", scoring.undo, name="undo"),
    path("games/<str:game>/redo/", scoring.redo, name="redo"),
    path("games/<str:game>/opponent/", scoring.opponent, name="opponent"),
    path("games/<str:game>/plays/<str:at_bat>/", plays.at_bat, name="at-bat"),
    path("games/<str:game>/plays/<str:at_bat>/preview/", plays.preview, name="at-bat-preview"),
    path(
        "games/<str:game>/plays/<str:at_bat>/before/preview/",
        plays.insert_preview,
        name="at-bat-insert-preview",
    ),
    path("games/<str:game>/plays/<str:at_bat>/before/", plays.insert, name="at-bat-insert"),
    path("games/<str:game>/plays/<str:at_bat>/remove/", plays.remove, name="at-bat-remove"),
    path("games/<str:game>/plays/<str:at_bat>/restore/", plays.restore, name="at-bat-restore"),
]
