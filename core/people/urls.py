"""URLs of user administration, in the same namespace as those of the sign-in."""

from django.urls import path

from core.accounts.urls import urlpatterns as of_accounts
from core.common.lazy_views import LazyViews
from core.people import resource

tokens = LazyViews("core.people.tokens.views")
views = LazyViews("core.people.views")

app_name = "accounts"
urlpatterns = [
    *of_accounts,
    path("profile/", views.profile, name="profile"),
    path("tokens/", tokens.Tokens, name="tokens"),
    path("tokens/<str:digest>/revoke", tokens.RevokeToken, name="token_revoke"),
    path("people/", views.people, name="people"),
    path("people/invite", views.Invite, name="invite"),
    path("people/<str:sub>/", views.person, name="person"),
    path("people/<str:sub>/groups", views.ChangeGroups, name="groups"),
    path("people/<str:sub>/make-member", views.MakeMember, name="make_member"),
    path("people/<str:sub>/invite-again", views.InviteAgain, name="invite_again"),
    path("people/<str:sub>/reset-password", views.ResetPassword, name="reset_password"),
    path("people/<str:sub>/sign-out-everywhere", views.SignOutEverywhere, name="sign_out_everywhere"),
    path("people/<str:sub>/disable", views.Disable, name="disable"),
    path("people/<str:sub>/enable", views.Enable, name="enable"),
    resource.directory.urls(),
]
