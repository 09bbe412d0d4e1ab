"""URLs of webhooks."""

from django.urls import path

from core.common.lazy_views import LazyViews

views = LazyViews("core.webhooks.views")

app_name = "webhooks"
urlpatterns = [
    path("", views.Webhooks, name="list"),
    path("<str:key>/", views.WebhookPage, name="webhook"),
    path("<str:key>/pause", views.Pause, name="pause"),
    path("<str:key>/resume", views.Resume, name="resume"),
    path("<str:key>/delete", views.Delete, name="delete"),
    path("<str:key>/secret", views.ChangeSecret, name="secret"),
    path("<str:key>/test", views.SendTest, name="test"),
    path("<str:key>/again", views.SendAgain, name="again"),
]
