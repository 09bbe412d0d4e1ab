"""The addresses of scouting."""

from django.urls import path

from scouting.views import comment, events, form, mine, pit, stand

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
    path("events/", events.events, name="events"),
]
