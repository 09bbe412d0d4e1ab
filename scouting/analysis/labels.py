"""Places the labels of a scatter plot: next to their dots, or further away with a leader line."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from math import cos, hypot, pi, sin
from typing import NamedTuple

Coordinates = tuple[float, float]

# The width of a letter and the height of a label, as on a phone, where they are largest.
LETTER, LINE = 12.5, 18
DOT, GAP = 6, 3
BESIDE = DOT + GAP
# The distance to the corners of the grid squares that a dot covers.
CLEAR_OF_DOT = 13
DIRECTIONS, STEP = 16, 12
# How many free positions are tried to find one whose leader line crosses nothing.
MOST_TRIED = 100


class Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True)
class Label:
    """A placed label; `side` is its text anchor: after or before its dot, or middle (above or below)."""

    text: str
    box: Box
    dot: Coordinates
    side: str
    # Whether it is away from its dot and needs a leader line.
    is_led: bool = False

    @property
    def anchor(self) -> Coordinates:
        """The anchor point of the text: its start, end or middle."""
        ends = {"after": self.box.left, "before": self.box.right}
        across = ends.get(self.side, (self.box.left + self.box.right) / 2)
        return across, (self.box.top + self.box.bottom) / 2

    @property
    def line(self) -> Iterator[Box]:
        """The leader line as small boxes, without the parts inside the dot and the label."""
        if not self.is_led:
            return
        (x, y), (to_x, to_y) = self.dot, self.anchor
        length = hypot(to_x - x, to_y - y)
        end = length - (LINE / 2 + GAP if self.side == "middle" else GAP)
        for step in range(CLEAR_OF_DOT, int(end), GAP):
            here, there = x + (to_x - x) * step / length, y + (to_y - y) * step / length
            yield Box(here, there, here, there)


class Paper:
    """The occupied area as a bit grid: each row is an int with a bit for each square."""

    def __init__(self, room: Box) -> None:
        self.room = room
        # With the radius of a dot added, since dots on the edge lie half outside.
        self.rows = [0] * (int((room.bottom + DOT) / GAP) + 1)

    def cover(self, box: Box) -> None:
        for row, squares in self._squares(box):
            self.rows[row] |= squares

    def is_free(self, box: Box) -> bool:
        room = self.room
        if box.left < room.left or box.right > room.right or box.top < room.top or box.bottom > room.bottom:
            return False
        return not any(self.rows[row] & squares for row, squares in self._squares(box))

    @staticmethod
    def _squares(box: Box) -> Iterator[tuple[int, int]]:
        first, last = int(box.left / GAP), int(box.right / GAP)
        squares = ((1 << (last - first + 1)) - 1) << first
        for row in range(int(max(box.top, 0) / GAP), int(box.bottom / GAP) + 1):
            yield row, squares


def placed(
    places: Mapping[str, Coordinates], *, room: Box, first: str = "", taken: Iterable[Box] = ()
) -> Iterator[Label]:
    """A label for every dot: that of `first`, then of those that find no room later for their neighbours."""
    paper = Paper(room)
    for box in (*taken, *(Box(x - DOT, y - DOT, x + DOT, y + DOT) for x, y in places.values())):
        paper.cover(box)
    middle = _mean(places.values())

    def turn(text: str) -> tuple[bool, int]:
        x, y = places[text]
        near = (abs(x - left) < 6 * LETTER and abs(y - top) < 1.5 * LINE for left, top in places.values())
        return text != first, -sum(near)

    for text in sorted(places, key=turn):
        free = (each for each in _candidates(text, places[text], middle, room) if paper.is_free(each.box))
        nearest = next(free)
        tried = chain([nearest], islice(free, MOST_TRIED))
        found = next((each for each in tried if all(map(paper.is_free, each.line))), nearest)
        for box in (found.box, *found.line):
            paper.cover(box)
        yield found


def _candidates(text: str, dot: Coordinates, middle: Coordinates, room: Box) -> Iterator[Label]:
    """Candidates: right and left of the dot, then in growing rings, away from the centre first."""
    (x, y), width = dot, LETTER * len(text)
    yield Label(text, _box(x + BESIDE, y - LINE / 2, width), dot, "after")
    yield Label(text, _box(x - BESIDE - width, y - LINE / 2, width), dot, "before")
    outwards = (x - middle[0], y - middle[1])
    turns = [2 * pi * each / DIRECTIONS for each in range(DIRECTIONS)]
    turns.sort(key=lambda turn: -(outwards[0] * cos(turn) + outwards[1] * sin(turn)))
    for ring in range(1, int((room.right + room.bottom) / STEP)):
        away = BESIDE + STEP * ring
        for turn in turns:
            yield _led(text, dot, (x + away * cos(turn), y + away * sin(turn)), width)


def _led(text: str, dot: Coordinates, end: Coordinates, width: float) -> Label:
    """A label at the end of a leader line."""
    across = end[0] - dot[0]
    if abs(across) < width / 2:
        above = LINE if end[1] < dot[1] else 0
        return Label(text, _box(end[0] - width / 2, end[1] - above, width), dot, "middle", is_led=True)
    side, left = ("after", end[0]) if across > 0 else ("before", end[0] - width)
    return Label(text, _box(left, end[1] - LINE / 2, width), dot, side, is_led=True)


def _box(left: float, top: float, width: float) -> Box:
    return Box(left, top, left + width, top + LINE)


def _mean(places: Iterable[Coordinates]) -> Coordinates:
    found = list(places)
    count = max(len(found), 1)
    return sum(x for x, _y in found) / count, sum(y for _x, y in found) / count
