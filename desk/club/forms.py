"""The form of the club's settings."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from cms.base.fields import OptionalTextField, WebAddressField
from cms.site import menu
from core.club import colours, rules
from core.club.models import DOMAINS, ClubSettings
from core.crud.fields import RowForm, RowsField
from core.crud.forms import RecordForm

DOMAIN_TITLES = {**DOMAINS, "cms": _("Website, with calendar, teams, members and bus")}


class ColourInput(forms.TextInput):
    input_type = "color"


class ColourField(forms.CharField):
    widget = ColourInput

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).lower()


class MenuRow(RowForm):
    title = _("Entry")

    target = forms.ChoiceField(label=_("Leads to"), choices=menu.targets)
    text = OptionalTextField(label=_("Text"), max_length=40)
    address = WebAddressField(label=_("Address"), required=False)

    def clean(self) -> None:
        super().clean()
        cleaned = self.cleaned_data
        if cleaned.get("target") != menu.LINK:
            cleaned["address"] = None
            return
        for name, text in (("text", _("Enter the text of the link.")), ("address", _("Enter an address."))):
            if name in cleaned and not cleaned[name]:
                self.add_error(name, text)


class ClubForm(RecordForm):
    name = forms.CharField(label=_("Name"), max_length=rules.LONGEST_NAME)
    short_name = OptionalTextField(
        label=_("Short name"),
        max_length=rules.LONGEST_SHORT_NAME,
        help_text=_("For narrow places such as the top of a phone."),
    )
    logo = forms.FileField(
        label=_("Logo"),
        required=False,
        help_text=_("SVG or PNG. It can be at most five times as wide as high."),
        widget=forms.FileInput(attrs={"accept": "image/svg+xml,image/png,image/jpeg,image/webp"}),
    )
    remove_logo = forms.BooleanField(label=_("Remove the logo"), required=False)
    colour = ColourField(
        label=_("Main colour"),
        help_text=_("For links and buttons, in one shade for light and one for dark pages."),
    )
    has_second = forms.BooleanField(label=_("Use a second colour"), required=False)
    second_colour = ColourField(label=_("Second colour"), required=False)
    language = forms.ChoiceField(
        label=_("Language"),
        choices=settings.LANGUAGES,
        help_text=_("Of the website and its content. In the administration everyone chooses their own."),
    )
    time_zone = forms.ChoiceField(label=_("Time zone"))
    address = OptionalTextField(
        label=_("Address"),
        max_length=rules.LONGEST_TEXT,
        rows=3,
        help_text=_("It is shown at the end of every page of the website."),
    )
    email = forms.EmailField(label=_("E-mail"), required=False, empty_value=None)
    phone = OptionalTextField(label=_("Phone"), max_length=50)
    legal_name = OptionalTextField(
        label=_("Legal name"),
        max_length=rules.LONGEST_TEXT,
        help_text=_("As it is registered. Leave empty if it is the name of the club."),
    )
    represented_by = OptionalTextField(label=_("Represented by"), max_length=rules.LONGEST_TEXT)
    register = OptionalTextField(label=_("Register and number"), max_length=rules.LONGEST_TEXT)
    tax_id = OptionalTextField(label=_("VAT ID"), max_length=50)
    responsible = OptionalTextField(label=_("Responsible for the content"), max_length=rules.LONGEST_TEXT)
    domains = forms.MultipleChoiceField(
        label=_("What the club uses"),
        choices=[*DOMAIN_TITLES.items()],
        required=False,
        widget=forms.CheckboxSelectMultiple(attrs={"class": "check-line"}),
        help_text=_("What is switched off disappears everywhere. Its data stays."),
    )
    menu = RowsField(
        MenuRow,
        label=_("Menu of the website"),
        max_rows=rules.MOST_MENU_ENTRIES,
        required=False,
        help_text=_(
            "Leave the text empty to use the name of the page. Only a link needs an address."
            " Without entries, the menu has the usual ones."
        ),
    )

    def __init__(self, *data: Any, **options: Any) -> None:
        super().__init__(*data, **options)
        self.fields["time_zone"].choices = _by_continent(rules.time_zones())  # type: ignore[attr-defined]

    @classmethod
    def initial_of(cls, record: ClubSettings) -> dict[str, Any]:  # type: ignore[override]
        own = {name: getattr(record, name, None) for name in cls.base_fields}
        return own | {
            "logo": None,
            "remove_logo": False,
            "colour": record.colour or colours.DEFAULT,
            "has_second": bool(record.second_colour),
            "second_colour": record.second_colour or "",
            "domains": list(record.domains),
            "menu": [dict(entry) for entry in record.menu or menu.usual()],
        }

    def values(self, record: ClubSettings) -> dict[str, Any]:
        """What is stored of valid values; `record` has the logo that stays."""
        cleaned = dict(self.cleaned_data)
        for name in ("name", "short_name"):
            # The name stands in the headers of mails and in files, where a line has to end.
            cleaned[name] = " ".join((cleaned[name] or "").split()) or None
        domains, entries = cleaned.pop("domains"), cleaned.pop("menu")
        has_second, is_removed = cleaned.pop("has_second"), cleaned.pop("remove_logo")
        return cleaned | {
            "logo": None if is_removed else record.logo,
            "second_colour": cleaned["second_colour"] if has_second else None,
            "off": [domain for domain in DOMAINS if domain not in domains],
            # The usual menu stays the usual one when a release gives it another entry.
            "menu": [] if entries == menu.usual() else entries,
        }


def _by_continent(zones: Iterable[str]) -> list[tuple[str, list[tuple[str, str]]]]:
    """As `<optgroup>`, with the names of places as people write them."""
    return [
        (continent, [(zone, zone.partition("/")[2].replace("_", " ")) for zone in grouped])
        for continent, grouped in groupby(zones, key=lambda zone: zone.partition("/")[0])
    ]
