"""The navigation of the public website."""

from django import template
from django.urls import reverse
from django.utils.translation import gettext as _

from core.dynamo.errors import Text

register = template.Library()


@register.simple_tag
def sections(path: str = "") -> list[tuple[str, Text, str]]:
    """The website's main navigation for a page at `path`: address, title and `aria-current` of each."""
    return [(address, title, _current(path, address)) for address, title in _sections()]


def _sections() -> list[tuple[str, Text]]:
    return [
        (reverse("public:news"), _("News")),
        (reverse("public:teams"), _("Teams")),
        (reverse("public:dates"), _("Dates")),
        (reverse("public:tables"), _("Tables")),
        (reverse("public:people"), _("People")),
        (reverse("public:sponsors"), _("Sponsors")),
    ]


def _current(path: str, address: str) -> str:
    if path == address:
        return "page"
    # The page of an event is below /events/, while their list is at /dates/.
    is_inside = path.startswith((address, "/events/") if address == reverse("public:dates") else address)
    return "true" if is_inside else ""
