"""The addresses of user administration, in one namespace with those of signing in."""

from django.urls import path

from core.accounts.urls import urlpatterns as of_accounts
from core.people import resources, views

app_name = "accounts"
urlpatterns = [
    *of_accounts,
    path("people/", views.people, name="people"),
    path("people/invite", views.invite, name="invite"),
    path("people/<str:sub>/", views.person, name="person"),
    path("people/<str:sub>/groups", views.groups, name="groups"),
    path("people/<str:sub>/make-member", views.make_member, name="make_member"),
    path("people/<str:sub>/invite-again", views.invite_again, name="invite_again"),
    path("people/<str:sub>/reset-password", views.reset_password, name="reset_password"),
    path("people/<str:sub>/sign-out-everywhere", views.sign_out_everywhere, name="sign_out_everywhere"),
    path("people/<str:sub>/disable", views.disable, name="disable"),
    path("people/<str:sub>/enable", views.enable, name="enable"),
    *resources.directory.urls(),
]
