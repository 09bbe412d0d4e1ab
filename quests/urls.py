"""URLs of the quest board."""

from functools import partial

from django.urls import path

from core.accounts.rights import requires
from core.common.lazy_views import LazyViews
from core.crud.screens import history
from quests.resource import quests

board = LazyViews("quests.views.board")
steward_desk = LazyViews("quests.views.steward_desk")
steward_actions = LazyViews("quests.views.steward_actions")
my_quests = LazyViews("quests.views.my_quests")
quest_edit = LazyViews("quests.views.quest_edit")
people = LazyViews("quests.views.people")
quest_page = LazyViews("quests.views.quest_page")
report = LazyViews("quests.views.report")

app_name = "quests"
_view = requires("quests.quest.view")

urlpatterns = [
    path("", board.board, name="quest-list"),
    path("new/", quest_edit.NewQuest, name="quest-new"),
    path("mine/", my_quests.my_quests, name="mine"),
    path("people/<str:key>/", people.profile, name="person"),
    path("people/<str:key>/adjust", steward_actions.AdjustPoints, name="adjust"),
    path("wallet", people.SaveWallet, name="wallet"),
    path("leaders/", people.leaders, name="leaders"),
    path("desk/", steward_desk.disputes, name="desk"),
    path("desk/claims/", steward_desk.claims, name="desk-claims"),
    path("desk/rewards/", steward_desk.rewards, name="desk-rewards"),
    path("desk/expiring/", steward_desk.expiring, name="desk-expiring"),
    path("desk/people/", steward_desk.people, name="desk-people"),
    path("desk/settings/", steward_desk.board_settings, name="desk-settings"),
    path("desk/decide/<str:key>", steward_actions.DecideDispute, name="desk-decide"),
    path("desk/recall/<str:key>", steward_actions.RecallQuest, name="desk-recall"),
    path("desk/rewards/<str:key>/retry", steward_actions.RetryReward, name="desk-retry"),
    path("desk/rewards/<str:key>/abandon", steward_actions.AbandonReward, name="desk-abandon"),
    path("desk/rewards/<str:key>/reopen", steward_actions.ReopenReward, name="desk-reopen"),
    path("report.csv", report.report, name="report"),
    path("<str:key>/", quest_page.quest, name="quest-record"),
    path("<str:key>/edit/", quest_edit.EditQuest, name="edit"),
    path("<str:key>/photos/<str:name>", quest_page.photo, name="photo"),
    path("<str:key>/changes", quest_page.changes, name="changes"),
    path("<str:key>/do/<str:action>", quest_page.TakeAction, name="act"),
    path("<str:key>/history", _view(partial(history.history, resource=quests)), name="quest-history"),
    path("<str:key>/version", _view(partial(history.version, resource=quests)), name="quest-version"),
]
