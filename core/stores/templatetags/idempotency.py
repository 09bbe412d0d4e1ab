"""The key that a form carries, so that sending it twice does it once."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from core.dynamo.items import new_id
from core.stores.idempotency import FIELD

register = template.Library()


@register.simple_tag
def once_field(key: str = "") -> SafeString:
    """For the forms of views with `@idempotent`; without one to keep, a new key each time it is shown."""
    # Browsers would put the old key back into a form that is shown again.
    field = '<input type="hidden" name="{}" value="{}" autocomplete="off">'
    return format_html(field, FIELD, key or new_id())
