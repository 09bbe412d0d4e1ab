"""The version of a record that a form was made from, so that nothing unseen is overwritten."""

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
    """A form that was refused goes on from the version that its writer saw, whatever is stored by now.

    Only a page that tells of the newer version goes on from that one: it has `contested`, even if empty.
    """
    posted: Any = context["request"].POST
    is_told = context.get("contested") is not None
    version = record.seen_version if is_told or FIELD not in posted else small_number(posted[FIELD])
    # Browsers would put the old version back into a form that is shown again.
    return format_html('<input type="hidden" name="{}" value="{}" autocomplete="off">', FIELD, str(version))
