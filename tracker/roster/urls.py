"""URLs of rosters and invitations."""

from django.urls import path

from core.common.lazy_views import LazyViews

invitations = LazyViews("tracker.teams.views.invitations")
player_edit = LazyViews("tracker.roster.views.player_edit")
roster = LazyViews("tracker.roster.views.roster")

urlpatterns = [
    path("teams/<str:team>/roster/", roster.page, name="roster"),
    path("teams/<str:team>/roster/new/", roster.AddPlayer, name="player-add"),
    path("teams/<str:team>/roster/paste/", roster.PastePlayers, name="players-paste"),
    path("teams/<str:team>/roster/<str:player>/edit/", player_edit.EditPlayer, name="player-edit"),
    path("teams/<str:team>/roster/<str:player>/remove/", player_edit.RemovePlayer, name="player-remove"),
    path("teams/<str:team>/roster/<str:player>/restore/", player_edit.RestorePlayer, name="player-restore"),
    path("teams/<str:team>/roster/<str:player>/unlink/", player_edit.UnlinkPlayer, name="player-unlink"),
    path("teams/<str:team>/invitations/", invitations.listing, name="invitations"),
    path("teams/<str:team>/invitations/new/", invitations.NewInvitation, name="invitation-new"),
    path(
        "teams/<str:team>/invitations/<str:invitation>/",
        invitations.Respond,
        name="invitation-waiting",
    ),
    path(
        "teams/<str:team>/invitations/<str:invitation>/revoke/",
        invitations.Revoke,
        name="invitation-revoke",
    ),
    path("invitations/<str:token>/", invitations.Respond, name="invitation"),
]
