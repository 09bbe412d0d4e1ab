"""URLs of Home, profiles, teams, members and the lists for administrators."""

from django.urls import path

from core.common.lazy_views import LazyViews

everything = LazyViews("tracker.teams.views.admin")
home = LazyViews("tracker.teams.views.home")
members = LazyViews("tracker.teams.views.members")
profile = LazyViews("tracker.people.views")
team = LazyViews("tracker.teams.views.team")
team_edit = LazyViews("tracker.teams.views.team_edit")

urlpatterns = [
    path("", home.home, name="home"),
    path("profile/", profile.EditProfile, name="profile"),
    path("people/<str:person>/", profile.EditProfile, name="person"),
    path("people/<str:person>/delete/", profile.DeleteProfile, name="person-delete"),
    path("people/<str:person>/keep/", profile.KeepProfile, name="person-keep"),
    path("teams/new/", team_edit.NewTeam, name="team-new"),
    path("teams/<str:team>/", team.overview, name="team"),
    path("teams/<str:team>/edit/", team_edit.EditTeam, name="team-edit"),
    path("teams/<str:team>/delete/", team_edit.DeleteTeam, name="team-delete"),
    path("teams/<str:team>/restore/", team_edit.RestoreTeam, name="team-restore"),
    path("teams/<str:team>/transfer/", team_edit.TransferTeam, name="team-transfer"),
    path("teams/<str:team>/leave/", members.LeaveTeam, name="team-leave"),
    path("teams/<str:team>/members/", members.members, name="members"),
    path("teams/<str:team>/members/<str:person>/role/", members.EditRole, name="member-role"),
    path("teams/<str:team>/members/<str:person>/remove/", members.RemoveMember, name="member-remove"),
    path("all/people/", everything.people, name="all-people"),
    path("all/teams/", everything.teams, name="all-teams"),
    path("all/games/", everything.games, name="all-games"),
]
