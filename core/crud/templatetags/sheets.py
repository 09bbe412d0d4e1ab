"""Template tags for tables of figures."""

from collections.abc import Sequence

from django import template
from django.utils.safestring import SafeString

from core.crud import sheets
from core.crud.sheets import Heading

register = template.Library()


@register.simple_tag
def headings(of: Sequence[Heading], sort_asked: str, swaps: str) -> SafeString:
    """The headings of the columns: see `core.crud.sheets.headings_html`."""
    return sheets.headings_html(of, sort_asked=sort_asked, swaps=swaps)
