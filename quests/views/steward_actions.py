"""Actions of the stewards' desk, each with a confirmation dialog."""

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
from core.dynamo.idempotency import IdempotencyKey
from core.stores.idempotency import once
from quests import limits, photos, queries, repository, rules
from quests.errors import AlreadyBooked, NotAllowed, NotEnoughPoints, Overtaken, WrongStatus
from quests.forms import AdjustPointsForm, StewardDecisionForm, StewardNoteForm
from quests.models import DISPUTED, Quest
from quests.services import accounts, lifecycle
from quests.services import rewards as services

# Errors shown in the form; all others become an error page.
SHOWN_IN_FORM = (AlreadyBooked, Conflict, NotEnoughPoints, NotAllowed, Overtaken, WrongStatus)
RETRY_MESSAGES: Mapping[str, Text] = {
    "succeeded": gettext_lazy("The reward was booked."),
    "failed": gettext_lazy("It failed again: this person still has no account on the quest board."),
    "abandoned": gettext_lazy("It failed for the last time and was given up."),
    "skipped": gettext_lazy("Somebody else is at it right now."),
}


class VersionForm(RefusableForm):
    """Carries the version that the steward saw."""

    version = forms.IntegerField(widget=forms.HiddenInput)


class StewardAction(NamedTuple):
    """The texts of an action, its form, and the screen to return to."""

    title: Text
    question: Text
    button: Text
    done: Text
    back: str
    form: type[RefusableForm]
    is_dangerous: bool = False


DECIDE = StewardAction(
    gettext_lazy("Decide this dispute"),
    gettext_lazy("Both sides can read what you decide and why. It cannot be taken back."),
    gettext_lazy("Decide"),
    gettext_lazy("The dispute is decided."),
    "quests:desk",
    StewardDecisionForm,
)
RECALL = StewardAction(
    gettext_lazy("Recall this quest?"),
    gettext_lazy("It is open again, and others can take it on. Whoever holds it now gets nothing for it."),
    gettext_lazy("Recall"),
    gettext_lazy("The quest is open again."),
    "quests:desk-claims",
    StewardNoteForm,
    is_dangerous=True,
)
ADJUST = StewardAction(
    gettext_lazy("Adjust points"),
    gettext_lazy("The change, your name and the reason stay in this person’s list of bookings."),  # noqa: RUF001
    gettext_lazy("Adjust points"),
    gettext_lazy("The points were adjusted."),
    "quests:desk-people",
    AdjustPointsForm,
)
RETRY = StewardAction(
    gettext_lazy("Retry this reward now?"),
    gettext_lazy("It is booked if the person has an account by now. It is never booked twice."),
    gettext_lazy("Retry now"),
    gettext_lazy("This was tried before."),
    "quests:desk-rewards",
    RefusableForm,
)
ABANDON = StewardAction(
    gettext_lazy("Give up this reward?"),
    gettext_lazy("It is no longer tried. You can reopen it later."),
    gettext_lazy("Give up"),
    gettext_lazy("The reward was given up."),
    "quests:desk-rewards",
    VersionForm,
    is_dangerous=True,
)
REOPEN = StewardAction(
    gettext_lazy("Reopen this reward?"),
    gettext_lazy("It is tried again, five more times."),
    gettext_lazy("Reopen"),
    gettext_lazy("The reward is tried again."),
    "quests:desk-rewards",
    VersionForm,
)

METHODS = ["GET", "HEAD", "POST"]
Facts = list[tuple[Text, Text]]


class Confirmation(NamedTuple):
    """What the dialog shows of the stored record, and why the user may not change it."""

    facts: Facts
    version: int
    objection: DataError | None = None
    photo_links: Sequence[photos.PhotoLinks] = ()


# Carries the action out; may return the text of the toast.
Change = Callable[[dict[str, Any], IdempotencyKey | None], Text | None]


@requires("quests.quest.decide")
@require_http_methods(METHODS)
def decide(request: SignedInRequest, key: str) -> HttpResponse:
    def change(fields: dict[str, Any], once: IdempotencyKey | None) -> None:
        lifecycle.decide(request.user, key, **fields, once=once)

    return _confirm(request, DECIDE, change, lambda: _quest_confirmation(request, key, "decide"))


@requires("quests.quest.decide")
@require_http_methods(METHODS)
def recall(request: SignedInRequest, key: str) -> HttpResponse:
    def change(fields: dict[str, Any], once: IdempotencyKey | None) -> None:
        lifecycle.recall(request.user, key, **fields, once=once)

    return _confirm(request, RECALL, change, lambda: _quest_confirmation(request, key, "recall"))


@requires("quests.account.adjust")
@require_http_methods(METHODS)
def adjust(request: SignedInRequest, key: str) -> HttpResponse:
    def change(fields: dict[str, Any], once: IdempotencyKey | None) -> None:
        if once is None:
            # The booking's id comes from this key: without it a repeated request would be booked twice.
            raise WrongStatus(_("This page was not sent in full. Please send it once more."))
        try:
            accounts.adjust_points(request.user, key, **fields, once=once)
        except NotEnoughPoints:
            raise NotEnoughPoints(_("This person does not have that many points."), field="points") from None

    def confirmation() -> Confirmation:
        account = repository.accounts.get(key, strong=True)
        facts: Facts = [(_("Name"), account.username), (_("Points"), str(int(account.points)))]
        return Confirmation(facts, int(account.version), accounts.objection_to_adjust(request.user, key))

    return _confirm(request, ADJUST, change, confirmation)


@requires("quests.reward.update")
@require_http_methods(METHODS)
def retry(request: SignedInRequest, key: str) -> HttpResponse:
    def change(_fields: dict[str, Any], once: IdempotencyKey | None) -> Text:
        return RETRY_MESSAGES[services.retry_now(request.user, key, once=once)]

    return _confirm(request, RETRY, change, lambda: _reward_confirmation(key))


@requires("quests.reward.update")
@require_http_methods(METHODS)
def abandon(request: SignedInRequest, key: str) -> HttpResponse:
    def change(fields: dict[str, Any], once: IdempotencyKey | None) -> None:
        services.abandon(request.user, key, seen_version=fields["version"], once=once)

    return _confirm(request, ABANDON, change, lambda: _reward_confirmation(key))


@requires("quests.reward.update")
@require_http_methods(METHODS)
def reopen(request: SignedInRequest, key: str) -> HttpResponse:
    def change(fields: dict[str, Any], once: IdempotencyKey | None) -> None:
        services.reopen(request.user, key, seen_version=fields["version"], once=once)

    return _confirm(request, REOPEN, change, lambda: _reward_confirmation(key))


def _confirm(
    request: SignedInRequest,
    action: StewardAction,
    change: Change,
    read_confirmation: Callable[[], Confirmation],
) -> HttpResponse:
    """The dialog, or a page of its own without JavaScript, and its answer."""
    form, status = None, 200
    if request.method == "POST":
        limits.enforce_limit("desk", request.user.sub)
        form, status = action.form(request.POST), 422
        if form.is_valid():
            try:
                return _redirect_back(request, action, change(form.cleaned_data, once(request)))
            except Replayed:
                return _redirect_back(request, action, None)
            except SHOWN_IN_FORM as error:
                form.add_refusal(error)
                status = form.status_of(error)
        form.focus_first_error()
    facts, version, objection, photo_links = read_confirmation()
    if objection is not None and form is None:
        raise objection
    if objection is not None and form is not None and status == 422:
        # A missing permission is a better answer than field errors.
        form.add_refusal(objection)
        status = objection.status_code
    context = {
        "action": action,
        "facts": facts,
        "photos": photo_links,
        "form": form or action.form(initial={"version": version}),
        "address": request.get_full_path(),
        "back": reverse(action.back),
    }
    return page_or_partial(request, "quests/desk_confirm.html", "dialog", context, status=status)


def _redirect_back(request: SignedInRequest, action: StewardAction, outcome: Text | None) -> HttpResponse:
    toasts.add(request, outcome or action.done)
    return go(request, reverse(action.back))


def _quest_confirmation(request: SignedInRequest, key: str, verb: str) -> Confirmation:
    quest = repository.quests.get(key, strong=True)
    objection = rules.objection(verb, request.user, quest)
    return Confirmation(_quest_facts(quest), int(quest.version), objection, photos.photo_links(quest))


def _quest_facts(quest: Quest) -> Facts:
    people = queries.participants_of([quest])
    facts: Facts = [
        (_("Quest"), quest.title),
        (_("Offered by"), people.name(quest.creator_id)),
        (_("Taken on by"), people.name(quest.performer_id)),
        (_("What was asked for"), quest.description),
        (_("What was done"), quest.submission_text or ""),
        (_("Changes that were asked for"), quest.change_note or ""),
        *((_("Note of %(name)s") % {"name": name}, note) for name, note in _attestation_notes(quest, people)),
        (_("Why it is disputed"), quest.dispute_reason or ""),
    ]
    if quest.status == DISPUTED:
        facts.append((_("What the other side says"), quest.dispute_answer or _("Nothing so far.")))
    return [(title, text) for title, text in facts if text]


def _attestation_notes(quest: Quest, people: queries.Participants) -> Iterator[tuple[str, str]]:
    """The names and notes of the confirmations."""
    for each in quest.attestations or ():
        yield people.name(each["user_id"]), each.get("notes", "")


def _reward_confirmation(key: str) -> Confirmation:
    record = repository.failed_rewards.get(key, strong=True)
    people = queries.participants([record.user_id])
    facts: Facts = [
        (_("Name"), people.name(record.user_id)),
        (_("XP"), str(int(record.xp))),
        (_("Reputation"), str(int(record.reputation))),
        (_("Points"), str(int(record.quest_points))),
        (_("Why"), record.error),
    ]
    return Confirmation(facts, int(record.version))
