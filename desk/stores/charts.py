"""Small SVG charts; the page also shows their numbers in a table."""

from collections.abc import Iterable, Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from core.dynamo.errors import Text

WIDTH = 600
BAR = 28
HEIGHT = 120
GAP = 4


def bar(label: Text, parts: Sequence[tuple[str, int]], *, whole: int) -> SafeString:
    """A bar with the parts of a whole; each part has the colour of its CSS class."""
    rectangles = []
    x = 0
    for name, number in parts:
        width = min(WIDTH - x, round(WIDTH * number / whole)) if whole else 0
        if width:
            rectangles.append((name, x, 0, width, BAR))
            x += width
    return _picture(label, BAR, rectangles)


def columns(label: Text, pairs: Sequence[tuple[int, int]], names: tuple[str, str]) -> SafeString:
    """A chart with one stacked column per pair of numbers."""
    highest = max((lower + upper for lower, upper in pairs), default=0)
    width = WIDTH // max(1, len(pairs))
    rectangles = []
    for place, pair in enumerate(pairs):
        y = HEIGHT
        for name, number in zip(names, pair, strict=True):
            height = round(HEIGHT * number / highest) if highest else 0
            if height:
                y -= height
                rectangles.append((name, place * width, y, width - GAP, height))
    return _picture(label, HEIGHT, rectangles)


def _picture(label: Text, height: int, rectangles: Iterable[tuple[str, int, int, int, int]]) -> SafeString:
    drawn = format_html_join(
        "",
        '<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>',
        ((name, *map(str, place)) for name, *place in rectangles),
    )
    return format_html(
        '<svg class="chart" viewBox="0 0 {} {}" preserveAspectRatio="none" role="img" aria-label="{}">'
        '<rect class="chart-ground" x="0" y="0" width="{}" height="{}"/>{}</svg>',
        str(WIDTH),
        str(height),
        label,
        str(WIDTH),
        str(height),
        drawn,
    )
