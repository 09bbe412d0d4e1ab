"""The spray chart: hit locations as an SVG, and counted by zone for a table.

A location is `x` from left to right and `y` from the top down to home plate, each from 0 to 1, on the square
image of the field that is tapped when scoring (static/tracker/field.svg).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import atan2, degrees, hypot

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.dynamo.errors import Text
from tracker.rules import batting
from tracker.statistics.totals import GameLine

SIZE = 320
HOME_PLATE = (160.0, 296.0)
# Degrees to either side of the line through second base that count as the middle.
MIDDLE = 15
END_OF_INFIELD = 140
HITS = (batting.SINGLE, batting.DOUBLE, batting.TRIPLE, batting.HOME_RUN)
LEFT, CENTER, RIGHT = "left", "center", "right"
ZONES: Mapping[tuple[bool, str], Text] = {
    (True, LEFT): gettext_lazy("Left field"),
    (True, CENTER): gettext_lazy("Center field"),
    (True, RIGHT): gettext_lazy("Right field"),
    (False, LEFT): gettext_lazy("Infield, left side"),
    (False, CENTER): gettext_lazy("Infield, middle"),
    (False, RIGHT): gettext_lazy("Infield, right side"),
}

# The shapes of field.svg, styled by CSS: foul lines with the fence, the infield, the base paths.
FIELD = mark_safe(
    '<path class="spray-grass" d="M160 296 8 144A215 215 0 0 1 312 144Z"/>'
    '<path class="spray-dirt" d="M160 296 61 197A140 140 0 0 1 259 197Z"/>'
    '<path class="spray-line" d="m160 288-60-60 60-60 60 60Z"/>'
)


@dataclass(frozen=True)
class Ball:
    """A ball in play with its location and counted result."""

    x: float
    y: float
    result: str

    @property
    def is_hit(self) -> bool:
        return self.result in HITS

    @property
    def zone(self) -> Text:
        across, away = self.x * SIZE - HOME_PLATE[0], HOME_PLATE[1] - self.y * SIZE
        angle = degrees(atan2(across, away)) if (across or away) else 0.0
        side = CENTER if abs(angle) <= MIDDLE else RIGHT if angle > 0 else LEFT
        return ZONES[hypot(across, away) > END_OF_INFIELD, side]


@dataclass(frozen=True)
class Zone:
    name: Text
    hits: int
    others: int


def balls_of(lines: Iterable[GameLine], player_ids: Iterable[str]) -> list[Ball]:
    """The balls with a location in these games, of these players (a person has one per team)."""
    ids = list(player_ids)
    return [
        Ball(float(x), float(y), result)
        for each in lines
        for player_id in ids
        for x, y, result in (each.box.balls or {}).get(player_id, ())
    ]


def zones(balls: Iterable[Ball]) -> list[Zone]:
    """The zones with balls, with their counts of hits and others."""
    balls = list(balls)
    found = [(name, [ball.is_hit for ball in balls if ball.zone == name]) for name in ZONES.values()]
    return [Zone(name, sum(hits), len(hits) - sum(hits)) for name, hits in found if hits]


def chart(balls: Iterable[Ball]) -> SafeString:
    """The chart as SVG; hits are discs and others crosses, so that colour is not the only difference."""
    hits: list[tuple[str, ...]] = []
    others: list[tuple[str, ...]] = []
    for ball in balls:
        drawn = (f"{ball.x * SIZE:.1f}", f"{ball.y * SIZE:.1f}", ball.result)
        (hits if ball.is_hit else others).append(drawn)
    crosses = format_html_join(
        "", '<path class="spray-other" d="M{} {}m-5-5 10 10m0-10-10 10"><title>{}</title></path>', others
    )
    discs = format_html_join(
        "", '<circle class="spray-hit" cx="{}" cy="{}" r="6"><title>{}</title></circle>', hits
    )
    return format_html(
        '<svg class="spray" viewBox="0 0 320 320" role="img" aria-label="{}">{}{}{}</svg>',
        _("Where the balls went: hits as discs, others as crosses"),
        FIELD,
        crosses,
        discs,
    )
