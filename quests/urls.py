"""The addresses of the quest board."""

from functools import partial

from django.urls import path

from accounts.rights import requires
from crud.views import history
from quests.resources import quests
from quests.views import board, mine, offer, quest

app_name = "quests"
_view = requires("quests.quest.view")

urlpatterns = [
    path("", board.board, name="quest-list"),
    path("new/", offer.new, name="quest-new"),
    path("mine/", mine.mine, name="mine"),
    path("<str:key>/", quest.quest, name="quest-record"),
    path("<str:key>/edit/", offer.edit, name="edit"),
    path("<str:key>/changes", quest.changes, name="changes"),
    path("<str:key>/do/<str:verb>", quest.act, name="act"),
    path("<str:key>/history", _view(partial(history.history, resource=quests)), name="quest-history"),
    path("<str:key>/version", _view(partial(history.version, resource=quests)), name="quest-version"),
]
