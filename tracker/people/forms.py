"""The form of a profile."""

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.crud.forms import OWN_FIELDS, RecordForm
from tracker.roster.forms import NameField

LONGEST_PHONE = 30
# For example +49 (0) 7631 / 123-45
PHONE = re.compile(r"\+?[0-9 ()/.\-]{3,}")


class ProfileForm(RecordForm):
    """Names and phone number only: e-mail address and id belong to the login. Other fields are refused."""

    first_name = NameField(
        label=gettext_lazy("First name"),
        error_messages={"required": gettext_lazy("Enter your first name.")},
        widget=forms.TextInput(attrs={"autocomplete": "given-name"}),
    )
    last_name = NameField(
        label=gettext_lazy("Last name"),
        error_messages={"required": gettext_lazy("Enter your last name.")},
        widget=forms.TextInput(attrs={"autocomplete": "family-name"}),
    )
    phone_number = forms.CharField(
        label=gettext_lazy("Phone"),
        required=False,
        max_length=LONGEST_PHONE,
        help_text=gettext_lazy("Managers of your teams can see it."),
        widget=forms.TextInput(attrs={"type": "tel", "autocomplete": "tel"}),
    )

    def clean_phone_number(self) -> str | None:
        number: str = self.cleaned_data["phone_number"]
        if number and not PHONE.fullmatch(number):
            raise ValidationError(_("Enter a phone number, such as +49 7631 12345."))
        return number or None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        others = sorted(name for name in self.data if name not in OWN_FIELDS and not self.knows(name))
        if others:
            names = {"fields": get_text_list(others, _("and"))}
            raise ValidationError(_("This cannot be changed here: %(fields)s.") % names)
        return cleaned
