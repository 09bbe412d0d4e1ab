"""The addresses of accounts."""

from django.urls import path

from accounts import views

app_name = "accounts"
urlpatterns = [
    path("auth/login", views.login, name="login"),
    path("auth/callback", views.callback, name="callback"),
    path("auth/logout", views.logout, name="logout"),
    path("auth/signed-out", views.signed_out, name="signed_out"),
    path("auth/signed-in-again", views.signed_in_again, name="signed_in_again"),
]
