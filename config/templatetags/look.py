"""Tags that every template may use without loading them."""

from django import template
from django.contrib.messages.storage.base import Message
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from crud.toasts import Undo, undo_of

register = template.Library()


@register.simple_tag
def icon(name: str, size: str = "") -> SafeString:
    """A picture of `static/icons.svg`. It only decorates: the words beside it say what it means."""
    return format_html(
        '<svg class="icon {}" aria-hidden="true"><use href="{}#{}"/></svg>', size, static("icons.svg"), name
    )


@register.filter
def undo(message: Message) -> Undo | None:
    return undo_of(message)
