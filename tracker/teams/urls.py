"""Home, profile, teams, members and the lists of everything."""

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
    path("profile/", profile.profile, name="profile"),
    path("people/<str:person>/", profile.profile, name="person"),
    path("people/<str:person>/delete/", profile.delete, name="person-delete"),
    path("people/<str:person>/keep/", profile.keep, name="person-keep"),
    path("teams/new/", team_edit.new, name="team-new"),
    path("teams/<str:team>/", team.overview, name="team"),
    path("teams/<str:team>/edit/", team_edit.edit, name="team-edit"),
    path("teams/<str:team>/delete/", team_edit.delete, name="team-delete"),
    path("teams/<str:team>/restore/", team_edit.restore, name="team-restore"),
    path("teams/<str:team>/transfer/", team_edit.transfer, name="team-transfer"),
    path("teams/<str:team>/leave/", members.leave, name="team-leave"),
    path("teams/<str:team>/members/", members.members, name="members"),
    path("teams/<str:team>/members/<str:person>/role/", members.role, name="member-role"),
    path("teams/<str:team>/members/<str:person>/remove/", members.remove, name="member-remove"),
    path("all/people/", everything.people, name="all-people"),
    path("all/teams/", everything.teams, name="all-teams"),
    path("all/games/", everything.games, name="all-games"),
]
