"""URLs of the quest board."""

from functools import partial

from django.urls import path

from core.accounts.rights import requires
from core.common.lazy_views import LazyViews
from core.crud.views import history
from quests.resource import quests

board = LazyViews("quests.views.board")
desk = LazyViews("quests.views.steward_desk")
desk_actions = LazyViews("quests.views.steward_actions")
leaderboard = LazyViews("quests.views.leaderboard")
mine = LazyViews("quests.views.my_quests")
offer = LazyViews("quests.views.offers")
people = LazyViews("quests.views.profile")
quest = LazyViews("quests.views.quest_page")
report = LazyViews("quests.views.report")

app_name = "quests"
_view = requires("quests.quest.view")

urlpatterns = [
    path("", board.board, name="quest-list"),
    path("new/", offer.NewQuest, name="quest-new"),
    path("mine/", mine.mine, name="mine"),
    path("people/<str:key>/", people.profile, name="person"),
    path("people/<str:key>/adjust", desk_actions.adjust, name="adjust"),
    path("wallet", people.wallet, name="wallet"),
    path("leaders/", leaderboard.leaders, name="leaders"),
    path("desk/", desk.disputes, name="desk"),
    path("desk/claims/", desk.claims, name="desk-claims"),
    path("desk/rewards/", desk.rewards, name="desk-rewards"),
    path("desk/expiring/", desk.expiring, name="desk-expiring"),
    path("desk/people/", desk.people, name="desk-people"),
    path("desk/settings/", desk.board_settings, name="desk-settings"),
    path("desk/decide/<str:key>", desk_actions.decide, name="desk-decide"),
    path("desk/recall/<str:key>", desk_actions.recall, name="desk-recall"),
    path("desk/rewards/<str:key>/retry", desk_actions.retry, name="desk-retry"),
    path("desk/rewards/<str:key>/abandon", desk_actions.abandon, name="desk-abandon"),
    path("desk/rewards/<str:key>/reopen", desk_actions.reopen, name="desk-reopen"),
    path("report.csv", report.report, name="report"),
    path("<str:key>/", quest.quest, name="quest-record"),
    path("<str:key>/edit/", offer.EditQuest, name="edit"),
    path("<str:key>/photos/<str:name>", quest.photo, name="photo"),
    path("<str:key>/changes", quest.changes, name="changes"),
    path("<str:key>/do/<str:action>", quest.act, name="act"),
    path("<str:key>/history", _view(partial(history.history, resource=quests)), name="quest-history"),
    path("<str:key>/version", _view(partial(history.version, resource=quests)), name="quest-version"),
]
