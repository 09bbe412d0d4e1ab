"""The page of a quest, with the actions that are open to the user."""

from typing import Any, NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.common.http import go, is_htmx
from core.crud import toasts
from core.crud.form_page import FormPage
from core.crud.http import page_or_partial, prefetches
from core.dynamo import working_copies
from core.dynamo.errors import DataError, NotFound, Text
from core.dynamo.prefetch import Wanted
from core.media import private_photos
from quests import flags, photos, presenters, queries, repository, rules
from quests.actions import ACTIONS, TITLES, Action, form_for
from quests.forms import ActionForm
from quests.limits import enforce_limit
from quests.models import COMPLETE, Quest
from quests.queries import QuestDetails
from quests.services import lifecycle

TEMPLATE = "quests/quest.html"


class AvailableAction(NamedTuple):
    """An action with its form. `is_typed` if it was just refused: its form is open and keeps the values."""

    name: str
    action: Action
    form: ActionForm
    address: str
    is_typed: bool


def _quest_keys(_request: HttpRequest, key: str) -> list[Wanted]:
    return working_copies.keys_of(repository.quests, key, have_copies=False)


@prefetches(_quest_keys)
@requires("quests.quest.view")
@require_safe
def quest(request: SignedInRequest, key: str) -> HttpResponse:
    """Three requests: the session with the quest, its history, and the names."""
    return _page(request, queries.quest_details(key))


@requires("quests.quest.view")
@require_safe
def changes(request: SignedInRequest, key: str) -> HttpResponse:
    """Polled every few seconds by an open page: 204 while it shows the newest version."""
    try:
        stored = repository.quests.get(key, strong=True, fields=("version",))
    except NotFound as gone:
        return render(request, f"{TEMPLATE}#gone", {"problem": gone})
    if str(stored.seen_version) == request.GET.get("seen"):
        return HttpResponse(status=204)
    return _page(request, queries.quest_details(key))


@requires("quests.quest.view")
@require_safe
def photo(request: SignedInRequest, key: str, name: str) -> HttpResponse:
    """A photo of the work, for everybody who may see the quest."""
    quest = repository.quests.get(key, fields=("photos",))
    data, mime_type = private_photos.read(quest.photos, name)
    return HttpResponse(data, content_type=mime_type)


@requires("quests.quest.view")
class TakeAction(FormPage[ActionForm]):
    """Carry out an action: four requests, and for HTMX two more to render the page."""

    # The quest as the action has left it; None after a replay.
    changed: Quest | None = None

    @property
    def name(self) -> str:
        return str(self.kwargs["action"])

    def load(self) -> None:
        if self.name not in ACTIONS:
            raise NotFound

    def get(self, _request: SignedInRequest, **_parts: Any) -> HttpResponse:
        """Without JavaScript a refused form is at this URL, which somebody may reload."""
        self.load()
        return HttpResponseRedirect(self.success_url())

    def bound_form(self) -> ActionForm:
        return form_for(self.name, self.request.POST, self.request.FILES)

    def check(self) -> None:
        lifecycle.get_if_allowed(self.request.user, self.kwargs["key"], self.name, self.once)

    def save(self) -> None:
        user, key = self.request.user, self.kwargs["key"]
        enforce_limit(self.name, user.sub)
        self.changed = ACTIONS[self.name].run(user, key, **self.form.cleaned_data, once=self.once)

    def refuse(self, error: DataError) -> HttpResponse:
        """The reason is shown above the quest, because the refused action may no longer be on the page."""
        return self.show_error(error)

    def show(self, status: int = 200) -> HttpResponse:
        """For HTMX the page replaces the quest whatever the status is."""
        response = _page(self.request, queries.quest_details(self.kwargs["key"]), self, status=status)
        if is_htmx(self.request):
            response["HX-Retarget"] = response["HX-Reselect"] = "#quest"
            response["HX-Reswap"] = "outerHTML"
        return response

    def message(self) -> Text:
        return ACTIONS[self.name].success_message

    def done(self) -> HttpResponse:
        toasts.add(self.request, self.message())
        if self.name == "delete":
            return go(self.request, reverse("quests:mine"))
        if is_htmx(self.request):
            details = queries.quest_details(self.kwargs["key"], self.changed)
            return _page(self.request, details, takes_focus=True)
        return HttpResponseRedirect(self.success_url())

    def success_url(self) -> str:
        return reverse("quests:quest-record", args=[self.kwargs["key"]])


def _page(
    request: SignedInRequest,
    details: QuestDetails,
    refused: TakeAction | None = None,
    *,
    status: int = 200,
    takes_focus: bool = False,
) -> HttpResponse:
    """After an action its button is gone, so `takes_focus` moves the focus to the heading."""
    user, quest = request.user, details.quest
    available = rules.available_actions(user, quest)
    actions = [_available_action(quest, name, refused) for name in ACTIONS if name in available]
    context: dict[str, Any] = {
        "card": presenters.card(quest, details.participants),
        "quest": quest,
        "timeline": presenters.timeline(details),
        "confirmations": presenters.confirmations(details),
        "photos": photos.photo_links(quest),
        "earns_nothing": quest.status != COMPLETE and not flags.earns_rewards(quest.performer_id or user.sub),
        "points": rules.COMPLETION_POINTS,
        "most": settings.QUEST_MONTHLY_XP_BETWEEN_TWO,
        "actions": [each for each in actions if not each.action.is_folded],
        "folded_actions": [each for each in actions if each.action.is_folded],
        "may_edit": "edit" in available,
        "reasons": presenters.unavailable_actions(user, quest, TITLES),
        "problem": refused.problem if refused else None,
        "action_version": lifecycle.action_version(quest),
        "takes_focus": takes_focus,
        "lost_texts": refused.form.typed_texts() if refused and refused.name not in available else [],
        "may_read_dispute": rules.may_read_dispute(user, quest),
        "is_creator": quest.creator_id == user.sub,
        "is_performer": quest.performer_id == user.sub,
    }
    return page_or_partial(request, TEMPLATE, "quest", context, status=status)


def _available_action(quest: Quest, name: str, refused: TakeAction | None) -> AvailableAction:
    is_typed = refused is not None and refused.name == name
    form = refused.form if refused and is_typed else form_for(name, quest=quest)
    return AvailableAction(name, ACTIONS[name], form, reverse("quests:act", args=[quest.id, name]), is_typed)
