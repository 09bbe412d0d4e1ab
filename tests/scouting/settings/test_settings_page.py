"""Leads say what holds: year, event, lock and game."""

import pytest

from core.dynamo import metering
from scouting.settings import services as settings
from tests.cast import ROLES, STRANGER
from tests.scouting import field
from tests.scouting.field import KEY

pytestmark = pytest.mark.usefixtures("db")
PAGE = "/scouting/settings/"


def chosen():
    settings.forget()
    season = settings.active()
    return season.settings.year, season.event, season.is_locked, season.game.year


def test_only_leads_choose_whatever_is_sent(client, as_role):
    for role in ROLES:
        client.cookies.clear()
        answer = as_role(role).post(PAGE, {"year": 2025, "version": 0})
        if role in ("scout-lead", "admin"):
            continue
        assert answer.status_code == (401 if role == STRANGER else 403)


def test_without_anything_it_offers_the_newest_year_and_no_event(as_role):
    page = as_role("scout-lead").get(PAGE)

    assert page.context["years"][0] == page.context["year"] == 2026
    assert [value for value, _title in page.context["form"].fields["event"].choices] == [""]
    assert chosen() == (2026, None, False, 2026)


def test_an_event_is_chosen_and_the_forms_are_locked_to_it(as_role):
    field.event()
    client = as_role("scout-lead")
    seen = client.get(PAGE).context["chosen"].seen_version
    sent = {"year": 2026, "event": KEY, "locked": "on", "game_year": "2025", "version": seen}

    assert client.post(PAGE, sent).status_code == 302
    assert chosen() == (2026, KEY, True, 2025)
    late = client.post(PAGE, sent | {"locked": ""})
    assert late.status_code == 409
    told = [(each.title, each.mine, each.theirs) for each in late.context["contested"]]
    assert told == [("Lock forms to this event", "No", "Yes")]
    assert 'id="take-theirs" href="/scouting/settings/?year=2026"' in late.content.decode()
    assert chosen() == (2026, KEY, True, 2025)
    newest = {"version": late.context["chosen"].seen_version}
    assert client.post(PAGE, sent | newest | {"event": ""}).status_code == 422
    unlocked = newest | {"year": 2026, "event": ""}
    assert client.post(PAGE, unlocked).status_code == 302
    assert chosen() == (2026, None, False, 2026)


def test_another_year_brings_its_own_choice(as_role):
    field.event()
    client = as_role("scout-lead")
    page = client.get(PAGE, {"year": "2025"})

    assert (page.context["year"], page.context["chosen"].seen_version) == (2025, 0)
    assert "Save and switch to this year" in page.content.decode()
    assert client.post(PAGE, {"year": "2025", "version": 0}).status_code == 302
    assert chosen() == (2025, None, False, 2025)
    for nonsense in ("1800", "x", "²"):
        assert client.get(PAGE, {"year": nonsense}).context["year"] == 2025


def test_an_event_that_is_not_offered_is_refused(as_role):
    client = as_role("scout-lead")

    assert client.post(PAGE, {"year": 2026, "event": "2026else", "version": 0}).status_code == 422
    assert chosen()[1] is None


def test_the_page_costs_four_requests_when_the_season_is_known(as_role):
    field.event()
    client = as_role("scout-lead")
    client.get(PAGE)
    with metering.metered() as cost:
        client.get(PAGE)

    assert cost.operations == ["GetItem", "Query", "Query", "Query"]
