"""What leads decide has a history, and every earlier version of it can be brought back."""

from dataclasses import replace

import pytest

from scouting.events import services as events
from scouting.events.repository import event_infos
from scouting.games import definition
from scouting.games import services as games
from scouting.history import presenters
from scouting.history import services as versions
from scouting.settings import services as settings
from tests.scouting import field
from tests.scouting.field import KEY, LEAD

pytestmark = pytest.mark.usefixtures("db")
HISTORY = "/scouting/history/"


def stored():
    return event_infos.parts(KEY, strong=True)


def empty_teams():
    events.type_teams(LEAD, KEY, "", seen_version=stored().teams.seen_version)


def go_back(client, address):
    """Look at the history as a lead does, and go back to the version before the newest."""
    told = client.get(address).context["entries"]
    asked = client.get(told[1].restore_address)
    assert asked.context["differences"]
    answer = client.post(told[1].restore_address, {"version": asked.context["seen"].version})
    assert answer.status_code == 302
    return told


def test_an_emptied_team_box_is_undone(as_role):
    event = field.event()
    empty_teams()
    client = as_role("scout-lead")
    assert f'href="{HISTORY}teams/{KEY}/"' in client.get(f"/scouting/events/{KEY}/").content.decode()
    told = go_back(client, f"{HISTORY}teams/{KEY}/")

    assert [each.entry.verb for each in told] == ["update", "create"]
    assert stored().event == event
    assert stored().teams.by_hand == []
    newest = client.get(f"{HISTORY}teams/{KEY}/").context["entries"][0]
    assert "restored an earlier version" in newest.sentence


def test_what_a_change_took_away_is_shown(as_role):
    field.event()
    empty_teams()
    client = as_role("scout-lead")
    newest = client.get(f"{HISTORY}teams/{KEY}/").context["entries"][0]
    page = client.get(newest.address).content.decode()

    assert "254B Robots 254B</del>" in page
    assert newest.restore_address == ""


def test_a_changed_schedule_comes_back_with_all_that_was_told_of_it(as_role):
    event = field.event(played=3)
    seen = stored().schedule.seen_version
    events.type_matches(LEAD, KEY, "1: 20 101 102 - 103 104 105", seen_version=seen)
    go_back(as_role("scout-lead"), f"{HISTORY}schedule/{KEY}/")

    assert stored().event == event


def test_a_renamed_event_gets_its_name_back(as_role):
    field.event()
    events.edit(LEAD, KEY, {"name": "Oops"}, seen_version=stored().info.seen_version)
    go_back(as_role("scout-lead"), f"{HISTORY}event/{KEY}/")

    assert stored().info.name == "Fieldhouse Test"


def test_settings_of_a_year_come_back_and_hold_at_once(as_role):
    field.event()
    field.be_at(None)
    assert settings.active().event is None
    client = as_role("scout-lead")
    assert f'href="{HISTORY}settings/2026/"' in client.get("/scouting/settings/?year=2026").content.decode()
    go_back(client, f"{HISTORY}settings/2026/")

    assert settings.active().event == KEY


def test_a_game_comes_back_to_what_it_was_and_to_what_came_with_the_software(as_role):
    ours = replace(field.REBUILT, name="Ours")
    worse = replace(ours, questions=ours.questions[:3], ranking=("points",))
    first = games.save(LEAD, ours, seen_version=0)
    games.save(LEAD, worse, seen_version=first.seen_version)
    client = as_role("scout-lead")
    page = client.get("/scouting/games/2026/").content.decode()
    assert f'href="{HISTORY}game/2026/"' in page
    go_back(client, f"{HISTORY}game/2026/")
    assert settings.active().game == ours

    address = f"{HISTORY}game/2026/restore?entry=shipped"
    assert f'href="{address}"' in page
    asked = client.get(address)
    assert "Restore the default?" in asked.content.decode()
    client.post(address, {"version": asked.context["seen"].version})
    assert settings.active().game == definition.shipped(2026)


def test_a_question_that_was_changed_is_told_in_words(as_role):
    changed = replace(field.REBUILT.questions[1], points=7, label="Balls")
    questions = (field.REBUILT.questions[0], changed, *field.REBUILT.questions[2:])
    games.save(LEAD, replace(field.REBUILT, questions=questions), seen_version=0)
    page = as_role("scout-lead").get(f"{HISTORY}game/2026/restore?entry=shipped")

    (difference,) = page.context["differences"]
    assert difference.removed == ["autoFuel · Balls · auto · counter · 7 · 300"]
    assert difference.added == ["autoFuel · Fuel scored · auto · counter · 1 · 300"]


def test_somebody_who_changed_it_meanwhile_is_not_overwritten(as_role):
    field.event()
    empty_teams()
    client = as_role("scout-lead")
    address = client.get(f"{HISTORY}teams/{KEY}/").context["entries"][1].restore_address
    seen = client.get(address).context["seen"].version
    events.type_teams(LEAD, KEY, "9999 Guest", seen_version=seen)
    late = client.post(address, {"version": seen})

    assert late.status_code == 409
    assert [team.number for team in stored().event.teams] == ["9999"]
    assert late.context["seen"].version == stored().teams.seen_version


def test_nobody_else_looks_or_goes_back(as_role):
    field.event()
    scout = as_role("scout")
    for address in (f"{HISTORY}teams/{KEY}/", f"{HISTORY}game/2026/version", f"{HISTORY}event/{KEY}/restore"):
        assert scout.get(address).status_code == 403


@pytest.mark.parametrize(
    "address",
    [
        "event/2026none/",
        "teams/nonsense/",
        "game/2026/",
        "settings/20260/",
        "else/2026/",
        f"event/{KEY}/version?entry=x",
        f"event/{KEY}/restore?entry=x",
        f"event/{KEY}/restore?entry=shipped",
        "settings/2026/restore?entry=shipped",
    ],
)
def test_what_has_no_history_does_not_exist(as_role, address):
    field.event()
    assert as_role("scout-lead").get(f"{HISTORY}{address}").status_code == 404


@pytest.mark.parametrize("kind", ["event", "settings"])
def test_every_field_that_is_shown_is_restored(kind):
    assert presenters.FIELDS[kind].keys() == {*versions.KINDS[kind].restored}
