"""The actions on the page of a quest: their texts, their forms and the services that they call."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

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
        title=_("Claim"),
        success_message=_("Claimed. You have 14 days."),
        run=lifecycle.claim,
        about=_(
            "You have 14 days to do it and submit your work, even if the offer ends earlier. If you "
            "have claimed it before, you continue with the time that was left."
        ),
        form=forms.ClaimForm,
    ),
    "submit": Action(
        title=_("Submit your work"),
        success_message=_("Submitted. Now both of you have to confirm it."),
        run=_submit,
        button=_("Submit"),
        form=forms.SubmitForm,
    ),
    "attest": Action(
        title=_("Confirm"),
        success_message=_("Confirmed."),
        run=lifecycle.attest,
        about=_("Confirm that the work is done. The reward is booked when both of you have confirmed."),
        form=forms.AttestForm,
    ),
    "answer": Action(
        title=_("Answer the dispute"),
        success_message=_("Answer sent to the steward."),
        run=lifecycle.answer,
        button=_("Answer"),
        about=_("You can answer once, before a steward decides."),
        form=forms.AnswerForm,
    ),
    "decide": Action(
        title=_("Resolve the dispute"),
        success_message=_("Dispute resolved."),
        run=lifecycle.decide,
        button=_("Resolve"),
        about=_("This ends the dispute for both sides."),
        form=forms.DecisionForm,
    ),
    "request_changes": Action(
        title=_("Request changes"),
        success_message=_("Changes requested."),
        run=lifecycle.request_changes,
        about=_("The work goes back with your note, and the 14 days start again."),
        form=forms.ChangesForm,
        is_folded=True,
    ),
    "dispute": Action(
        title=_("Dispute"),
        success_message=_("A steward will decide."),
        run=lifecycle.dispute,
        about=_("If you cannot agree. Nothing is booked until a steward has decided."),
        form=forms.DisputeForm,
        is_folded=True,
        is_dangerous=True,
    ),
    "release": Action(
        title=pgettext_lazy("quest", "Release"),
        success_message=_("Released. It is open for others again."),
        run=lifecycle.release,
        about=_("It is open for everyone again. You can claim it again as long as nobody else has."),
        is_folded=True,
        is_dangerous=True,
    ),
    "recall": Action(
        title=_("Recall"),
        success_message=_("Quest reopened."),
        run=lifecycle.recall,
        about=_("As a steward, you take the quest back from the person who claimed it."),
        form=forms.RecallForm,
        is_folded=True,
        is_dangerous=True,
    ),
    "take_down": Action(
        title=_("Cancel the quest"),
        success_message=_("Quest cancelled."),
        run=lifecycle.take_down,
        about=_("As a steward, you cancel this quest. The person who offered it gets the point back."),
        form=forms.TakeDownForm,
        is_folded=True,
        is_dangerous=True,
    ),
    "delete": Action(
        title=_("Delete"),
        success_message=_("Quest deleted. You have your point back."),
        run=lifecycle.delete,
        button=_("Delete this quest"),
        about=_("It is removed from the board for good, and you get your point back."),
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
