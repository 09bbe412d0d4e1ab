"""Form of a member."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from cms.base.fields import OptionalTextField
from cms.media.fields import MediaField
from core.crud.fields import PickerField
from core.crud.forms import RecordForm


class LowerCaseEmailField(forms.EmailField):
    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return text.lower() if text else None


class MemberForm(RecordForm):
    name = forms.CharField(label=_("Name"), max_length=200)
    role_ids = PickerField(
        label=_("Roles"),
        to="role",
        many=True,
        required=False,
        help_text=_("They decide whether the website lists someone under the board, the coaches or others."),
    )
    avatar_id = MediaField(label=_("Picture"), required=False, folder="members")
    email = LowerCaseEmailField(
        label=_("E-mail"),
        required=False,
        max_length=254,
        help_text=_("Whoever signs in with this address can edit this entry and the teams they look after."),
    )
    phone = OptionalTextField(
        label=_("Phone"), max_length=50, widget=forms.TextInput(attrs={"type": "tel", "autocomplete": "off"})
    )
