"""What people type on the quest board: plain text, which is shown as it was typed."""

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.core.validators import MaxLengthValidator, MinLengthValidator
from django.utils.timezone import localdate, make_aware
from django.utils.translation import gettext_lazy as _

from core.crud.forms import RecordForm, RefusableForm
from core.dynamo.errors import Text
from quests import rules

SHORTEST_TITLE, LONGEST_TITLE = 5, 200
SHORTEST_DESCRIPTION, LONGEST_DESCRIPTION = 20, 2000
LEAST_XP, MOST_XP, USUAL_XP = 10, 1000, 100
LEAST_REPUTATION, MOST_REPUTATION, USUAL_REPUTATION = 1, 100, 10
LONGEST_DAYS = 365
# Why a steward does something, on the page of a quest and at the desk.
SHORTEST_REASON, LONGEST_REASON = 5, 1000
MOST_PHOTOS = 4
DECISIONS: tuple[tuple[str, Text], ...] = (
    ("complete", _("Completed: the work is done, and its reward is booked")),
    ("reopen", _("Open again: somebody may take it on anew")),
    ("cancel", _("Cancelled: it ends without a reward")),
)


class PlainText(forms.CharField):
    """Some lines of text. Browsers send each line break as two characters and count it as one."""

    def __init__(self, *, least: int = 0, most: int, rows: int = 4, **options: Any) -> None:
        widget = forms.Textarea(attrs={"rows": rows, "maxlength": most})
        super().__init__(widget=widget, **options)
        if least:
            self.validators.append(MinLengthValidator(least))
        self.validators.append(MaxLengthValidator(most))

    def to_python(self, value: Any) -> str:
        return (super().to_python(value) or "").replace("\r\n", "\n")


# --- The quest itself ---------------------------------------------------------------------------------------


class QuestForm(RecordForm):
    title = forms.CharField(
        label=_("Title"),
        min_length=SHORTEST_TITLE,
        max_length=LONGEST_TITLE,
        help_text=_("What is to be done, in a few words."),
    )
    description = PlainText(
        label=_("Description"),
        least=SHORTEST_DESCRIPTION,
        most=LONGEST_DESCRIPTION,
        rows=6,
        help_text=_("Where, with what, and how somebody can tell that it is done."),
    )
    category = forms.ChoiceField(label=_("Category"), choices=list(rules.CATEGORIES.items()))
    reward_xp = forms.IntegerField(
        label=_("XP"), min_value=LEAST_XP, max_value=MOST_XP, help_text=_("10 to 1,000: how much work it is.")
    )
    reward_reputation = forms.IntegerField(
        label=_("Reputation"),
        min_value=LEAST_REPUTATION,
        max_value=MOST_REPUTATION,
        help_text=_("1 to 100: how much it means to the club."),
    )
    open_until = forms.DateField(
        label=_("Open until"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=_(
            "Until the end of this day somebody can take it on, and then has 14 days. "
            "If nobody does, your point comes back."
        ),
    )

    def clean_open_until(self) -> date:
        day: date = self.cleaned_data["open_until"]
        today = localdate()
        if not today < day <= today + timedelta(days=LONGEST_DAYS):
            raise forms.ValidationError(
                _("Choose a day from tomorrow on, at most %(most)d days ahead.") % {"most": LONGEST_DAYS}
            )
        return day

    @classmethod
    def initial_of(cls, record: Any) -> dict[str, Any]:
        day = localdate(record.expires_at) if record.expires_at else None
        names = [name for name in cls.base_fields if name != "open_until"]
        return {name: getattr(record, name) for name in names} | {"open_until": day}

    @classmethod
    def usual(cls) -> dict[str, Any]:
        return {
            "category": "general",
            "reward_xp": USUAL_XP,
            "reward_reputation": USUAL_REPUTATION,
            "open_until": localdate() + rules.QUEST_LASTS,
        }

    def fields_of(self) -> dict[str, Any]:
        """What is written to the quest."""
        fields = dict(self.cleaned_data)
        return fields | {"expires_at": _end_of(fields.pop("open_until"))}


def _end_of(day: date) -> datetime:
    return make_aware(datetime.combine(day, time.max.replace(microsecond=0)))


# --- What is done to it -------------------------------------------------------------------------------------


class VerbForm(RefusableForm):
    """What somebody says with a step; most steps need no words."""

    # Several of them stand on one page.
    use_required_attribute = False

    # What the page showed of the quest; the page itself writes it, anew each time.
    seen = forms.CharField(required=False, max_length=50, widget=forms.HiddenInput)

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        files: Any = None,
        *,
        verb: str,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(data, files, auto_id=f"{verb}-%s", initial=dict(initial or {}))

    def typed(self) -> list[str]:
        """What must not be lost when the step is refused."""
        return [
            value
            for name, field in self.fields.items()
            if isinstance(field, PlainText) and (value := str(self.data.get(name, "")).strip())
        ]


class PhotosInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class PhotosField(forms.FileField):
    def clean(self, data: Any, initial: Any = None) -> list["UploadedFile[Any]"]:
        files = [super(PhotosField, self).clean(each, initial) for each in data or []]
        if len(files) > MOST_PHOTOS:
            raise forms.ValidationError(_("Choose at most %(most)d photos.") % {"most": MOST_PHOTOS})
        return files


class SubmitForm(VerbForm):
    text = PlainText(label=_("What did you do?"), least=10, most=2000)
    photos = PhotosField(
        label=_("Photos"),
        required=False,
        widget=PhotosInput(attrs={"accept": "image/*"}),
        help_text=_("At most four. Everybody who can sign in can see them."),
    )


class ChangesForm(VerbForm):
    note = PlainText(label=_("What is still to be done?"), least=10, most=1000)


class AttestForm(VerbForm):
    notes = PlainText(label=_("A word about it"), required=False, most=500, rows=2)


class DisputeForm(VerbForm):
    reason = PlainText(
        label=_("What went wrong?"),
        least=20,
        most=1000,
        help_text=_("A steward reads it, and so does the other side."),
    )


class AnswerForm(VerbForm):
    text = PlainText(
        label=_("How do you see it?"),
        least=10,
        most=1000,
        help_text=_("A steward reads it, and so does the other side."),
    )


def reason_field(help_text: Text) -> PlainText:
    """Why a steward does something."""
    return PlainText(label=_("Why?"), least=SHORTEST_REASON, most=LONGEST_REASON, rows=2, help_text=help_text)


class NoteForm(VerbForm):
    note = reason_field(_("Both sides read it."))


class TakeDownForm(VerbForm):
    note = reason_field(_("The person who offers it reads it."))


class DecisionForm(VerbForm):
    decision = forms.ChoiceField(label=_("Decision"), choices=DECISIONS, widget=forms.RadioSelect)
    note = PlainText(
        label=_("Why?"),
        least=SHORTEST_REASON,
        most=LONGEST_REASON,
        rows=3,
        help_text=_("Both sides read it."),
    )
