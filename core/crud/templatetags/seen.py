"""The hidden field with the version of the record that a form shows, for optimistic locking."""

from typing import Any

from django import template
from django.template import RequestContext
from django.utils.html import format_html
from django.utils.safestring import SafeString

from core.common.http import small_number
from core.dynamo.items import Item

register = template.Library()
FIELD = "version"


@register.simple_tag(takes_context=True)
def seen_field(context: RequestContext, record: Item) -> SafeString:
    """The field with the version of `record` or, in a refused form, the version that was posted.

    A page that shows the newer version has `contested` in its context, even if empty, and uses that version.
    """
    posted: Any = context["request"].POST
    is_contested = context.get("contested") is not None
    version = record.seen_version if is_contested or FIELD not in posted else small_number(posted[FIELD])
    # autocomplete="off", because browsers would restore the old version on reload.
    return format_html('<input type="hidden" name="{}" value="{}" autocomplete="off">', FIELD, str(version))
