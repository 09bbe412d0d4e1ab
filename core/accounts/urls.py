"""URLs of sign-in and sign-out."""

from django.urls import path

from core.accounts import views

urlpatterns = [
    path("auth/login", views.login, name="login"),
    path("auth/callback", views.callback, name="callback"),
    path("auth/logout", views.logout, name="logout"),
    path("auth/signed-out", views.signed_out, name="signed_out"),
    path("auth/signed-in-again", views.signed_in_again, name="signed_in_again"),
]
