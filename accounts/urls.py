"""The addresses of accounts."""

from django.urls import path

from accounts import people, resources, views

app_name = "accounts"
urlpatterns = [
    path("auth/login", views.login, name="login"),
    path("auth/callback", views.callback, name="callback"),
    path("auth/logout", views.logout, name="logout"),
    path("auth/signed-out", views.signed_out, name="signed_out"),
    path("auth/signed-in-again", views.signed_in_again, name="signed_in_again"),
    path("people/", people.people, name="people"),
    path("people/invite", people.invite, name="invite"),
    path("people/<str:sub>/", people.person, name="person"),
    path("people/<str:sub>/groups", people.groups, name="groups"),
    path("people/<str:sub>/make-member", people.make_member, name="make_member"),
    path("people/<str:sub>/invite-again", people.invite_again, name="invite_again"),
    path("people/<str:sub>/reset-password", people.reset_password, name="reset_password"),
    path("people/<str:sub>/sign-out-everywhere", people.sign_out_everywhere, name="sign_out_everywhere"),
    path("people/<str:sub>/disable", people.disable, name="disable"),
    path("people/<str:sub>/enable", people.enable, name="enable"),
    *resources.directory.urls(),
]
