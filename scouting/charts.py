"""Pictures of figures as SVG; the page has the same numbers as a table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.template.defaultfilters import floatformat
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from dynamo.errors import Text
from scouting.figures.team import AUTO_SCORE, TELE_SCORE, TeamFigures

WIDTH, HEIGHT, MARGIN = 600, 220, 34
# As wide as a column of a page: what is written in it is not scaled down.
NARROW = 320
SCATTER_HEIGHT = 420
DOT = 6
# How much room a label takes, as wide as on a phone, where it is larger than elsewhere.
LETTER, LINE = 11, 14
# A match with its autonomous and its teleop score.
Scored = tuple[str, float, float]
Place = tuple[float, float]
# Left, top, right, bottom.
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Point:
    label: str
    x: float
    y: float


@dataclass(frozen=True)
class Axis:
    title: Text
    highest: float


def stacked(
    label: Text, columns: Sequence[Scored], *, highest: float = 0, is_narrow: bool = False
) -> SafeString:
    """One column for each match: its autonomous part below, teleop above; a zero has its place, too.

    Charts that stand side by side are narrow, and are given the same `highest`.
    """
    highest = highest or top_of(columns)
    room = NARROW if is_narrow else WIDTH
    step = (room - MARGIN) / max(len(columns), 1)
    ground = HEIGHT - MARGIN
    drawn = []
    names = []
    for place, (name, auto, tele) in enumerate(columns):
        left = MARGIN + place * step
        auto_height, tele_height = (
            (ground - 10) * max(auto, 0) / highest,
            (ground - 10) * max(tele, 0) / highest,
        )
        width = max(step - 6, 2)
        drawn.append(("auto", *_rounded(left, ground - auto_height, width, auto_height)))
        drawn.append(("tele", *_rounded(left, ground - auto_height - tele_height, width, tele_height)))
        names.append((*_rounded(left + width / 2, HEIGHT - 12), name))
    bars = format_html_join("", '<rect class="figure-{}" x="{}" y="{}" width="{}" height="{}"/>', drawn)
    texts = format_html_join("", '<text class="figure-name" x="{}" y="{}">{}</text>', names)
    drawing = format_html("{}{}{}", _scale(highest, ground, room), bars, texts)
    return _picture(label, HEIGHT, drawing, width=room)


def by_match(told: TeamFigures) -> list[Scored]:
    """What a team scored in each match to which it came."""
    auto, tele = told.measures[AUTO_SCORE].series, told.measures[TELE_SCORE].series
    return [
        (str(match), auto_part, tele_part)
        for match, auto_part, tele_part in zip(told.matches, auto, tele, strict=True)
    ]


def top_of(columns: Sequence[Scored]) -> float:
    return max((max(auto, 0) + max(tele, 0) for _name, auto, tele in columns), default=0) or 1


def scatter(label: Text, x: Axis, y: Axis, points: Sequence[Point], *, found: str = "") -> SafeString:
    """Each team as a dot with its number; the one that is looked for stands out."""
    ground, room = SCATTER_HEIGHT - MARGIN, WIDTH - MARGIN - 40
    places = {
        point.label: (
            MARGIN + room * max(point.x, 0) / (x.highest or 1),
            ground - (ground - 20) * max(point.y, 0) / (y.highest or 1),
        )
        for point in points
    }
    dots = [
        ("figure-dot found" if label == found else "figure-dot", *_rounded(across, up), DOT, label)
        for label, (across, up) in places.items()
    ]
    drawn = format_html_join(
        "", '<circle class="{}" cx="{}" cy="{}" r="{}"><title>{}</title></circle>', dots
    ) + format_html_join(
        "", '<text class="figure-label {}" x="{}" y="{}">{}</text>', _labels(places, first=found)
    )
    axes = format_html(
        '<path class="figure-axis" d="M{0} 10V{1}H{2}"/>'
        '<text class="figure-name" x="{3}" y="{4}">{5}</text>'
        '<text class="figure-end" x="{2}" y="{4}">{6}</text>'
        '<text class="figure-side" x="{0}" y="10">{7} ({8})</text>'
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


def _labels(places: Mapping[str, Place], *, first: str) -> Iterator[tuple[str, ...]]:
    """The numbers beside their dots where nothing else is; without room, only the dot has it."""
    covered: list[Box] = [(x - DOT, y - DOT, x + DOT, y + DOT) for x, y in places.values()]
    for label in sorted(places, key=lambda each: each != first):
        x, y = places[label]
        width = LETTER * len(label)
        beside = {"": x + DOT + 2, "before": x - DOT - 2 - width}
        for side, left in beside.items():
            box = (left, y - LINE / 2, left + width, y + LINE / 2)
            is_free = left > MARGIN and left + width < WIDTH and not any(_meet(box, each) for each in covered)
            if is_free or (label == first and left + width < WIDTH):
                covered.append(box)
                yield side, *_rounded(left if not side else left + width, y + 4), label
                break


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _scale(highest: float, ground: int, width: int) -> SafeString:
    return format_html(
        '<path class="figure-axis" d="M{0} 10V{1}H{2}"/><text class="figure-side" x="0" y="16">{3}</text>'
        '<text class="figure-side" x="0" y="{1}">0</text>',
        str(MARGIN - 4),
        str(ground),
        str(width),
        floatformat(highest, 0),
    )


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
    """As text: in a page numbers follow the language, in a picture they must not."""
    return tuple(f"{number:.1f}" for number in numbers)
