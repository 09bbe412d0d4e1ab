"""SVG charts; every page shows the same numbers as a table."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.template.defaultfilters import floatformat
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from core.dynamo.errors import Text
from scouting.analysis.labels import DOT, Box, placed
from scouting.analysis.statistics.team import AUTO_SCORE, TELE_SCORE, TeamFigures
from scouting.revision_cache import cached_by_language

WIDTH, HEIGHT, MARGIN = 600, 220, 34
# The width of a page column in pixels, so that text is not scaled down.
NARROW = 320
# Higher than wide on a phone, so that sixty labels fit.
SCATTER_HEIGHT = 640
# The area of the title at the top of the y axis.
TITLE = Box(0, 0, 260, 22)
# A match with its autonomous and its teleop score.
Scored = tuple[str, float, float]


@dataclass(frozen=True)
class Point:
    label: str
    x: float
    y: float


@dataclass(frozen=True)
class Axis:
    title: str
    highest: float


# Cached, because each view of a team draws them again; the language determines number formats.
@cached_by_language(128)
def rows(columns: tuple[Scored, ...]) -> SafeString:
    """Table rows with the numbers of a `stacked` chart."""
    row = '<tr><th scope="row">{}</th><td class="number">{}</td><td class="number">{}</td></tr>'
    return format_html_join(
        "", row, ((name, floatformat(auto), floatformat(tele)) for name, auto, tele in columns)
    )


@cached_by_language(128)
def stacked(
    label: str, columns: tuple[Scored, ...], *, highest: float = 0, is_narrow: bool = False
) -> SafeString:
    """A stacked column for each match: autonomous below, teleop above.
    A score of zero keeps its place on the axis.

    Charts that stand side by side use `is_narrow` and the same `highest`.
    """
    highest = highest or top_of(columns)
    room = NARROW if is_narrow else WIDTH
    step = (room - MARGIN) / max(len(columns), 1)
    ground = HEIGHT - MARGIN
    drawn = []
    names = []
    for place, (name, auto, tele) in enumerate(columns):
        left = MARGIN + place * step
        auto_height, tele_height = ((ground - 10) * max(part, 0) / highest for part in (auto, tele))
        width = max(step - 6, 2)
        drawn.append(("auto", *_rounded(left, ground - auto_height, width, auto_height)))
        drawn.append(("tele", *_rounded(left, ground - auto_height - tele_height, width, tele_height)))
        names.append((*_rounded(left + width / 2, HEIGHT - 12), name))
    bars = format_html_join("", '<rect class="figure-{}" x="{}" y="{}" width="{}" height="{}"/>', drawn)
    texts = format_html_join("", '<text class="figure-name" x="{}" y="{}">{}</text>', names)
    drawing = format_html(
        '<path class="figure-axis" d="M{0} 10V{1}H{2}"/><text class="figure-side" x="0" y="16">{3}</text>'
        '<text class="figure-side" x="0" y="{1}">0</text>{4}{5}',
        *(str(MARGIN - 4), str(ground), str(room), floatformat(highest, 0), bars, texts),
    )
    return _picture(label, HEIGHT, drawing, width=room)


def by_match(figures: TeamFigures) -> tuple[Scored, ...]:
    """The scores of a team in each match in which it was present."""
    auto, tele = figures.measures[AUTO_SCORE].series, figures.measures[TELE_SCORE].series
    return tuple(zip(map(str, figures.matches), auto, tele, strict=True))


def top_of(columns: Sequence[Scored]) -> float:
    return max((max(auto, 0) + max(tele, 0) for _name, auto, tele in columns), default=0) or 1


# Cached, because placing sixty labels is slow.
@cached_by_language(16)
def scatter(label: str, x: Axis, y: Axis, points: tuple[Point, ...], *, found: str = "") -> SafeString:
    """A scatter plot with a numbered dot for each team; the team `found` is highlighted."""
    ground, room, top = SCATTER_HEIGHT - MARGIN, WIDTH - MARGIN - 40, 40
    places = {
        point.label: (
            MARGIN + room * max(point.x, 0) / (x.highest or 1),
            ground - (ground - top) * max(point.y, 0) / (y.highest or 1),
        )
        for point in points
    }
    dots = [
        ("figure-dot found" if label == found else "figure-dot", *_rounded(across, up), DOT, label)
        for label, (across, up) in places.items()
    ]
    labels = list(placed(places, room=Box(MARGIN + 2, 0, WIDTH, ground), first=found, taken=[TITLE]))
    lines = [_rounded(*each.dot, *each.anchor) for each in labels if each.is_led]
    texts = [(each.side, *_rounded(*each.anchor), each.text) for each in labels]
    drawn = format_html(
        "{}{}{}",
        format_html_join("", '<path class="figure-lead" d="M{} {}L{} {}"/>', lines),
        format_html_join("", '<circle class="{}" cx="{}" cy="{}" r="{}"><title>{}</title></circle>', dots),
        format_html_join("", '<text class="figure-label {}" x="{}" y="{}">{}</text>', texts),
    )
    axes = format_html(
        '<path class="figure-axis" d="M{0} 26V{1}H{2}"/>'
        '<text class="figure-name" x="{3}" y="{4}">{5}</text>'
        '<text class="figure-end" x="{2}" y="{4}">{6}</text>'
        '<text class="figure-side" x="{0}" y="18">{7} ({8})</text>'
        '<text class="figure-side" x="0" y="{4}">0</text>',
        str(MARGIN),
        str(ground),
        str(WIDTH),
        str(WIDTH // 2),
        str(SCATTER_HEIGHT - 8),
        x.title,
        floatformat(x.highest, 0),
        y.title,
        floatformat(y.highest, 0),
    )
    return _picture(label, SCATTER_HEIGHT, format_html("{}{}", axes, drawn))


def _picture(label: Text, height: int, drawn: SafeString, *, width: int = WIDTH) -> SafeString:
    return format_html(
        '<svg class="figure-chart{}" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>',
        " narrow" if width == NARROW else "",
        str(width),
        str(height),
        label,
        drawn,
    )


def _rounded(*numbers: float) -> tuple[str, ...]:
    """Numbers as text in the same format in every language, as SVG attributes need it."""
    return tuple(f"{number:.1f}" for number in numbers)
