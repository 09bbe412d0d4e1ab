"""What stewards change. Everything is asked first, done once, and told in the history."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django import forms
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from core.accounts.rights import SignedInRequest, requires
from core.common.http import go
from core.crud import toasts
from core.crud.forms import RefusableForm
from core.crud.http import page_or_partial
from core.dynamo.errors import Conflict, DataError, Replayed, Text
from core.dynamo.idempotency import Once
from core.stores.idempotency import once
from quests import limits, photos, reading, repository, rules
from quests.errors import AlreadyBooked, NotEnoughPoints, NotForYou, Overtaken, WrongState
from quests.models import DISPUTED, Quest
from quests.people_forms import AdjustForm, DecideForm, NoteForm
from quests.services import accounts, lifecycle
from quests.services import rewards as services

# What a steward is told beside the form; all else is a page of its own.
TOLD = (AlreadyBooked, Conflict, NotEnoughPoints, NotForYou, Overtaken, WrongState)
OUTCOMES: Mapping[str, Text] = {
    "succeeded": gettext_lazy("The reward was booked."),
    "failed": gettext_lazy("It failed again: this person still has no account on the quest board."),
    "abandoned": gettext_lazy("It failed for the last time and was given up."),
    "skipped": gettext_lazy("Somebody else is at it right now."),
}


class SeenForm(RefusableForm):
    """What was on the screen when it was decided."""

    version = forms.IntegerField(widget=forms.HiddenInput)


class Action(NamedTuple):
    """What is asked before a change and said after it, and which screen one came from."""

    title: Text
    question: Text
    button: Text
    done: Text
    back: str
    form: type[RefusableForm]
    is_dangerous: bool = False


DECIDE = Action(
    gettext_lazy("Decide this dispute"),
    gettext_lazy("Both sides can read what you decide and why. It cannot be taken back."),
    gettext_lazy("Decide"),
    gettext_lazy("The dispute is decided."),
    "quests:desk",
    DecideForm,
)
RECALL = Action(
    gettext_lazy("Recall this quest?"),
    gettext_lazy("It is open again, and others can take it on. Whoever holds it now gets nothing for it."),
    gettext_lazy("Recall"),
    gettext_lazy("The quest is open again."),
    "quests:desk-claims",
    NoteForm,
    is_dangerous=True,
)
ADJUST = Action(
    gettext_lazy("Adjust points"),
    gettext_lazy("The change, your name and the reason stay in this person’s list of bookings."),  # noqa: RUF001
    gettext_lazy("Adjust points"),
    gettext_lazy("The points were adjusted."),
    "quests:desk-people",
    AdjustForm,
)
RETRY = Action(
    gettext_lazy("Retry this reward now?"),
    gettext_lazy("It is booked if the person has an account by now. It is never booked twice."),
    gettext_lazy("Retry now"),
    gettext_lazy("This was tried before."),
    "quests:desk-rewards",
    RefusableForm,
)
ABANDON = Action(
    gettext_lazy("Give up this reward?"),
    gettext_lazy("It is no longer tried. You can reopen it later."),
    gettext_lazy("Give up"),
    gettext_lazy("The reward was given up."),
    "quests:desk-rewards",
    SeenForm,
    is_dangerous=True,
)
REOPEN = Action(
    gettext_lazy("Reopen this reward?"),
    gettext_lazy("It is tried again, five more times."),
    gettext_lazy("Reopen"),
    gettext_lazy("The reward is tried again."),
    "quests:desk-rewards",
    SeenForm,
)

METHODS = ["GET", "HEAD", "POST"]
Facts = list[tuple[Text, Text]]


class About(NamedTuple):
    """What a change is about, as it is stored now, and why this person cannot make it."""

    facts: Facts
    version: int
    objection: DataError | None = None
    shown: Sequence[photos.Shown] = ()


# Carries the change out and may say what came of it.
Change = Callable[[dict[str, Any], Once | None], Text | None]


@requires("quests.quest.decide")
@require_http_methods(METHODS)
def decide(request: SignedInRequest, key: str) -> HttpResponse:
    def change(fields: dict[str, Any], once: Once | None) -> None:
        lifecycle.decide(request.user, key, **fields, once=once)

    return _asked(request, DECIDE, change, lambda: _about_quest(request, key, "decide"))


@requires("quests.quest.decide")
@require_http_methods(METHODS)
def recall(request: SignedInRequest, key: str) -> HttpResponse:
    def change(fields: dict[str, Any], once: Once | None) -> None:
        lifecycle.recall(request.user, key, **fields, once=once)

    return _asked(request, RECALL, change, lambda: _about_quest(request, key, "recall"))


@requires("quests.account.adjust")
@require_http_methods(METHODS)
def adjust(request: SignedInRequest, key: str) -> HttpResponse:
    def change(fields: dict[str, Any], once: Once | None) -> None:
        if once is None:
            # What is booked is known by this key: without it the same could be booked twice.
            raise WrongState(_("This page was not sent in full. Please send it once more."))
        try:
            accounts.adjust_points(request.user, key, **fields, once=once)
        except NotEnoughPoints:
            raise NotEnoughPoints(_("This person does not have that many points."), field="points") from None

    def about() -> About:
        account = repository.accounts.get(key, strong=True)
        told: Facts = [(_("Name"), account.username), (_("Points"), str(int(account.points)))]
        return About(told, int(account.version), accounts.objection_to_adjust(request.user, key))

    return _asked(request, ADJUST, change, about)


@requires("quests.reward.update")
@require_http_methods(METHODS)
def retry(request: SignedInRequest, key: str) -> HttpResponse:
    def change(_fields: dict[str, Any], once: Once | None) -> Text:
        return OUTCOMES[services.retry_now(request.user, key, once=once)]

    return _asked(request, RETRY, change, lambda: _about_reward(key))


@requires("quests.reward.update")
@require_http_methods(METHODS)
def abandon(request: SignedInRequest, key: str) -> HttpResponse:
    def change(fields: dict[str, Any], once: Once | None) -> None:
        services.abandon(request.user, key, seen_version=fields["version"], once=once)

    return _asked(request, ABANDON, change, lambda: _about_reward(key))


@requires("quests.reward.update")
@require_http_methods(METHODS)
def reopen(request: SignedInRequest, key: str) -> HttpResponse:
    def change(fields: dict[str, Any], once: Once | None) -> None:
        services.reopen(request.user, key, seen_version=fields["version"], once=once)

    return _asked(request, REOPEN, change, lambda: _about_reward(key))


def _asked(
    request: SignedInRequest, action: Action, change: Change, about: Callable[[], About]
) -> HttpResponse:
    """Ask first: in a dialog over the page, or on a page of its own without JavaScript."""
    form, status = None, 200
    if request.method == "POST":
        limits.limit("desk", request.user.sub)
        form, status = action.form(request.POST), 422
        if form.is_valid():
            try:
                return _told(request, action, change(form.cleaned_data, once(request)))
            except Replayed:
                return _told(request, action, None)
            except TOLD as error:
                form.add_refusal(error)
                status = form.status_of(error)
        form.focus_first_error()
    facts, version, objection, shown = about()
    if objection is not None and form is None:
        raise objection
    if objection is not None and form is not None and status == 422:
        # Whoever may not do it is told that, not only what to correct.
        form.add_refusal(objection)
        status = objection.status_code
    context = {
        "action": action,
        "facts": facts,
        "photos": shown,
        "form": form or action.form(initial={"version": version}),
        "address": request.get_full_path(),
        "back": reverse(action.back),
    }
    return page_or_partial(request, "quests/desk_confirm.html", "dialog", context, status=status)


def _told(request: SignedInRequest, action: Action, outcome: Text | None) -> HttpResponse:
    toasts.add(request, outcome or action.done)
    return go(request, reverse(action.back))


def _about_quest(request: SignedInRequest, key: str, verb: str) -> About:
    quest = repository.quests.get(key, strong=True)
    objection = rules.objection(verb, request.user, quest)
    return About(_told_of(quest), int(quest.version), objection, photos.shown(quest))


def _told_of(quest: Quest) -> Facts:
    people = reading.people_of([quest])
    told: Facts = [
        (_("Quest"), quest.title),
        (_("Offered by"), people.name(quest.creator_id)),
        (_("Taken on by"), people.name(quest.performer_id)),
        (_("What was asked for"), quest.description),
        (_("What was done"), quest.submission_text or ""),
        (_("Changes that were asked for"), quest.change_note or ""),
        *((_("Note of %(name)s") % {"name": name}, note) for name, note in _notes(quest, people)),
        (_("Why it is disputed"), quest.dispute_reason or ""),
    ]
    if quest.status == DISPUTED:
        told.append((_("What the other side says"), quest.dispute_answer or _("Nothing so far.")))
    return [(title, text) for title, text in told if text]


def _notes(quest: Quest, people: reading.People) -> Iterator[tuple[str, str]]:
    """What the two sides wrote when they confirmed the work."""
    for each in quest.attestations or ():
        yield people.name(each["user_id"]), each.get("notes", "")


def _about_reward(key: str) -> About:
    record = repository.failed_rewards.get(key, strong=True)
    people = reading.people([record.user_id])
    told: Facts = [
        (_("Name"), people.name(record.user_id)),
        (_("XP"), str(int(record.xp))),
        (_("Reputation"), str(int(record.reputation))),
        (_("Points"), str(int(record.quest_points))),
        (_("Why"), record.error),
    ]
    return About(told, int(record.version))
