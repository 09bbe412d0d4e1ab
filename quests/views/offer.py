"""Offering a quest, and changing the offer as long as nobody has taken it on."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from core.accounts.rights import requires
from core.crud.form_page import FormPage
from core.dynamo.items import new_id
from quests import reading, repository, rules
from quests.forms import QuestForm
from quests.limits import limit
from quests.models import Quest
from quests.services import lifecycle
from quests.starting_points import STARTING_POINTS


@requires("quests.quest.create")
class NewQuest(FormPage[QuestForm]):
    form_class = QuestForm
    template = "quests/form.html"
    success_message = _("Your quest is on the board.")

    def load(self) -> None:
        self.answer = {"key": new_id()}

    def initial(self) -> Mapping[str, Any]:
        chosen = STARTING_POINTS.get(self.request.GET.get("from", ""))
        return QuestForm.usual() | (chosen._asdict() if chosen else {})

    def save(self) -> None:
        limit("create", self.request.user.sub)
        lifecycle.create(self.request.user, self.form.fields_of(), key=self.answer["key"], once=self.once)

    def context(self) -> Mapping[str, Any]:
        points = reading.people([self.request.user.sub]).points(self.request.user.sub)
        return {
            "starting_points": STARTING_POINTS.items(),
            "chosen": self.request.GET.get("from", ""),
            "cost": rules.COST_OF_A_QUEST,
            # The first quest opens an account that is missing, with the points to begin with.
            "points": rules.STARTING_POINTS if points is None else points,
        }

    def success_url(self) -> str:
        return reverse("quests:quest-record", args=[self.answer["key"]])


@requires("quests.quest.view")
class EditQuest(FormPage[QuestForm]):
    form_class = QuestForm
    template = "quests/form.html"
    success_message = _("Saved.")

    def check(self) -> None:
        self.object = lifecycle.allowed(self.request.user, self.kwargs["key"], "edit", self.once)

    def get_object(self) -> Quest:
        return repository.quests.get(self.kwargs["key"], strong=True)

    def initial(self) -> Mapping[str, Any]:
        return QuestForm.initial_of(self.object)

    def save(self) -> None:
        limit("edit", self.request.user.sub)
        lifecycle.edit(
            self.request.user,
            self.kwargs["key"],
            self.form.fields_of(),
            seen_version=self.seen_version,
            once=self.once,
        )

    def context(self) -> Mapping[str, Any]:
        return {"quest": self.object}

    def success_url(self) -> str:
        return reverse("quests:quest-record", args=[self.kwargs["key"]])
