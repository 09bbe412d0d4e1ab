"""The actions on the page of a quest: their texts, their forms and the services that they call."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from core.accounts.user import User
from core.dynamo.errors import Text
from core.dynamo.idempotency import IdempotencyKey
from quests.forms import (
    ActionForm,
    AnswerForm,
    AttestForm,
    ChangesForm,
    DecisionForm,
    DisputeForm,
    RecallForm,
    SubmitForm,
    TakeDownForm,
)
from quests.models import Quest
from quests.photos import stored_photos
from quests.services import lifecycle

Run = Callable[[User, str, Mapping[str, Any], IdempotencyKey | None], Quest]


@dataclass(frozen=True)
class Action:
    """`about` explains the action; with `is_opened_first` its form is in a closed `details` element."""

    title: Text
    button: Text
    done: Text
    run: Run
    about: Text = ""
    form: type[ActionForm] = ActionForm
    is_opened_first: bool = False
    is_dangerous: bool = False


def _claim(user: User, key: str, fields: Mapping[str, Any], once: IdempotencyKey | None) -> Quest:
    return lifecycle.claim(user, key, seen=fields["seen"], once=once)


def _submit(user: User, key: str, fields: Mapping[str, Any], once: IdempotencyKey | None) -> Quest:
    photos = fields.get("photos") or []
    if photos:
        # Store no photos for an action that will be refused.
        lifecycle.get_if_allowed(user, key, "submit", once)
    with stored_photos(user, key, photos) as stored:
        return lifecycle.submit(user, key, text=fields["text"], photos=stored, once=once)


def _attest(user: User, key: str, fields: Mapping[str, Any], once: IdempotencyKey | None) -> Quest:
    return lifecycle.attest(user, key, notes=fields["notes"], seen=fields["seen"], once=once)


def _request_changes(user: User, key: str, fields: Mapping[str, Any], once: IdempotencyKey | None) -> Quest:
    return lifecycle.request_changes(user, key, note=fields["note"], once=once)


def _dispute(user: User, key: str, fields: Mapping[str, Any], once: IdempotencyKey | None) -> Quest:
    return lifecycle.dispute(user, key, reason=fields["reason"], once=once)


def _answer(user: User, key: str, fields: Mapping[str, Any], once: IdempotencyKey | None) -> Quest:
    return lifecycle.answer(user, key, text=fields["text"], once=once)


def _decide(user: User, key: str, fields: Mapping[str, Any], once: IdempotencyKey | None) -> Quest:
    return lifecycle.decide(user, key, decision=fields["decision"], note=fields["note"], once=once)


def _release(user: User, key: str, _fields: Mapping[str, Any], once: IdempotencyKey | None) -> Quest:
    return lifecycle.release(user, key, once=once)


def _recall(user: User, key: str, fields: Mapping[str, Any], once: IdempotencyKey | None) -> Quest:
    return lifecycle.recall(user, key, note=fields["note"], once=once)


def _take_down(user: User, key: str, fields: Mapping[str, Any], once: IdempotencyKey | None) -> Quest:
    return lifecycle.take_down(user, key, note=fields["note"], once=once)


def _delete(user: User, key: str, _fields: Mapping[str, Any], once: IdempotencyKey | None) -> Quest:
    return lifecycle.delete(user, key, once=once)


# In the order of the page.
ACTIONS: Mapping[str, Action] = {
    "claim": Action(
        _("Take it on"),
        _("Take it on"),
        _("It is yours. You have 14 days."),
        _claim,
        about=_(
            "You then have 14 days to do it and to show your work, even if the offer ends earlier. "
            "If you had it before, you go on with the time that was left."
        ),
    ),
    "submit": Action(
        _("Submit your work"),
        _("Submit"),
        _("Submitted. Now both of you confirm it."),
        _submit,
        form=SubmitForm,
    ),
    "attest": Action(
        _("Confirm"),
        _("Confirm"),
        _("You have confirmed it."),
        _attest,
        about=_("Confirm that the work is done. When both of you have, the reward is booked."),
        form=AttestForm,
    ),
    "answer": Action(
        _("Answer the dispute"),
        _("Answer"),
        _("Your answer is there for the steward."),
        _answer,
        about=_("Once, before a steward decides."),
        form=AnswerForm,
    ),
    "decide": Action(
        _("Decide the dispute"),
        _("Decide"),
        _("The dispute is decided."),
        _decide,
        about=_("This ends the dispute for both sides."),
        form=DecisionForm,
    ),
    "request_changes": Action(
        _("Ask for changes"),
        _("Ask for changes"),
        _("The work is handed back with your note."),
        _request_changes,
        about=_("The work goes back with your note, and there are 14 days again to do it."),
        form=ChangesForm,
        is_opened_first=True,
    ),
    "dispute": Action(
        _("Dispute it"),
        _("Dispute it"),
        _("A steward will decide."),
        _dispute,
        about=_("For when you cannot agree. Nothing is booked until a steward has decided."),
        form=DisputeForm,
        is_opened_first=True,
        is_dangerous=True,
    ),
    "release": Action(
        _("Give it back"),
        _("Give it back"),
        _("It is open again for somebody else."),
        _release,
        about=_("It is open again for everybody. You may take it on once more as long as nobody has."),
        is_opened_first=True,
        is_dangerous=True,
    ),
    "recall": Action(
        _("Open it again"),
        _("Open it again"),
        _("The quest is open again."),
        _recall,
        about=_("Takes the quest from the person who has it, as a steward."),
        form=RecallForm,
        is_opened_first=True,
        is_dangerous=True,
    ),
    "take_down": Action(
        _("Take it down"),
        _("Take it down"),
        _("The offer is off the board."),
        _take_down,
        about=_(
            "Takes the offer off the board, as a steward. The point that it cost goes back to the person "
            "who offers it."
        ),
        form=TakeDownForm,
        is_opened_first=True,
        is_dangerous=True,
    ),
    "delete": Action(
        _("Delete"),
        _("Delete this quest"),
        _("The quest is deleted, and your point is back."),
        _delete,
        about=_("It disappears from the board for good, and the point that it cost comes back to you."),
        is_opened_first=True,
        is_dangerous=True,
    ),
}
# The titles of the rules of `quests.rules`.
TITLES: Mapping[str, Text] = {name: action.title for name, action in ACTIONS.items()} | {"edit": _("Edit")}


def _initial_data(name: str, quest: Quest | None) -> dict[str, Any]:
    return {"text": quest.submission_text} if quest and name == "submit" else {}


def form_for(
    name: str, user: User, data: Any = None, files: Any = None, *, quest: Quest | None = None
) -> ActionForm:
    """The form of an action, without the photos if no bucket is configured.

    A performer who was asked for changes starts from the submitted text.
    """
    form = ACTIONS[name].form(data, files, action=name, initial=_initial_data(name, quest))
    if name == "submit" and not settings.MEDIA_BUCKET:
        del form.fields["photos"]
    return form
