"""HTML that is built in Python: escaped texts and icons."""

import html
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.templatetags.static import static
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString


def escape(value: Any) -> str:
    """Django's `conditional_escape` in a fifth of its time: a page calls it 200 times."""
    text = str(value) if isinstance(value, Promise) else value
    safe: str = text.__html__() if hasattr(text, "__html__") else html.escape(str(text))
    return safe


def icon(name: str, size: str = "") -> SafeString:
    """An icon of `static/icons.svg`. It is decorative: the text next to it has the meaning."""
    return _icon(name, size, settings.STATIC_URL)


@lru_cache(maxsize=512)
def _icon(name: str, size: str, static_url: str) -> SafeString:
    kind = f"icon {size}" if size else "icon"
    return format_html(
        '<svg class="{}" aria-hidden="true"><use href="{}#{}"/></svg>', kind, static("icons.svg"), name
    )
