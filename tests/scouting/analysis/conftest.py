"""Events with forms."""

import pytest

from scouting.events.event import Alliance, Match
from tests.scouting import field


@pytest.fixture
def small_event(db):
    plan = [
        Match(
            1,
            Alliance(("20", "101", "102"), 66, official={"foulPoints": 6}),
            Alliance(("254B", "103", "104"), 40),
        )
    ]
    plan.append(Match(2, Alliance(("20", "103", "254B")), Alliance(("101", "102", "104"))))
    event = field.event(matches=plan, teams=("20", "101", "102", "103", "104", "254B"))
    field.stand("20", 1, autoFuel=10, teleFuel=20, win=True)
    field.stand("101", 1, autoFuel=5, teleFuel=5)
    field.stand("102", 1, teleFuel=15)
    field.stand("254B", 1, autoFuel=20, comments="Tips over in the corner", criticals=["Robot Tipped"])
    return event
