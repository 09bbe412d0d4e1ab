"""The preview of colours, by day and by night; and what differs between versions of the settings."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.club import rules
from core.club.colours import DARK_GROUNDS, LIGHT_GROUNDS, contrast, on, shades
from core.club.models import ClubSettings
from core.crud.diff import Difference, differences
from core.crud.display import InWords, Names
from core.dynamo.errors import Invalid, Text
from desk.club.forms import ClubForm

FIELDS = {
    **ClubForm.base_fields,
    "logo": InWords(lambda logo: str(logo["name"]), label=gettext_lazy("Logo")),
}


class Sample(NamedTuple):
    """A page in one colour scheme, as colours of its parts."""

    title: Text
    ground: str
    surface: str
    line: str
    text: str
    accent: str
    on_accent: str
    contrast: float
    brand: str
    on_brand: str
    second: str


class Preview(NamedTuple):
    samples: list[Sample]
    # Why these colours cannot be saved.
    problem: Text


def preview(colour: str, second: str | None) -> Preview:
    try:
        rules.check_colours(colour, second)
    except Invalid as error:
        return Preview([], error.message)
    return Preview(list(_samples(colour, second)), "")


def _samples(colour: str, second: str | None) -> Iterator[Sample]:
    found = shades(colour)
    for title, (surface, ground, line), text, accent, on_accent in (
        (_("Light"), LIGHT_GROUNDS, "#1b2321", found.light, found.on_light),
        (_("Dark"), DARK_GROUNDS, "#e8edeb", found.dark, found.on_dark),
    ):
        ratio = contrast(accent, surface)
        yield Sample(
            *(title, ground, surface, line, text, accent, on_accent, ratio),
            *(colour, on(colour), second or colour),
        )


def differences_of(before: ClubSettings, after: ClubSettings) -> list[Difference]:
    return differences(FIELDS, _values(before), _values(after), Names())


def _values(item: ClubSettings) -> dict[str, Any]:
    return ClubForm.initial_of(item) | {"logo": [item.logo] if item.logo else None}
