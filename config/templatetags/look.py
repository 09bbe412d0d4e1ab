"""Tags that every template may use without loading them."""

from datetime import datetime, timedelta

from django import template
from django.conf import settings
from django.contrib.messages.storage.base import Message
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from django.utils.translation import gettext as _

from crud.toasts import Undo, undo_of

register = template.Library()


@register.simple_tag
def icon(name: str, size: str = "") -> SafeString:
    """A picture of `static/icons.svg`. It only decorates: the words beside it say what it means."""
    return format_html(
        '<svg class="icon {}" aria-hidden="true"><use href="{}#{}"/></svg>', size, static("icons.svg"), name
    )


@register.simple_tag
def club() -> str:
    """The name of the club whose site this is."""
    return str(settings.CLUB_NAME)


@register.filter
def ago(moment: datetime) -> str:
    """How long it is ago in its largest unit; the exact time belongs into the <time> around it."""
    if timezone.now() - moment < timedelta(minutes=1):
        return _("just now")
    return _("%s ago") % timesince(moment, depth=1)


@register.filter
def undo(message: Message) -> Undo | None:
    return undo_of(message)
