"""Icons as HTML."""

from functools import lru_cache

from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString


def icon(name: str, size: str = "") -> SafeString:
    """An icon of `static/icons.svg`. It is decorative: the text next to it has the meaning."""
    return _icon(name, size, settings.STATIC_URL)


@lru_cache(maxsize=512)
def _icon(name: str, size: str, static_url: str) -> SafeString:
    kind = f"icon {size}" if size else "icon"
    return format_html(
        '<svg class="{}" aria-hidden="true"><use href="{}#{}"/></svg>', kind, static("icons.svg"), name
    )
