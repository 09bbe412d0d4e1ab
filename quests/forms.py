"""The forms of the quest board. Text is plain text and shown as it was typed."""

from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.utils.timezone import localdate, make_aware
from django.utils.translation import gettext_lazy as _

from core.crud.fields.texts import LongText
from core.crud.forms import RecordForm, RefusableForm
from core.dynamo.errors import Text
from core.media.fields import PhotosField
from quests import rules, wallets

SHORTEST_TITLE, LONGEST_TITLE = 5, 200
SHORTEST_DESCRIPTION, LONGEST_DESCRIPTION = 20, 2000
LEAST_XP, MOST_XP, USUAL_XP = 10, 1000, 100
LEAST_REPUTATION, MOST_REPUTATION, USUAL_REPUTATION = 1, 100, 10
LONGEST_DAYS = 365
# A steward's reason, on the page of a quest and at the stewards' desk.
SHORTEST_REASON, LONGEST_REASON = 5, 1000
MOST_PHOTOS = 4
# How many points a steward gives or takes at once.
MOST_POINTS = 100
DECISIONS: tuple[tuple[str, Text], ...] = (
    ("complete", _("Completed: the work is done and the reward is booked")),
    ("reopen", _("Reopened: others can claim it")),
    ("cancel", _("Cancelled: it ends without a reward")),
)


# --- The quest itself ---------------------------------------------------------------------------------------


class QuestForm(RecordForm):
    title = forms.CharField(
        label=_("Title"),
        min_length=SHORTEST_TITLE,
        max_length=LONGEST_TITLE,
        help_text=_("What needs doing, in a few words."),
    )
    description = LongText(
        label=_("Description"),
        min_length=SHORTEST_DESCRIPTION,
        max_length=LONGEST_DESCRIPTION,
        rows=6,
        help_text=_("Where, with what, and how to tell when it is done."),
    )
    category = forms.ChoiceField(label=_("Category"), choices=list(rules.CATEGORIES.items()))
    reward_xp = forms.IntegerField(
        label=_("XP"),
        min_value=LEAST_XP,
        max_value=MOST_XP,
        help_text=_("10 to 1,000, depending on the effort."),
    )
    reward_reputation = forms.IntegerField(
        label=_("Reputation"),
        min_value=LEAST_REPUTATION,
        max_value=MOST_REPUTATION,
        help_text=_("1 to 100, depending on how much it helps the club."),
    )
    open_until = forms.DateField(
        label=_("Open until"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=_(
            "It can be claimed until the end of this day. Whoever claims it has 14 days. If nobody "
            "does, you get your point back."
        ),
    )

    def clean_open_until(self) -> date:
        day: date = self.cleaned_data["open_until"]
        today = localdate()
        if not today < day <= today + timedelta(days=LONGEST_DAYS):
            raise forms.ValidationError(
                _("Choose a date from tomorrow on, at most %(most)d days ahead.") % {"most": LONGEST_DAYS}
            )
        return day

    @classmethod
    def initial_of(cls, record: Any) -> dict[str, Any]:
        day = localdate(record.expires_at) if record.expires_at else None
        names = [name for name in cls.base_fields if name != "open_until"]
        return {name: getattr(record, name) for name in names} | {"open_until": day}

    @classmethod
    def default_initial(cls) -> dict[str, Any]:
        return {
            "category": "general",
            "reward_xp": USUAL_XP,
            "reward_reputation": USUAL_REPUTATION,
            "open_until": localdate() + rules.QUEST_LASTS,
        }

    def fields_of(self) -> dict[str, Any]:
        """The values to store."""
        fields = dict(self.cleaned_data)
        return fields | {"expires_at": _end_of_day(fields.pop("open_until"))}


def _end_of_day(day: date) -> datetime:
    return make_aware(datetime.combine(day, time.max.replace(microsecond=0)))


# --- Actions on the page of a quest -------------------------------------------------------------------------


class ActionForm(RefusableForm):
    """The form of an action on the page of a quest; most actions have no visible fields."""

    # Several of these forms are on one page.
    use_required_attribute = False

    def typed_texts(self) -> list[str]:
        """The texts that must not be lost when the action is refused."""
        return [
            value
            for name, field in self.fields.items()
            if isinstance(field, LongText) and (value := str(self.data.get(name, "")).strip())
        ]


class SubmitForm(ActionForm):
    text = LongText(label=_("What did you do?"), min_length=10, max_length=2000)
    photos = PhotosField(
        label=_("Photos"),
        required=False,
        most=MOST_PHOTOS,
        help_text=_("Up to four. Everyone who can sign in can see them."),
    )


class ChangesForm(ActionForm):
    note = LongText(label=_("What is missing?"), min_length=10, max_length=1000)


class ClaimForm(ActionForm):
    # The version that the person saw (`lifecycle.action_version`); the template writes it on every render.
    seen = forms.CharField(required=False, max_length=50, widget=forms.HiddenInput)


class AttestForm(ClaimForm):
    notes = LongText(label=_("Note"), required=False, max_length=500, rows=2)


class DisputeForm(ActionForm):
    reason = LongText(
        label=_("What went wrong?"),
        min_length=20,
        max_length=1000,
        help_text=_("A steward and the other side can read it."),
    )


class AnswerForm(ActionForm):
    text = LongText(
        label=_("Your view"),
        min_length=10,
        max_length=1000,
        help_text=_("A steward and the other side can read it."),
    )


def reason_field(help_text: Text, rows: int = 2) -> LongText:
    """A steward's reason."""
    lengths = {"min_length": SHORTEST_REASON, "max_length": LONGEST_REASON}
    return LongText(label=_("Why?"), rows=rows, help_text=help_text, **lengths)


class RecallForm(ActionForm):
    note = reason_field(_("Both sides can read it."))


class TakeDownForm(ActionForm):
    note = reason_field(_("The person who offers it can read it."))


class DecisionForm(ActionForm):
    decision = forms.ChoiceField(label=_("Decision"), choices=DECISIONS, widget=forms.RadioSelect)
    note = reason_field(_("Both sides can read it."), rows=3)


# --- The wallet, and the stewards' desk ---------------------------------------------------------------------


class WalletForm(RefusableForm):
    wallet = forms.CharField(
        label=_("Wallet address"),
        required=False,
        help_text=_("0x and 40 digits or letters from a to f. Only you see it. Leave empty to remove it."),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "spellcheck": "false", "autocapitalize": "none", "maxlength": 42}
        ),
    )

    def clean_wallet(self) -> str:
        address: str = self.cleaned_data["wallet"]
        if not address:
            return ""
        if not wallets.ADDRESS.fullmatch(address):
            raise forms.ValidationError(_("A wallet address is 0x and 40 digits or letters from a to f."))
        if not wallets.has_valid_checksum(address):
            raise forms.ValidationError(
                _("There is a typo in this address: its capital letters do not match.")
            )
        return wallets.with_checksum(address)


class StewardNoteForm(RefusableForm):
    """A steward's reason, which the people concerned can read."""

    note = forms.CharField(
        label=_("Reason"),
        min_length=SHORTEST_REASON,
        max_length=LONGEST_REASON,
        help_text=_("The people involved can read it."),
        error_messages={
            "required": _("Enter a reason."),
            "min_length": _("Enter a reason of at least %(limit_value)d characters."),
        },
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class AdjustPointsForm(StewardNoteForm):
    points = forms.IntegerField(
        label=_("Points"),
        min_value=-MOST_POINTS,
        max_value=MOST_POINTS,
        help_text=_("How many to add, or with a minus sign how many to remove."),
        error_messages={"required": _("Enter how many points to add or remove.")},
        widget=forms.NumberInput(attrs={"inputmode": "text", "autocomplete": "off"}),
    )
    field_order = ("points", "note")

    def clean_points(self) -> int:
        points: int = self.cleaned_data["points"]
        if not points:
            raise forms.ValidationError(_("Enter how many points to add or remove."))
        return points


class StewardDecisionForm(StewardNoteForm):
    decision = forms.ChoiceField(
        label=_("Decision"),
        choices=DECISIONS,
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose how to resolve the dispute.")},
    )
    field_order = ("decision", "note")
