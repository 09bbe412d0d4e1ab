"""What holds right now: the year, its game and the event."""

import time
from dataclasses import replace
from threading import Thread

import pytest
from django.core.exceptions import PermissionDenied

from core.dynamo import metering
from core.dynamo.actors import SYSTEM
from core.dynamo.errors import AlreadyExists, Conflict, Invalid, Replayed
from core.dynamo.idempotency import IdempotencyKey
from scouting.games import definition
from scouting.games.models import StoredGame
from scouting.games.repository import stored_games
from scouting.settings import services as settings
from tests.scouting.field import KEY, LEAD, SCOUT, exist

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture(autouse=True)
def events(db):
    exist(KEY, "2024mndu", "2025mndu")


def choose(year=2026, *, event=KEY, locked=False, game_year=None, seen_version=0, **options):
    return settings.choose(
        LEAD, year, event=event, locked=locked, game_year=game_year, seen_version=seen_version, **options
    )


def test_without_anything_stored_it_is_the_newest_game_and_no_event():
    season = settings.active()

    assert (season.settings.year, season.game.name) == (2026, "REBUILT")
    assert (season.event, season.is_locked) == (None, False)


def test_what_leads_choose_holds_at_once():
    settings.active()
    choose(2025, event="2025MNDU ", locked=True)

    season = settings.active()
    assert (season.settings.year, season.game.name) == (2025, "REEFSCAPE")
    assert (season.event, season.is_locked) == ("2025mndu", True)


def test_each_year_keeps_what_was_chosen_for_it():
    choose(2025, event="2025mndu")
    choose(2026, game_year=2024)

    assert settings.active().game.name == "CRESCENDO"
    assert settings.of_year(2025).active_event == "2025mndu"


def test_the_season_is_read_with_two_requests_and_then_kept():
    choose()
    with metering.metered() as cost:
        assert settings.active() is settings.active()

    assert cost.operations == ["Query", "GetItem"]


def test_a_kept_season_is_read_again_after_half_a_minute(monkeypatch):
    monkeypatch.setattr(settings._season, "_seconds", settings.KEPT_SECONDS)
    choose()
    settings.active()
    clock = time.monotonic() + settings.KEPT_SECONDS
    monkeypatch.setattr(time, "monotonic", lambda: clock)
    with metering.metered() as cost:
        settings.active()

    assert len(cost.operations) == 2


def test_a_season_that_was_read_before_another_was_chosen_is_not_kept(monkeypatch):
    read = settings._read

    def overtaken():
        season = read()
        thread = Thread(target=choose)
        thread.start()
        thread.join()
        monkeypatch.setattr(settings, "_read", read)
        return season

    monkeypatch.setattr(settings, "_read", overtaken)

    assert settings.active().event is None
    assert settings.active().event == KEY


def test_a_definition_that_leads_changed_goes_before_the_shipped_one():
    changed = replace(definition.shipped(2026), name="REBUILT, ours")
    stored = StoredGame.of_year(2026, name=changed.name, definition=definition.to_json(changed))
    stored_games.create(stored, actor=SYSTEM)

    assert settings.game(2026) == changed
    assert settings.active().game == changed


def test_a_form_made_from_an_earlier_version_is_refused():
    first = choose()
    choose(locked=True, seen_version=first.seen_version)

    with pytest.raises(Conflict):
        choose(event=None, seen_version=first.seen_version)
    with pytest.raises((AlreadyExists, Conflict)):
        choose(event=None, seen_version=0)
    assert settings.active().is_locked


def test_two_leads_who_choose_different_years_at_once_are_both_heard(monkeypatch):
    choose(2025, event="2025mndu")
    default_of, overtaken = settings._default, []

    def late(year):
        found = default_of(year)
        if not overtaken:
            overtaken.append(year)
            choose(2024, event="2024mndu")
        return found

    monkeypatch.setattr(settings, "_default", late)
    choose(2026)

    assert settings.active().event == KEY
    assert settings.of_year(2024).active_event == "2024mndu"


def test_the_same_request_is_carried_out_once():
    once = IdempotencyKey(LEAD.sub, "settings", "key", {})
    choose(once=once)
    with pytest.raises(Replayed):
        choose(once=once)


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"event": None, "locked": True}, "event"),
        ({"game_year": 2019}, "game_year"),
        ({"event": "2026"}, "event"),
    ],
)
def test_what_cannot_hold_is_refused_at_its_field(options, name):
    with pytest.raises(Invalid) as refused:
        choose(**options)

    assert refused.value.field == name


def test_scouts_choose_nothing():
    with pytest.raises(PermissionDenied):
        settings.choose(SCOUT, 2026, event=KEY, locked=True, game_year=None, seen_version=0)
    assert settings.active().event is None
