"""Until when a scout corrects own forms: the end of the event where it takes place, at least 24 hours."""

from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse

from core.dynamo.actors import SYSTEM
from core.dynamo.items import new_id
from core.dynamo.metering import metered
from scouting.events.models import EventInfo
from scouting.events.repository import event_infos
from scouting.forms import corrections
from scouting.forms import services as forms
from scouting.forms.repository import stand_forms
from scouting.settings import services as settings
from tests.cast import CAST
from tests.scale.partition_meter import metered_partitions
from tests.scouting.field import KEY, event, pit, stand

SCOUT, LEAD = CAST["scout"], CAST["scout-lead"]
NEW_YORK = {"starts_on": "2026-03-18", "ends_on": "2026-03-21", "time_zone": "America/New_York"}


def at(day, hour, minute=0):
    return datetime(2026, 3, day, hour, minute, tzinfo=UTC)


def takes_place(**fields):
    """Our event, with these days and this zone."""
    event()
    info = event_infos.parts(KEY, strong=True).info
    event_infos.update(info, fields, actor=SYSTEM)
    settings.active()


@pytest.fixture
def clock(monkeypatch):
    """Put the clock of corrections to a moment."""
    return lambda moment: monkeypatch.setattr(corrections, "now", lambda: moment)


def address(form, screen="form", kind="stand"):
    return reverse(f"scouting:{screen}", args=[kind, forms.KINDS[kind].key_of(form)])


def corrected(form):
    return {"version": form.seen_version, "q_teleFuel": 7, "once": new_id()}


@pytest.mark.parametrize(
    ("days", "sent", "until"),
    [
        # Midnight in New York is four in the morning of UTC, five in Berlin.
        (NEW_YORK, at(18, 15), at(22, 4)),
        (NEW_YORK, at(21, 20), at(22, 20)),
        (NEW_YORK, at(30, 12), at(31, 12)),
        (NEW_YORK | {"time_zone": "Europe/Berlin"}, at(18, 15), at(21, 23)),
        # Without a zone, when the day is over everywhere.
        (NEW_YORK | {"time_zone": None}, at(18, 15), at(22, 12)),
        # One day is the first and the last.
        (NEW_YORK | {"ends_on": None}, at(17, 15), at(19, 4)),
        ({"starts_on": None, "ends_on": None, "time_zone": None}, at(18, 15), at(19, 15)),
    ],
)
def test_until_the_last_day_is_over_at_the_place_and_for_24_hours(db, days, sent, until):
    takes_place(**days)
    form = stand("20", 1, created_at=sent)
    last = corrections.until(form, corrections.event_of(form))
    assert until - timedelta(milliseconds=1) < last <= until


def test_at_18_o_clock_in_new_york_a_scout_still_corrects_the_forms_of_all_days(as_role, clock):
    takes_place(**NEW_YORK)
    early, late = stand("20", 1, created_at=at(18, 15)), stand("101", 1, created_at=at(21, 20))
    clock(at(21, 22, 1))
    client = as_role("scout")
    for form in (early, late):
        page = client.get(address(form)).content.decode()
        assert 'id="edit"' in page
        assert client.get(address(form, "form-edit")).status_code == 200
        assert client.post(address(form, "form-edit"), corrected(form)).status_code == 302
    assert [form.total_score for form in stand_forms.at(KEY)] == [7, 7]


def test_after_the_event_and_a_day_only_leads_correct_a_form(as_role, clock):
    takes_place(**NEW_YORK)
    form, told = stand("20", 1, created_at=at(18, 15)), pit("20", created_at=at(18, 15))
    clock(at(22, 4, 1))
    client = as_role("scout")
    assert 'id="edit"' not in client.get(address(form)).content.decode()
    assert 'id="edit"' not in client.get(address(told, kind="pit")).content.decode()
    for refused in (
        client.get(address(form, "form-edit")),
        client.post(address(form, "form-edit"), corrected(form)),
    ):
        assert refused.status_code == 403
        assert "Only a scout lead can change this form now" in refused.content.decode()
    assert [form.total_score for form in stand_forms.at(KEY)] == [0]
    assert as_role("scout-lead").post(address(form, "form-edit"), corrected(form)).status_code == 302


@pytest.mark.parametrize("kind", ["stand", "pit", "comment"])
def test_the_page_says_until_when_on_the_clock_of_the_event(as_role, clock, kind):
    takes_place(**NEW_YORK)
    form = {
        "stand": lambda: stand("20", 1, created_at=at(18, 15)),
        "pit": lambda: pit("20", created_at=at(18, 15)),
        "comment": lambda: forms.submit_comment(SCOUT, {"event": KEY, "team": "20", "comments": "Fast"}),
    }[kind]()
    if kind == "comment":
        form.update(actions=[type(form).created_at.set(at(18, 15))])
    client = as_role("scout")
    last = "21 Mar 2026, 23:59 (America/New_York)"
    clock(at(22, 3, 59))
    with metered() as usage:
        page = client.get(address(form, kind=kind)).content.decode()
    assert usage.requests == 4
    assert f"You can correct this form until {last}." in page
    clock(at(22, 4, 0))
    page = client.get(address(form, kind=kind)).content.decode()
    assert f"The time to correct this form ended on {last}. If something is wrong, ask a scout lead." in page
    assert (
        "correct this form until" not in as_role("scout-lead").get(address(form, kind=kind)).content.decode()
    )


def test_whoever_sends_a_robot_again_is_led_to_the_own_form_as_long_as_it_can_be_corrected(as_role, clock):
    takes_place(**NEW_YORK)
    stand("20", 1, created_at=at(18, 15))
    client = as_role("scout")
    again = {"event": KEY, "team": "20", "match": 1, "once": new_id()}
    clock(at(22, 3))
    assert 'id="edit-taken"' in client.post("/scouting/stand/", again).content.decode()
    clock(at(22, 5))
    page = client.post("/scouting/stand/", again | {"once": new_id()}).content.decode()
    assert 'id="edit-taken"' not in page
    assert "If something is wrong, ask a scout lead" in page


def test_an_event_that_was_deleted_beneath_a_form_leaves_a_day(db):
    takes_place(**NEW_YORK)
    form = stand("20", 1, created_at=at(18, 15))
    EventInfo.about(KEY).delete()
    assert corrections.until(form, corrections.event_of(form)) == at(19, 15)


def test_a_correction_costs_six_write_units_and_sent_twice_it_is_made_once(as_role):
    """The form 2, the list of its scout 1 for the new score, its history 2 and the activity of scouting 1."""
    event()
    form = stand("20", 1, teleFuel=30)
    client = as_role("scout-lead")
    address = reverse("scouting:form-edit", args=["stand", stand_forms.key_of(form)])
    told = {"version": form.seen_version, "q_teleFuel": 7, "once": "first"}
    settings.active()
    with metered_partitions() as usage:
        assert client.post(address, told).status_code == 302
    assert client.post(address, told).status_code == 302

    corrected = stand_forms.get(stand_forms.key_of(form), strong=True)
    assert (corrected.scores["teleFuel"], corrected.version) == (7, form.version + 1)
    assert usage.told_writes == 2 + 1 + 2 + 1
