"""The forms to create a quest and to edit it while it is open."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from core.accounts.rights import requires
from core.crud.form_page import FormPage
from core.dynamo.items import new_id
from quests import queries, repository, rules
from quests.forms import QuestForm
from quests.limits import enforce_limit
from quests.models import Quest
from quests.services import lifecycle
from quests.templates import QUEST_TEMPLATES


@requires("quests.quest.create")
class NewQuest(FormPage[QuestForm]):
    form_class = QuestForm
    template = "quests/form.html"
    success_message = _("Quest offered. It is now on the board.")

    def load(self) -> None:
        self.answer = {"key": new_id()}

    def initial(self) -> Mapping[str, Any]:
        template = QUEST_TEMPLATES.get(self.request.GET.get("from", ""))
        return QuestForm.default_initial() | (template._asdict() if template else {})

    def save(self) -> None:
        enforce_limit("create", self.request.user.sub)
        lifecycle.create(self.request.user, self.form.fields_of(), key=self.answer["key"], once=self.once)

    def context(self) -> Mapping[str, Any]:
        points = queries.participants([self.request.user.sub]).points(self.request.user.sub)
        return {
            "templates": QUEST_TEMPLATES.items(),
            "selected_template": self.request.GET.get("from", ""),
            "cost": rules.QUEST_COST,
            # A missing account is opened with the first quest.
            "points": rules.INITIAL_POINTS if points is None else points,
        }

    def success_url(self) -> str:
        return reverse("quests:quest-record", args=[self.answer["key"]])


@requires("quests.quest.view")
class EditQuest(FormPage[QuestForm]):
    form_class = QuestForm
    template = "quests/form.html"
    success_message = _("Saved.")

    def check(self) -> None:
        self.object = lifecycle.get_if_allowed(self.request.user, self.kwargs["key"], "edit", self.once)

    def get_object(self) -> Quest:
        return repository.quests.get(self.kwargs["key"], strong=True)

    def initial(self) -> Mapping[str, Any]:
        return QuestForm.initial_of(self.object)

    def save(self) -> None:
        enforce_limit("edit", self.request.user.sub)
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
