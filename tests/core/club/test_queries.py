"""The club as every page needs it: that of the environment until somebody saves, then the stored one."""

import time

import pytest

from core.club import queries as club
from core.club.models import ClubSettings
from core.club.repository import club_settings
from core.common.kept import KeptFor
from core.dynamo import metering
from core.dynamo.actors import SYSTEM
from core.dynamo.faults import FaultProxy, Faults
from tests.the_club import the_club


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(club, "_kept", KeptFor(club.KEPT_SECONDS, club._read))


def later(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = time.monotonic() + club.KEPT_SECONDS
    monkeypatch.setattr(time, "monotonic", lambda: clock)


def store(**chosen: object) -> ClubSettings:
    return club_settings.save(club_settings.stored(strong=True), chosen, actor=SYSTEM)


@pytest.mark.usefixtures("db")
def test_until_somebody_saves_it_is_the_club_of_the_environment() -> None:
    now = club.current()

    assert (now.name, now.language, str(now.zone)) == ("Fieldhouse", "en", "Europe/Berlin")
    assert now.seen_version == 0
    assert all(now.is_on(domain) for domain in ("cms", "scouting", "quests", "tracker", "accounts"))


@pytest.mark.usefixtures("db")
def test_it_is_read_once_in_some_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    with metering.metered() as cost:
        assert club.current() is club.current()
    assert cost.operations == ["GetItem"]

    store(name="TV Auenfeld")
    assert club.current().name == "Fieldhouse"

    later(monkeypatch)
    assert club.current().name == "TV Auenfeld"


@pytest.mark.usefixtures("db")
def test_an_unchanged_club_stays_the_same_object_for_the_caches_that_have_it_in_their_keys(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = club.current()
    later(monkeypatch)

    with metering.metered() as cost:
        assert club.current() is before
    assert cost.operations == ["GetItem"]


@pytest.mark.usefixtures("db")
def test_what_was_just_written_holds_at_once() -> None:
    club.current()
    club.remember(store(name="TV Auenfeld"))

    with metering.metered() as cost:
        assert club.current().name == "TV Auenfeld"
    assert cost.operations == []


def test_in_an_outage_the_last_settings_hold(proxy: FaultProxy, monkeypatch: pytest.MonkeyPatch) -> None:
    store(name="TV Auenfeld")
    club.current()
    later(monkeypatch)

    proxy.faults = Faults(error=1)
    assert club.current().name == "TV Auenfeld"


def test_in_an_outage_from_the_start_those_of_the_environment_hold(proxy: FaultProxy) -> None:
    store(name="TV Auenfeld")

    proxy.faults = Faults(error=1)
    assert club.current().name == "Fieldhouse"


def test_a_time_zone_that_this_machine_does_not_know_is_that_of_the_environment() -> None:
    assert str(the_club(time_zone="Europe/Nowhere").zone) == "Europe/Berlin"
    assert str(the_club(time_zone="../etc").zone) == "Europe/Berlin"


def test_what_is_no_domain_cannot_be_switched_off() -> None:
    now = the_club(off=["scouting", "accounts", "home"])

    assert not now.is_on("scouting")
    assert now.is_on("quests")
    assert now.is_on("accounts")
    assert now.is_on("home")
