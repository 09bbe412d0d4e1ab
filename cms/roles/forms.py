"""Form of a role."""

from django import forms
from django.utils.translation import gettext_lazy as _

from core.crud.forms import RecordForm


class RoleForm(RecordForm):
    name = forms.CharField(label=_("Name"), max_length=100)
    vorstand = forms.BooleanField(
        label=_("Part of the board"),
        required=False,
        help_text=_("The website lists members with this role under the board."),
    )
