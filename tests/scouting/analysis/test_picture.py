"""The picture of all teams: its dots, numbers and lines."""

import random
import re
from itertools import combinations

import pytest

from scouting.analysis import charts, labels
from scouting.analysis.labels import Box

pytestmark = pytest.mark.usefixtures("db")


def dots(count, spread):
    """Teams as an event has them: most of them are near each other, some even in the same place."""
    chance = random.Random(count)
    places = [
        (abs(chance.gauss(30, spread)), abs(chance.gauss(80, 2 * spread))) for _each in range(count - 2)
    ]
    places = [(30, 80), (0, 0), *places]
    return {str(10_000 + number): place for number, place in enumerate(places)}


def meet(one, other):
    return (
        one.left < other.right
        and other.left < one.right
        and one.top < other.bottom
        and other.top < one.bottom
    )


@pytest.mark.parametrize("spread", [0, 4, 15])
@pytest.mark.parametrize("count", [2, 25, 60])
def test_every_dot_of_the_picture_has_its_number_and_none_covers_another(count, spread):
    places = {team: (40 + 5 * x, 560 - 3 * y) for team, (x, y) in dots(count, spread).items()}
    room = Box(36, 0, 600, 606)
    found = list(labels.placed(places, room=room, first="10001"))

    assert found[0].text == "10001"
    assert {label.text: label.dot for label in found} == places
    boxes = [label.box for label in found]
    assert all(box.left >= 36 and box.right <= 600 and box.top >= 0 and box.bottom <= 606 for box in boxes)
    assert not any(meet(one, other) for one, other in combinations(boxes, 2))
    round_dots = [Box(x - 6, y - 6, x + 6, y + 6) for x, y in places.values()]
    assert not any(meet(box, dot) for box in boxes for dot in round_dots)


def test_a_line_leads_to_a_number_past_all_other_dots():
    """Three dots in a row, so near each other that one of them has no room beside it."""
    places = {"10001": (300, 300), "10002": (314, 300), "10003": (328, 300)}
    found = list(labels.placed(places, room=Box(0, 0, 600, 600)))
    (led,) = [label for label in found if label.is_led]
    others = [Box(x - 6, y - 6, x + 6, y + 6) for x, y in places.values() if (x, y) != led.dot]
    assert len(list(led.line)) > 0
    assert not any(meet(step, box) for step in led.line for box in others)


def test_a_number_that_lies_apart_from_its_dot_has_a_line_in_the_picture():
    points = [charts.Point(team, x, y) for team, (x, y) in dots(60, 4).items()]
    picture = charts.scatter("", charts.Axis("", 60), charts.Axis("", 160), tuple(points))
    texts = re.findall(r'<text class="figure-label \w+" x="([\d.]+)" y="([\d.]+)"', picture)
    lines = re.findall(r'<path class="figure-lead" d="M[\d.]+ [\d.]+L([\d.]+) ([\d.]+)"', picture)
    assert (len(texts), picture.count("<title>")) == (60, 60)
    assert len(lines) > 10
    assert {*lines} <= {*texts}
