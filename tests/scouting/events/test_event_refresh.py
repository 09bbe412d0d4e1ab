"""The Blue Alliance brings an event up to date, and nothing that it does harms what we have."""

from dataclasses import replace
from datetime import timedelta
from threading import Thread
from types import SimpleNamespace

import pytest
from django.core.exceptions import PermissionDenied

from core.dynamo.attributes import now
from core.dynamo.errors import Invalid
from scouting.events import services as events
from scouting.events.event import Alliance, Match, Team
from scouting.events.lines import match_lines
from scouting.events.repository import event_infos
from scouting.games import services as games
from scouting.tba import client
from scouting.tba.client import NotPublished, NotSetUp
from tests.scouting import field, tba_server
from tests.scouting.field import KEY, LEAD, SCOUT

A_MINUTE = 60_000
pytestmark = pytest.mark.usefixtures("db")


def stored():
    return event_infos.parts(KEY, strong=True)


@pytest.fixture
def official(tba):
    events.create(LEAD, KEY, {"name": KEY})
    return tba


def test_a_new_event_learns_its_name_its_teams_and_its_matches(official):
    refreshed = events.refresh(LEAD, KEY)

    event = stored().event
    assert (refreshed.teams, refreshed.matches) == (12, 6)
    assert event.name == "Fieldhouse Regional"
    assert (stored().info.place, stored().info.starts_on) == ("Beispielstadt, Deutschland", "2026-03-18")
    assert (stored().info.ends_on, stored().info.time_zone) == ("2026-03-21", "America/New_York")
    assert event.team("254B") == Team("254B", "Robots 254B", "Beispielstadt", rank=4, record="2-1-0")
    assert [match.was_played for match in event.matches] == [True, True, False, False, False, False]
    assert event.match(1).videos == ("video-1",)
    assert event.match(1).red.own_score == event.match(1).red.score - 4
    assert now() - event.schedule_fetched_at < timedelta(minutes=1)
    assert official.asked == [
        f"/api/v3/event/{KEY}",
        f"/api/v3/event/{KEY}/teams",
        f"/api/v3/event/{KEY}/matches",
        f"/api/v3/event/{KEY}/rankings",
    ]


def test_pressing_it_twice_asks_once(official):
    events.refresh(LEAD, KEY)
    events.refresh(LEAD, KEY)

    assert len(official.asked) == 4


def test_new_scores_come_in_and_a_name_that_leads_gave_stays(official):
    events.refresh(LEAD, KEY)
    events.edit(LEAD, KEY, {"name": "Our regional"}, seen_version=stored().info.seen_version)
    official.later_ms = A_MINUTE
    official.answers = tba_server.answers(KEY, matches=7, played=5)
    events.refresh(LEAD, KEY)

    event = stored().event
    assert event.name == "Our regional"
    assert [match.number for match in event.matches if match.was_played] == [1, 2, 3, 4, 5]
    assert len(event.matches) == 7


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ({"status": 500}, "sent an answer that we cannot read"),
        ({"status": 401}, "rejected our key"),
        ({"raw": b"<html>"}, "sent an answer that we cannot read"),
        ({"raw": b'{"Error": "down"}'}, "sent an answer that we cannot read"),
        ({"raw": b"[]"}, "sent an answer that we cannot read"),
        ({"status": 404}, "does not have this event"),
    ],
)
def test_an_answer_that_cannot_be_used_changes_nothing_and_is_told_in_words(official, fault, why):
    events.refresh(LEAD, KEY)
    before = stored()
    official.later_ms = A_MINUTE
    for name, value in fault.items():
        setattr(official, name, value)

    with pytest.raises(NotPublished, match=why):
        events.refresh(LEAD, KEY)
    assert stored().event == before.event


@pytest.mark.parametrize(
    "wrong", [{"key": "2026else"}, {"start_date": "soon"}, {"key": None}, {"name": None}]
)
def test_an_answer_about_something_else_is_not_believed(official, wrong):
    official.answers[f"/event/{KEY}"] |= wrong
    if wrong == {"name": None}:
        del official.answers[f"/event/{KEY}"]["name"]

    with pytest.raises(NotPublished, match="an answer that we cannot read"):
        events.refresh(LEAD, KEY)
    assert [info.event for info in event_infos.by_key().items] == [KEY]


def test_a_server_that_is_too_slow_or_gone_is_told_in_words(official, monkeypatch):
    monkeypatch.setattr(
        client.current().http._transport, "_caps", client.Caps(read_seconds=0.05, total_seconds=0.1)
    )
    official.may_answer.clear()

    with pytest.raises(NotPublished, match="is not responding"):
        events.refresh(LEAD, KEY)


def test_without_a_key_nothing_is_asked(official, settings):
    settings.TBA_KEY = ""
    with pytest.raises(NotSetUp):
        events.refresh(LEAD, KEY)
    assert official.asked == []


def test_an_empty_answer_never_empties_an_event(official):
    events.refresh(LEAD, KEY)
    before = stored().event
    official.later_ms = A_MINUTE
    for part in ("teams", "matches"):
        official.answers[f"/event/{KEY}/{part}"] = []
    official.answers.pop(f"/event/{KEY}/rankings")
    events.refresh(LEAD, KEY)

    assert stored().event == before


# --- What leads typed ---------------------------------------------------------------------------------------


@pytest.fixture
def typed(official):
    events.type_teams(LEAD, KEY, "20 Our friends | Next door\n9999 Guest", seen_version=0)
    one = field.schedule(field.TEAMS, 1)[0]
    same = f"1: {' '.join(one.red.teams)} - {' '.join(one.blue.teams)}"
    events.type_matches(LEAD, KEY, f"{same}\n2: 20 - 9999 = 3 - 4\n90: 20 - 71", seen_version=0)
    return official


def test_what_was_typed_stays_where_it_differs_and_is_named(typed):
    refreshed = events.refresh(LEAD, KEY)

    event = stored().event
    assert (refreshed.typed_teams, refreshed.typed_matches) == (["20", "9999"], [2, 90])
    assert event.team("20") == Team("20", "Our friends", "Next door", rank=1, record="2-1-0")
    assert event.team("9999") == Team("9999", "Guest")
    assert event.match(2) == Match(2, Alliance(("20",), 3), Alliance(("9999",), 4))
    # The same robots: its score is news.
    assert event.match(1).was_played
    assert (len(event.teams), len(event.matches)) == (13, 7)


def test_a_disqualified_robot_that_was_typed_stays_until_it_is_told(official):
    events.refresh(LEAD, KEY)
    parts = stored()
    barred = parts.event.match(1).red.teams[0]
    lines = match_lines(parts.event.matches).replace(f"1: {barred} ", f"1: {barred}! ", 1)
    events.type_matches(LEAD, KEY, lines, seen_version=parts.schedule.seen_version)
    official.later_ms = A_MINUTE

    assert events.refresh(LEAD, KEY).typed_matches == [1]
    assert stored().event.match(1).red.disqualified == (barred,)
    alliances = official.answers[f"/event/{KEY}/matches"][0]["alliances"]
    alliances["red"]["dq_team_keys"] = [f"frc{barred}"]
    official.later_ms = 2 * A_MINUTE
    assert events.refresh(LEAD, KEY).typed_matches == []
    assert stored().event.match(1).red.disqualified == (barred,)


def test_leads_may_say_that_what_is_told_wins_but_nothing_that_only_they_know_is_lost(typed):
    refreshed = events.refresh(LEAD, KEY, replaces_typed=True)

    event = stored().event
    assert (refreshed.typed_teams, refreshed.typed_matches) == (["9999"], [90])
    assert event.team("20").name == "Robots 20"
    assert event.match(2).teams == field.schedule(field.TEAMS, 2)[1].teams
    assert (event.team("9999").name, event.match(90).teams) == ("Guest", ("20", "71"))


def test_typing_over_what_was_told_makes_it_typed(official):
    events.refresh(LEAD, KEY)
    parts = stored()
    text = "\n".join("20 Renamed" if number == "20" else number for number in field.TEAMS[:2])
    events.type_teams(LEAD, KEY, text, seen_version=parts.teams.seen_version)

    assert stored().teams.by_hand[:2] == ["20", "2053"]
    assert stored().event.team("20") == Team("20", "Renamed", rank=1, record="2-1-0")


def test_what_leads_took_out_stays_out_until_they_say_otherwise(official):
    events.refresh(LEAD, KEY)
    parts = stored()
    teams = "\n".join(team.label for team in parts.event.teams if team.number != "20")
    matches = [match for match in parts.event.matches if match.number != 5]
    events.type_teams(LEAD, KEY, teams, seen_version=parts.teams.seen_version)
    events.type_matches(LEAD, KEY, match_lines(matches), seen_version=parts.schedule.seen_version)
    official.later_ms = A_MINUTE
    refreshed = events.refresh(LEAD, KEY)

    assert "20" in refreshed.typed_teams
    assert refreshed.typed_matches == [5]
    assert "20" not in [team.number for team in stored().event.teams]
    assert stored().event.match(5) is None
    events.refresh(LEAD, KEY, replaces_typed=True)
    assert stored().event.team("20").name == "Robots 20"
    assert stored().event.match(5)
    assert (stored().teams.by_hand, stored().schedule.by_hand) == ([], [])


@pytest.mark.parametrize(
    "broken", [{"rankings": [3]}, [], "soon", {"rankings": [{"team_key": "frc20", "rank": "x"}]}]
)
def test_a_ranking_that_cannot_be_read_stops_nothing_and_the_ranks_stay(official, broken):
    events.refresh(LEAD, KEY)
    official.later_ms = A_MINUTE
    official.answers = tba_server.answers(KEY, matches=7, played=5)
    official.answers[f"/event/{KEY}/rankings"] = broken
    events.refresh(LEAD, KEY)

    assert len(stored().event.matches) == 7
    assert stored().event.team("2053").rank == 2


def test_a_team_with_an_odd_key_harms_no_other(official):
    official.answers[f"/event/{KEY}/teams"].append({"key": "frc99999", "nickname": "Odd"})
    official.answers[f"/event/{KEY}/rankings"]["rankings"].append(tba_server.ranked("99999", 99))
    official.answers[f"/event/{KEY}/matches"][5]["alliances"]["red"]["team_keys"][0] = "frc99999"
    refreshed = events.refresh(LEAD, KEY)

    assert (refreshed.teams, refreshed.matches) == (12, 6)
    assert len(stored().event.match(6).red.teams) == 2


def test_half_a_character_is_stored_as_a_question_mark(official):
    official.answers[f"/event/{KEY}"] |= {"name": "Half \ud800", "city": "\udfff"}
    official.answers[f"/event/{KEY}/teams"][0]["nickname"] = "\ud800 Robots"
    official.answers[f"/event/{KEY}/matches"][0]["videos"][0]["key"] = "v\ud800"
    events.refresh(LEAD, KEY)

    assert (stored().info.name, stored().info.place) == ("Half ?", "?, Deutschland")
    assert stored().event.team("20").name == "? Robots"
    assert stored().event.match(1).videos == ("v?",)


def test_a_name_that_is_no_text_changes_nothing(official):
    official.answers[f"/event/{KEY}/teams"][0]["nickname"] = ["Robots"]

    with pytest.raises(NotPublished, match="an answer that we cannot read"):
        events.refresh(LEAD, KEY)


@pytest.mark.parametrize("part", ["teams", "matches"])
def test_a_broken_part_beside_good_ones_changes_nothing(official, part):
    official.answers[f"/event/{KEY}/{part}"] = {"Error": "down"}

    with pytest.raises(NotPublished, match="an answer that we cannot read"):
        events.refresh(LEAD, KEY)
    assert stored().event.teams == ()


def test_a_server_that_drips_is_not_waited_for_four_times(official, monkeypatch):
    clock = iter(range(0, 1000, 5))
    monkeypatch.setattr(client, "time", SimpleNamespace(monotonic=lambda: next(clock)))

    with pytest.raises(NotPublished, match="is not responding"):
        events.refresh(LEAD, KEY)
    assert len(official.asked) == 1


def test_however_much_is_told_the_event_can_be_stored(official):
    told = official.answers[f"/event/{KEY}/matches"]
    breakdown = {f"figure{number:02}": number + 1 for number in range(90)}
    breakdown |= {"foulPoints": 4, "adjustPoints": 2, "rp": 3}
    official.answers[f"/event/{KEY}/matches"] = [
        told[0] | {"match_number": number, "score_breakdown": {"red": breakdown, "blue": breakdown}}
        for number in range(1, 400)
    ]
    official.answers[f"/event/{KEY}/teams"][0]["nickname"] = "x" * 400_000
    ours = replace(field.REBUILT, ranking=("rp", "figure07"))
    games.save(LEAD, ours, seen_version=0)
    refreshed = events.refresh(LEAD, KEY)

    assert refreshed.matches == 300
    assert stored().event.match(1).red.official == {
        "foulPoints": 4,
        "adjustPoints": 2,
        "rp": 3,
        "figure07": 8,
    }
    assert len(stored().event.team("20").name) == 120


def test_an_answer_that_arrives_late_does_not_replace_a_newer_one(official):
    older = client.current().event(KEY)
    events.refresh(LEAD, KEY)
    newer = stored()
    events.store(
        LEAD.actor, events.replace(older, teams=older.teams[:2], as_of=older.as_of - timedelta(hours=1))
    )

    assert stored().event == newer.event


def test_who_types_during_a_refresh_is_not_overwritten(official, monkeypatch):
    told = client.current().event(KEY)
    asked = []
    parts_of = events._parts

    def overtaken(told):
        found = parts_of(told)
        if not asked:
            asked.append(1)
            thread = Thread(target=lambda: events.type_teams(LEAD, KEY, "9999 Guest", seen_version=0))
            thread.start()
            thread.join()
        return found

    monkeypatch.setattr(events, "_parts", overtaken)
    events.store(LEAD.actor, told)

    assert stored().event.team("9999").name == "Guest"
    assert len(stored().event.teams) == 13


def test_an_event_of_our_own_is_not_asked_for(tba):
    field.event()
    with pytest.raises(Invalid, match="This is our own event"):
        events.refresh(LEAD, KEY)
    assert tba.asked == []


def test_scouts_change_no_event():
    field.event()
    for change in (
        lambda: events.create(SCOUT, "2026mndu", {"name": "x"}),
        lambda: events.edit(SCOUT, KEY, {"name": "x"}, seen_version=1),
        lambda: events.type_teams(SCOUT, KEY, "1", seen_version=0),
        lambda: events.type_matches(SCOUT, KEY, "1: 1 - 2", seen_version=0),
        lambda: events.refresh(SCOUT, KEY),
    ):
        with pytest.raises(PermissionDenied):
            change()
