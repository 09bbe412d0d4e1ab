"""Tags that every template may use without loading them."""

from datetime import datetime, timedelta
from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import npgettext_lazy

from core.club import queries
from core.club.models import ClubSettings
from core.club.presenters import Face, face
from core.crud.fields.toolbar import GROUPS, MENUS, Button, Menu
from core.crud.html import icon
from core.crud.toasts import undo_of

register = template.Library()
register.simple_tag(icon)
register.filter("undo", undo_of)

# In other languages a time has another form here than alone: 3 Tage, vor 3 Tagen.
TIME_AGO: dict[str, Any] = {
    "year": npgettext_lazy("ago", "%(num)d year", "%(num)d years", "num"),
    "month": npgettext_lazy("ago", "%(num)d month", "%(num)d months", "num"),
    "week": npgettext_lazy("ago", "%(num)d week", "%(num)d weeks", "num"),
    "day": npgettext_lazy("ago", "%(num)d day", "%(num)d days", "num"),
    "hour": npgettext_lazy("ago", "%(num)d hour", "%(num)d hours", "num"),
    "minute": npgettext_lazy("ago", "%(num)d minute", "%(num)d minutes", "num"),
}


@register.simple_tag
def club() -> str:
    """The name of the club."""
    return str(queries.current().name)


@register.simple_tag
def club_settings() -> ClubSettings:
    return queries.current()


@register.simple_tag
def club_face() -> Face:
    """The name, the picture and the colours of the club."""
    return face()


@register.simple_tag
def club_lang() -> SafeString:
    """The lang attribute for content in the club's language, for screen readers."""
    return format_html('lang="{}"', queries.current().language)


@register.filter
def ago(moment: datetime) -> str:
    """The time since `moment` in its largest unit; the exact time belongs into the <time> around it."""
    if timezone.now() - moment < timedelta(minutes=1):
        return _("just now")
    return _("%s ago") % timesince(moment, depth=1, time_strings=TIME_AGO)


@register.simple_tag
def toolbar() -> list[list[Button | Menu]]:
    """The buttons of the editor, in groups."""
    return GROUPS


@register.simple_tag
def toolbar_menus() -> list[Menu]:
    return MENUS
