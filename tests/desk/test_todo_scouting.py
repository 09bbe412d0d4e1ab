"""What waits for people in scouting, whom it concerns, and whom it does not."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import localdate

from core.dynamo import transactions
from core.dynamo.actors import SYSTEM
from scouting.events.repository import event_infos
from scouting.forms.models import StandForm
from scouting.forms.repository import stand_forms
from scouting.settings import services as scouting_settings
from scouting.settings.models import Settings
from tests.desk.waiting import Told, told
from tests.scouting import field

pytestmark = pytest.mark.usefixtures("db", "guests")

SCOUTING = ("admin", "scout-lead", "scout")
COVERAGE, PITS = f"/scouting/coverage/?event={field.KEY}", f"/scouting/coverage/pits/?event={field.KEY}"


def test_robots_and_pits_without_a_form_wait_for_scouts() -> None:
    event = field.event(matches=2, played=1)
    robots = event.matches[0].teams
    for team in event.team_numbers[1:]:
        field.pit(team)
    for team in robots[2:]:
        field.stand(team, 1)

    tasks = [("2 robots without a form", "", COVERAGE), ("1 pit to visit", "", PITS)]
    assert told() == dict.fromkeys(SCOUTING, tasks)

    for team in robots[:2]:
        field.stand(team, 1)
    field.pit(event.team_numbers[0])
    assert told() == {}


@pytest.mark.parametrize(
    ("first", "last", "waits"), [(-1, 1, True), (0, 0, True), (1, 2, False), (-3, -2, False)]
)
def test_what_is_to_be_scouted_waits_while_the_event_is_on(first: int, last: int, waits: bool) -> None:
    field.event(matches=2, played=1)
    today = localdate()
    fields = {
        "starts_on": (today + timedelta(days=first)).isoformat(),
        "ends_on": (today + timedelta(days=last)).isoformat(),
    }
    parts = event_infos.parts(field.KEY, strong=True)
    event_infos.update(parts.info, fields, actor=SYSTEM)

    assert set(told()) == (set(SCOUTING) if waits else set())


def test_a_form_about_a_robot_that_is_not_in_the_match_waits_for_its_scout_and_leads() -> None:
    event = field.event(matches=1)
    for team in event.team_numbers:
        field.pit(team)
    absent = next(team for team in event.team_numbers if team not in event.matches[0].teams)
    own = field.stand(absent, 1)
    other = field.stand(absent, 1, further="somebody-else")

    def task(form: StandForm) -> Told:
        address = reverse("scouting:form", args=["stand", stand_forms.key_of(form)])
        return (f"Team {absent} in match 1", "Not in this match", address)

    assert told() == {
        "admin": [task(own), task(other)],
        "scout-lead": [task(own), task(other)],
        "scout": [task(own)],
    }


def test_nothing_waits_without_an_event_or_at_one_that_is_gone() -> None:
    field.event(matches=1)
    field.be_at(None)
    assert told() == {}

    # As another program may have left it.
    transactions.send(transactions.put(Settings.of_year(2026, event="2026gone")))
    scouting_settings.forget()
    assert scouting_settings.active().event == "2026gone"
    assert told() == {}
