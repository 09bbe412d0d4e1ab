"""Forms of a player: for managers, and for players about themselves."""

import unicodedata
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from core.crud.forms import RefusableForm
from tracker.items import ACTIVE, INACTIVE
from tracker.roster.models import DOUBLE_ZERO, SUB, Player
from tracker.rules.positions import ON_A_ROSTER

MOST_POSITIONS = 2
LONGEST_NAME = 50
HIGHEST_NUMBER = 99
IN_NAMES = " '\N{RIGHT SINGLE QUOTATION MARK}.-"
NO_NUMBER = _("Enter a number from 0 to 99, 00, or leave it empty.")

STATUSES = {ACTIVE: _("Active"), SUB: _("Substitute"), INACTIVE: _("Inactive")}
POSITION_CHOICES = [("", "\N{EN DASH}"), *((position, position) for position in ON_A_ROSTER)]


class NormalizedField(forms.CharField):
    """A name, however its letters were composed and its words spaced."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=LONGEST_NAME, **options)

    def to_python(self, value: Any) -> str:
        text = unicodedata.normalize("NFC", super().to_python(value) or "")
        return " ".join(text.split())


class NameField(NormalizedField):
    """A part of a name: letters of any language, spaces, apostrophes, periods and hyphens."""

    def validate(self, value: str) -> None:
        super().validate(value)
        letters = [letter for letter in value if letter not in IN_NAMES]
        if value and (not letters or not all(map(_is_letter, letters))):
            raise ValidationError(_("Use letters, spaces, apostrophes, periods and hyphens only."))


def _is_letter(letter: str) -> bool:
    # Some scripts write vowels as combining marks (category M).
    return letter.isalpha() or unicodedata.category(letter).startswith("M")


class JerseyNumberField(forms.CharField):
    """A jersey number: 0 to 99, or 00, which is not the same as 0."""

    def to_python(self, value: Any) -> str:
        text: str = super().to_python(value) or ""
        if text in ("", DOUBLE_ZERO):
            return text
        if not text.isdecimal() or int(text) > HIGHEST_NUMBER:
            raise ValidationError(NO_NUMBER, code="invalid")
        return str(int(text))


class OwnPlayerForm(RefusableForm):
    """What players may change about themselves: everything but the status."""

    first_name = NameField(label=_("First name"), error_messages={"required": _("Enter a first name.")})
    last_name = NameField(label=_("Last name"), required=False)
    number = JerseyNumberField(
        label=_("Number"),
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "maxlength": 2}),
    )
    position = forms.ChoiceField(label=_("Position"), choices=POSITION_CHOICES, required=False)
    second_position = forms.ChoiceField(label=_("2nd position"), choices=POSITION_CHOICES, required=False)
    is_private = forms.BooleanField(
        label=_("Hide the name on shared pages"),
        help_text=_("People who follow a game by its link see only the number."),
        required=False,
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if not self.is_bound:
            self.fields["first_name"].widget.attrs["autofocus"] = True

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("position") and cleaned.get("position") == cleaned.get("second_position"):
            self.add_error("second_position", _("Choose another position, or none."))
        return cleaned

    @classmethod
    def initial_of(cls, player: Player) -> dict[str, Any]:
        positions = [*(player.positions or []), "", ""]
        return {
            "first_name": player.first_name,
            "last_name": player.last_name or "",
            "number": player.jersey_number,
            "position": positions[0],
            "second_position": positions[1],
            "is_private": bool(player.is_private),
            "status": player.status,
        }

    def fields_of(self) -> dict[str, Any]:
        """The attributes to write to the player."""
        entered = self.cleaned_data
        chosen = [entered["position"], entered["second_position"]]
        return {
            "first_name": entered["first_name"],
            "last_name": entered["last_name"] or None,
            "number": int(entered["number"]) if entered["number"] else None,
            "is_double_zero": True if entered["number"] == DOUBLE_ZERO else None,
            "positions": [position for position in chosen if position],
            "is_private": entered["is_private"],
        }


class PlayerForm(OwnPlayerForm):
    """The form for managers, with the status."""

    status = forms.ChoiceField(label=_("Status"), choices=list(STATUSES.items()), initial=ACTIVE)

    def fields_of(self) -> dict[str, Any]:
        return super().fields_of() | {"status": self.cleaned_data["status"]}
