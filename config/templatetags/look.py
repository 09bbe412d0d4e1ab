"""Tags that every template may use without loading them."""

from datetime import datetime, timedelta
from functools import lru_cache

from django import template
from django.conf import settings
from django.contrib.messages.storage.base import Message
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from django.utils.translation import gettext as _

from config.shell import Shell, shell_for
from crud.toasts import Undo, undo_of
from dynamo.errors import Text

register = template.Library()


@register.simple_tag(takes_context=True)
def shell(context: template.Context) -> Shell:
    """What `base.html` puts around a page."""
    return shell_for(context)


@register.simple_tag
def icon(name: str, size: str = "") -> SafeString:
    """A picture of `static/icons.svg`. It only decorates: the words beside it say what it means."""
    return _icon(name, size, settings.STATIC_URL)


@lru_cache(maxsize=512)
def _icon(name: str, size: str, static_url: str) -> SafeString:
    kind = f"icon {size}" if size else "icon"
    return format_html(
        '<svg class="{}" aria-hidden="true"><use href="{}#{}"/></svg>', kind, static("icons.svg"), name
    )


@register.simple_tag
def club() -> str:
    """The name of the club whose site this is."""
    return str(settings.CLUB_NAME)


@register.simple_tag
def club_lang() -> SafeString:
    """For elements with what the club wrote: screen readers take the voice of its language for them."""
    return format_html('lang="{}"', settings.CLUB_LANGUAGE)


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
    # One date is read below another address than their list.
    is_inside = path.startswith((address, "/events/") if address == reverse("public:dates") else address)
    return "true" if is_inside else ""


@register.filter
def ago(moment: datetime) -> str:
    """How long it is ago in its largest unit; the exact time belongs into the <time> around it."""
    if timezone.now() - moment < timedelta(minutes=1):
        return _("just now")
    return _("%s ago") % timesince(moment, depth=1)


@register.filter
def undo(message: Message) -> Undo | None:
    return undo_of(message)
