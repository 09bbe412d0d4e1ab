"""The steps that somebody can take from the page of a quest: their words, their forms and what they call."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from core.accounts.user import User
from core.dynamo.errors import Text
from core.dynamo.idempotency import Once
from quests.forms import (
    AnswerForm,
    AttestForm,
    ChangesForm,
    DecisionForm,
    DisputeForm,
    NoteForm,
    SubmitForm,
    TakeDownForm,
    VerbForm,
)
from quests.models import Quest
from quests.photos import kept
from quests.services import lifecycle

Run = Callable[[User, str, Mapping[str, Any], Once | None], Quest]


@dataclass(frozen=True)
class Verb:
    """`button` is what is pressed, `about` what it means; what should be thought about is opened first."""

    title: Text
    button: Text
    done: Text
    run: Run
    about: Text = ""
    form: type[VerbForm] = VerbForm
    is_opened_first: bool = False
    is_dangerous: bool = False


def _claim(user: User, key: str, fields: Mapping[str, Any], once: Once | None) -> Quest:
    return lifecycle.claim(user, key, seen=fields["seen"], once=once)


def _submit(user: User, key: str, fields: Mapping[str, Any], once: Once | None) -> Quest:
    photos = fields.get("photos") or []
    if photos:
        # Nobody's photos are kept for a step that they may not take.
        lifecycle.allowed(user, key, "submit", once)
    with kept(user, key, photos) as described:
        return lifecycle.submit(user, key, text=fields["text"], photos=described, once=once)


def _attest(user: User, key: str, fields: Mapping[str, Any], once: Once | None) -> Quest:
    return lifecycle.attest(user, key, notes=fields["notes"], seen=fields["seen"], once=once)


def _request_changes(user: User, key: str, fields: Mapping[str, Any], once: Once | None) -> Quest:
    return lifecycle.request_changes(user, key, note=fields["note"], once=once)


def _dispute(user: User, key: str, fields: Mapping[str, Any], once: Once | None) -> Quest:
    return lifecycle.dispute(user, key, reason=fields["reason"], once=once)


def _answer(user: User, key: str, fields: Mapping[str, Any], once: Once | None) -> Quest:
    return lifecycle.answer(user, key, text=fields["text"], once=once)


def _decide(user: User, key: str, fields: Mapping[str, Any], once: Once | None) -> Quest:
    return lifecycle.decide(user, key, decision=fields["decision"], note=fields["note"], once=once)


def _release(user: User, key: str, _fields: Mapping[str, Any], once: Once | None) -> Quest:
    return lifecycle.release(user, key, once=once)


def _recall(user: User, key: str, fields: Mapping[str, Any], once: Once | None) -> Quest:
    return lifecycle.recall(user, key, note=fields["note"], once=once)


def _take_down(user: User, key: str, fields: Mapping[str, Any], once: Once | None) -> Quest:
    return lifecycle.take_down(user, key, note=fields["note"], once=once)


def _delete(user: User, key: str, _fields: Mapping[str, Any], once: Once | None) -> Quest:
    return lifecycle.delete(user, key, once=once)


# In the order in which they are offered.
VERBS: Mapping[str, Verb] = {
    "claim": Verb(
        _("Take it on"),
        _("Take it on"),
        _("It is yours. You have 14 days."),
        _claim,
        about=_(
            "You then have 14 days to do it and to show your work, even if the offer ends earlier. "
            "If you had it before, you go on with the time that was left."
        ),
    ),
    "submit": Verb(
        _("Submit your work"),
        _("Submit"),
        _("Submitted. Now both of you confirm it."),
        _submit,
        form=SubmitForm,
    ),
    "attest": Verb(
        _("Confirm"),
        _("Confirm"),
        _("You have confirmed it."),
        _attest,
        about=_("Confirm that the work is done. When both of you have, the reward is booked."),
        form=AttestForm,
    ),
    "answer": Verb(
        _("Answer the dispute"),
        _("Answer"),
        _("Your answer is there for the steward."),
        _answer,
        about=_("Once, before a steward decides."),
        form=AnswerForm,
    ),
    "decide": Verb(
        _("Decide the dispute"),
        _("Decide"),
        _("The dispute is decided."),
        _decide,
        about=_("This ends the dispute for both sides."),
        form=DecisionForm,
    ),
    "request_changes": Verb(
        _("Ask for changes"),
        _("Ask for changes"),
        _("The work is handed back with your note."),
        _request_changes,
        about=_("The work goes back with your note, and there are 14 days again to do it."),
        form=ChangesForm,
        is_opened_first=True,
    ),
    "dispute": Verb(
        _("Dispute it"),
        _("Dispute it"),
        _("A steward will decide."),
        _dispute,
        about=_("For when you cannot agree. Nothing is booked until a steward has decided."),
        form=DisputeForm,
        is_opened_first=True,
        is_dangerous=True,
    ),
    "release": Verb(
        _("Give it back"),
        _("Give it back"),
        _("It is open again for somebody else."),
        _release,
        about=_("It is open again for everybody. You may take it on once more as long as nobody has."),
        is_opened_first=True,
        is_dangerous=True,
    ),
    "recall": Verb(
        _("Open it again"),
        _("Open it again"),
        _("The quest is open again."),
        _recall,
        about=_("Takes the quest from the person who has it, as a steward."),
        form=NoteForm,
        is_opened_first=True,
        is_dangerous=True,
    ),
    "take_down": Verb(
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
    "delete": Verb(
        _("Delete"),
        _("Delete this quest"),
        _("The quest is deleted, and your point is back."),
        _delete,
        about=_("It disappears from the board for good, and the point that it cost comes back to you."),
        is_opened_first=True,
        is_dangerous=True,
    ),
}
# What the reasons call each rule of `quests.rules`.
TITLES: Mapping[str, Text] = {name: verb.title for name, verb in VERBS.items()} | {"edit": _("Edit")}


def _initial(name: str, quest: Quest | None) -> dict[str, Any]:
    return {"text": quest.submission_text} if quest and name == "submit" else {}


def form_for(
    name: str, user: User, data: Any = None, files: Any = None, *, quest: Quest | None = None
) -> VerbForm:
    """Only what can be filled in: photos need a place to be kept.

    Whoever is asked for changes goes on from what was submitted.
    """
    form = VERBS[name].form(data, files, verb=name, initial=_initial(name, quest))
    if name == "submit" and not settings.MEDIA_BUCKET:
        del form.fields["photos"]
    return form
