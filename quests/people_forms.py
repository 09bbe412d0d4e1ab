"""The forms about people: their wallet, their points."""

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from core.crud.forms import RefusableForm
from quests import wallets
from quests.forms import DECISIONS, LONGEST_REASON, SHORTEST_REASON

MOST_POINTS = 100


class WalletForm(RefusableForm):
    wallet = forms.CharField(
        label=_("Wallet address"),
        required=False,
        help_text=_("0x and 40 digits or letters from a to f. Only you see it. Leave it empty to remove it."),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "spellcheck": "false", "autocapitalize": "none", "maxlength": 42}
        ),
    )

    def clean_wallet(self) -> str:
        address: str = self.cleaned_data["wallet"]
        if not address:
            return ""
        if not wallets.ADDRESS.fullmatch(address):
            raise ValidationError(_("A wallet address is 0x and 40 digits or letters from a to f."))
        if not wallets.has_right_capitals(address):
            raise ValidationError(
                _("There is a typing error in this address: its capital letters do not fit.")
            )
        return wallets.with_checksum(address)


class NoteForm(RefusableForm):
    """Why a steward does something; the people whom it is about read it."""

    note = forms.CharField(
        label=_("Reason"),
        min_length=SHORTEST_REASON,
        max_length=LONGEST_REASON,
        help_text=_("The people whom it is about can read it."),
        error_messages={
            "required": _("Say why."),
            "min_length": _("Say why, in at least %(limit_value)d letters."),
        },
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class AdjustForm(NoteForm):
    points = forms.IntegerField(
        label=_("Points"),
        min_value=-MOST_POINTS,
        max_value=MOST_POINTS,
        help_text=_("How many to give, or with a minus how many to take."),
        error_messages={"required": _("Say how many points to give or to take.")},
        widget=forms.NumberInput(attrs={"inputmode": "text", "autocomplete": "off"}),
    )
    field_order = ("points", "note")

    def clean_points(self) -> int:
        points: int = self.cleaned_data["points"]
        if not points:
            raise ValidationError(_("Say how many points to give or to take."))
        return points


class DecideForm(NoteForm):
    decision = forms.ChoiceField(
        label=_("Decision"),
        choices=DECISIONS,
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose how the dispute ends.")},
    )
    field_order = ("decision", "note")
