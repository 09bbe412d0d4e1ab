"""Form of an event."""

import re
from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

from cms.base.fields import OptionalTextField, SlugField
from cms.base.forms import SluggedForm
from cms.events.models import LONGEST_EVENT, postal_code
from cms.media.fields import MediaField, PicturedTextField
from core.crud.fields import ClubDateTimeField, GroupField, PickerField, RowForm, SuggestionsInput
from core.crud.fields.times import ClubDateTimeInput

QUARTER_OF_AN_HOUR = 15 * 60
POSTAL_CODE = RegexValidator(
    r"^(?!00)[0-9A-Za-z][0-9A-Za-z -]+[0-9A-Za-z]\Z", _("Enter a postal code, such as 79379 or SW1A 1AA.")
)
NUMBER = re.compile(r"[1-9][0-9]{4}")
VARIANTS = (_("Match"), _("Tournament"), _("Training"), _("Meeting"), _("Party"), _("Trip"))


class PostalCodeField(forms.CharField):
    """A postal code of any country; cleans to an int if it has five digits without a leading zero.

    Stored documents have ints. A stored int is a German code, so one with four digits has lost its leading
    zero and is displayed with it. Therefore a typed code of four digits, such as 4051, is stored as text.
    """

    def __init__(self, **kwargs: Any) -> None:
        plain = forms.TextInput(attrs={"autocomplete": "postal-code"})
        super().__init__(max_length=10, validators=[POSTAL_CODE], widget=plain, **kwargs)

    def clean(self, value: Any) -> Any:
        typed = super().clean(postal_code(value))
        return int(typed) if isinstance(value, int) or NUMBER.fullmatch(typed) else typed

    def prepare_value(self, value: Any) -> Any:
        return postal_code(value)


class AddressForm(RowForm):
    """The address of an event. The field names are the stored keys, which other programs read."""

    name = forms.CharField(label=_("Place"), max_length=200, required=False)
    street = forms.CharField(label=_("Street address"), max_length=200, required=False)
    postalCode = PostalCodeField(label=_("Postal code"), required=False)
    city = forms.CharField(label=_("Town"), max_length=100, required=False)


class EventForm(SluggedForm):
    draft_needs = ("title",)
    aside = ("variant", "team_ids", "author_ids", "slug")

    title = forms.CharField(label=_("Title"), max_length=200)
    start_date = ClubDateTimeField(
        label=_("Starts"), widget=ClubDateTimeInput(attrs={"step": QUARTER_OF_AN_HOUR})
    )
    end_date = ClubDateTimeField(
        label=_("Ends"), required=False, widget=ClubDateTimeInput(attrs={"step": QUARTER_OF_AN_HOUR})
    )
    address = GroupField(AddressForm, label=_("Where"), required=False)
    description = PicturedTextField(label=_("Description"), required=False, folder="events")
    image_ids = MediaField(label=_("Pictures"), many=True, required=False, folder="events")
    variant = OptionalTextField(label=_("Kind"), max_length=50, widget=SuggestionsInput(VARIANTS))
    team_ids = PickerField(label=_("Teams"), to="team", many=True, required=False)
    author_ids = PickerField(
        label=_("Authors"),
        to="person",
        many=True,
        required=False,
        help_text=_("Leave empty to use your name."),
    )
    slug = SlugField()

    def clean(self) -> None:
        super().clean()
        cleaned = self.cleaned_data
        start, end = cleaned.get("start_date"), cleaned.get("end_date")
        if start and end and end < start:
            self.add_error("end_date", _("The end must be after the start."))
        elif start and end and end - start > LONGEST_EVENT:
            self.add_error("end_date", _("An event can last up to 31 days."))
        elif end and not start and "start_date" not in self.errors:
            self.add_error("start_date", _("Enter a start date too."))
