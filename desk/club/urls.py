"""URLs of the club's settings, and of its face."""

from django.urls import path

from core.common.lazy_views import LazyViews

face = LazyViews("desk.club.face")
views = LazyViews("desk.club.views")

app_name = "club"
urlpatterns = [
    path("desk/club/", views.EditClub, name="settings"),
    path("desk/club/colours", views.colours, name="colours"),
    path("desk/club/undo", views.UndoChange, name="undo"),
    path("desk/club/history/", views.history, name="history"),
    path("desk/club/history/version", views.version, name="version"),
    path("desk/club/history/restore", views.RestoreVersion, name="restore"),
    path("brand/logo/<str:name>", face.logo, name="logo"),
    path("brand/<str:colours>.css", face.stylesheet, name="stylesheet"),
    path("brand/<str:colours>/<str:initials>.svg", face.icon, name="icon"),
]
