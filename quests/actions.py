"""The actions on the page of a quest: their texts, their forms and the services that they call."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from core.accounts.user import User
from core.dynamo.errors import Text
from core.dynamo.idempotency import IdempotencyKey
from core.media import private_photos
from quests import forms
from quests.models import Quest
from quests.photos import FOLDER
from quests.services import lifecycle


@dataclass(frozen=True)
class Action:
    """`run` is called with a user, the key of a quest, the fields of the form as keywords, and `once`.

    `about` explains the action; an `is_folded` form is in a closed `details` element. Without a
    text of its own the button has the title.
    """

    title: Text
    success_message: Text
    run: Callable[..., Quest]
    button: Text = ""
    about: Text = ""
    form: type[forms.ActionForm] = forms.ActionForm
    is_folded: bool = False
    is_dangerous: bool = False


def _submit(
    user: User,
    key: str,
    *,
    text: str,
    photos: Sequence["UploadedFile[Any]"] = (),
    once: IdempotencyKey | None,
) -> Quest:
    if photos:
        # Store no photos for an action that will be refused.
        lifecycle.get_if_allowed(user, key, "submit", once)
    with private_photos.stored_photos(user, photos, folder=FOLDER, record=key) as stored:
        return lifecycle.submit(user, key, text=text, photos=stored, once=once)


# In the order of the page.
ACTIONS: Mapping[str, Action] = {
    "claim": Action(
        title=_("Take it on"),
        success_message=_("It is yours. You have 14 days."),
        run=lifecycle.claim,
        about=_(
            "You then have 14 days to do it and to show your work, even if the offer ends earlier. "
            "If you had it before, you go on with the time that was left."
        ),
        form=forms.ClaimForm,
    ),
    "submit": Action(
        title=_("Submit your work"),
        success_message=_("Submitted. Now both of you confirm it."),
        run=_submit,
        button=_("Submit"),
        form=forms.SubmitForm,
    ),
    "attest": Action(
        title=_("Confirm"),
        success_message=_("You have confirmed it."),
        run=lifecycle.attest,
        about=_("Confirm that the work is done. When both of you have, the reward is booked."),
        form=forms.AttestForm,
    ),
    "answer": Action(
        title=_("Answer the dispute"),
        success_message=_("Your answer is there for the steward."),
        run=lifecycle.answer,
        button=_("Answer"),
        about=_("Once, before a steward decides."),
        form=forms.AnswerForm,
    ),
    "decide": Action(
        title=_("Decide the dispute"),
        success_message=_("The dispute is decided."),
        run=lifecycle.decide,
        button=_("Decide"),
        about=_("This ends the dispute for both sides."),
        form=forms.DecisionForm,
    ),
    "request_changes": Action(
        title=_("Ask for changes"),
        success_message=_("The work is handed back with your note."),
        run=lifecycle.request_changes,
        about=_("The work goes back with your note, and there are 14 days again to do it."),
        form=forms.ChangesForm,
        is_folded=True,
    ),
    "dispute": Action(
        title=_("Dispute it"),
        success_message=_("A steward will decide."),
        run=lifecycle.dispute,
        about=_("For when you cannot agree. Nothing is booked until a steward has decided."),
        form=forms.DisputeForm,
        is_folded=True,
        is_dangerous=True,
    ),
    "release": Action(
        title=_("Give it back"),
        success_message=_("It is open again for somebody else."),
        run=lifecycle.release,
        about=_("It is open again for everybody. You may take it on once more as long as nobody has."),
        is_folded=True,
        is_dangerous=True,
    ),
    "recall": Action(
        title=_("Open it again"),
        success_message=_("The quest is open again."),
        run=lifecycle.recall,
        about=_("Takes the quest from the person who has it, as a steward."),
        form=forms.RecallForm,
        is_folded=True,
        is_dangerous=True,
    ),
    "take_down": Action(
        title=_("Take it down"),
        success_message=_("The offer is off the board."),
        run=lifecycle.take_down,
        about=_(
            "Takes the offer off the board, as a steward. The point that it cost goes back to the person "
            "who offers it."
        ),
        form=forms.TakeDownForm,
        is_folded=True,
        is_dangerous=True,
    ),
    "delete": Action(
        title=_("Delete"),
        success_message=_("The quest is deleted, and your point is back."),
        run=lifecycle.delete,
        button=_("Delete this quest"),
        about=_("It disappears from the board for good, and the point that it cost comes back to you."),
        is_folded=True,
        is_dangerous=True,
    ),
}
# The titles of the rules of `quests.rules`.
TITLES: Mapping[str, Text] = {name: action.title for name, action in ACTIONS.items()} | {"edit": _("Edit")}


def form_for(
    name: str, data: Any = None, files: Any = None, *, quest: Quest | None = None
) -> forms.ActionForm:
    """The form of an action, without the photos if no bucket is configured.

    A performer who was asked for changes starts from the submitted text.
    """
    initial = {"text": quest.submission_text} if quest and name == "submit" else {}
    form = ACTIONS[name].form(data, files, auto_id=f"{name}-%s", initial=initial)
    if name == "submit" and not settings.MEDIA_BUCKET:
        del form.fields["photos"]
    return form
