"""The URL root; each app brings its own urls.py."""

from django.urls import include, path

from config import views

urlpatterns = [
    path("", views.home, name="home"),
    path("", include("accounts.urls")),
]
handler400 = views.bad_request
handler403 = views.permission_denied
handler404 = views.page_not_found
handler500 = views.server_error
