"""Templates that are rendered once and cached, with placeholders for what differs from page to page.

A frame is cached by the values of `by`: whatever the template branches on belongs there. What is only
printed, such as names, URLs and texts, is filled into the placeholders of each page.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django import forms
from django.conf import settings
from django.core.signals import setting_changed
from django.template.loader import render_to_string
from django.urls import get_script_prefix, get_urlconf
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from core.crud.html import escape

# Private-use characters, which no text contains: in the cached frame they become format braces.
OPEN, CLOSE = "\ue000", "\ue001"
BLANK_LINES = re.compile(r"\n\s+")

Fill = Mapping[str, Any]


def filled(template: str, *, by: Mapping[str, Any], fill: Fill) -> SafeString:
    """The template with what is in `by` and in `fill`; a mapping in `fill` has its own gaps.

    `by` has no text that somebody typed, and few values: each combination is kept. `fill` has texts, numbers
    and safe HTML; of each the template knows only whether it is an empty text.
    """
    values: dict[str, Any] = {}
    gaps: list[tuple[str, str]] = []
    for name, value in fill.items():
        if isinstance(value, dict):
            values[name] = parts = {part: escape(text) for part, text in value.items()}
            gaps += [(name, part) for part, text in parts.items() if text]
        elif text := escape(value):
            values[name] = text
            gaps.append((name, ""))
    # With their types: 1 is equal to True, and a safe text to one that has to be escaped.
    key = tuple((name, type(value), value) for name, value in by.items())
    urlconf = get_urlconf() or settings.ROOT_URLCONF
    # Whoever works on the templates sees each change at once.
    frame_of = _frame.__wrapped__ if settings.DEBUG else _frame
    frame = frame_of(template, get_language(), urlconf, get_script_prefix(), key, tuple(gaps))
    return mark_safe(frame.format_map(values))  # noqa: S308


class FramedWidget(forms.Widget):
    """A widget whose template is one."""

    def frame(self, name: str, value: Any, attrs: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """What the frame is kept by, and what is filled in."""
        raise NotImplementedError

    def render(
        self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None
    ) -> SafeString:
        by, fill = self.frame(name, value, self.build_attrs(self.attrs, attrs))
        return filled(str(self.template_name), by=by, fill=fill)


@lru_cache(maxsize=500)
def _frame(
    template: str,
    language: str,
    urlconf: str,
    script_prefix: str,
    by: tuple[tuple[str, type, Any], ...],
    gaps: tuple[tuple[str, str], ...],
) -> str:
    marks: dict[str, Any] = {}
    for name, part in gaps:
        if part:
            marks.setdefault(name, {})[part] = mark(f"{name}[{part}]")
        else:
            marks[name] = mark(name)
    given = {name: value for name, _type, value in by}
    return format_string(render_to_string(template, {**given, **marks}))


def mark(name: str) -> SafeString:
    return mark_safe(f"{OPEN}{name}{CLOSE}")  # noqa: S308


def format_string(html: str) -> str:
    """HTML with marks as what `str.format_map` takes."""
    doubled = BLANK_LINES.sub("\n", html.strip()).replace("{", "{{").replace("}", "}}")
    return doubled.replace(OPEN, "{").replace(CLOSE, "}")


def _forget(**_change: object) -> None:
    """Tests change settings on which addresses of pages and files depend."""
    _frame.cache_clear()


setting_changed.connect(_forget)
