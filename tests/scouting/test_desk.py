"""Leads find events and the teams that were there, as they may open them; nobody else finds anything."""

import pytest
from django.core.management import call_command
from django.test import Client

from core.dynamo import maintenance
from core.dynamo.actors import SYSTEM
from core.dynamo.metering import metered
from core.dynamo.search_index import WordRow
from scouting.events import services as events
from scouting.events.event import Team, as_stored
from scouting.events.models import EventInfo, EventTeams
from scouting.events.repository import event_infos, event_teams
from tests.cast import CAST, sign_in
from tests.scouting.field import LEAD

pytestmark = pytest.mark.usefixtures("db")

DULUTH, TROY = "2026mndu", "2024nytr"
POOFS = Team("254", name="The Cheesy Poofs")


def at(key, name, *teams, place=""):
    event_infos.create(EventInfo.about(key, name=name, place=place), actor=SYSTEM)
    event_teams.create(EventTeams.about(key, teams=as_stored(teams)), actor=SYSTEM)


def found(text, role="scout-lead"):
    page = sign_in(Client(), role).get("/search", {"q": text})
    return [
        (str(hit.title), str(hit.kind), hit.address)
        for group in page.context["groups"]
        if group.id == "records"
        for hit in group.hits
    ]


def test_an_event_is_found_by_its_name_its_code_and_its_place():
    at(DULUTH, "Lake Superior Regional", place="Duluth, MN, USA")
    at(TROY, "New York Tech Valley Regional")
    hit = (
        "Lake Superior Regional",
        "Scouting event · 2026mndu · Duluth, MN, USA",
        "/scouting/events/2026mndu/",
    )
    texts = ("superior", "2026mn", "mndu", "duluth regional")
    assert [found(text) for text in texts] == [[hit]] * 4
    assert sorted(title for title, _, _ in found("regional")) == [
        "Lake Superior Regional",
        "New York Tech Valley Regional",
    ]


def test_a_team_is_found_by_number_and_name_and_leads_to_its_newest_event():
    at(TROY, "Tech Valley", POOFS, Team("20", name="The Rocketeers"))
    at(DULUTH, "Lake Superior", POOFS, Team("2540"), Team("254B"))
    poofs = (
        "254 The Cheesy Poofs",
        "Scouting team · Lake Superior",
        "/scouting/teams/254/?event=2026mndu",
    )
    rocketeers = ("20 The Rocketeers", "Scouting team · Tech Valley", "/scouting/teams/20/?event=2024nytr")
    assert [found(text) for text in ("cheesy", "poofs 254", "254 chee")] == [[poofs]] * 3
    assert [found(text) for text in ("rocketeers", "frc20")] == [[rocketeers]] * 2
    assert [title for title, _, _ in found("254")] == ["254 The Cheesy Poofs", "254B", "2540"]


def test_where_a_hit_leads_there_is_a_page():
    at(DULUTH, "Lake Superior", POOFS)
    client = sign_in(Client(), "scout-lead")
    assert [client.get(address).status_code for _, _, address in found("superior") + found("poofs")] == [
        200,
        200,
    ]


@pytest.mark.parametrize("role", CAST)
def test_events_and_teams_are_for_those_who_may_open_them(role):
    at(DULUTH, "Lake Superior", POOFS)
    sees = role in ("scout-lead", "admin")
    told = [[title for title, _, _ in found(text, role)] for text in ("superior", "poofs")]
    assert told == ([["Lake Superior"], ["254 The Cheesy Poofs"]] if sees else [[], []])


def test_what_was_written_just_now_is_found_and_what_was_deleted_is_not():
    at(DULUTH, "Lake Superior", POOFS)
    assert found("breakaway") == []
    parts = event_infos.parts(DULUTH, strong=True)
    typed = "254 The Cheesy Poofs\n2053 Breakaway"
    events.type_teams(LEAD, DULUTH, typed, seen_version=parts.teams.seen_version)
    assert [title for title, _, _ in found("breakaway")] == ["2053 Breakaway"]
    events.delete(LEAD, DULUTH, seen_version=parts.info.seen_version)
    assert [found(text) for text in ("superior", "breakaway")] == [[], []]


def test_events_from_before_are_found_after_a_rebuild_and_teams_at_once():
    at(DULUTH, "Lake Superior", POOFS)
    table = WordRow.Meta.table_name
    for page in maintenance.scan(TableName=table):
        for row in page["Items"]:
            if row["PK"]["S"].startswith("WORD#"):
                maintenance.request(
                    "DeleteItem", TableName=table, Key={name: row[name] for name in ("PK", "SK")}
                )
    assert (found("superior"), len(found("poofs"))) == ([], 1)
    call_command("search", "rebuild")
    assert len(found("superior")) == 1


@pytest.mark.parametrize("others", [0, 40])
def test_it_costs_two_requests_in_half_a_minute_however_many_events_there_are(others):
    for number in range(others):
        at(f"2025ev{number:02}", f"Event {number}", Team("101", name="Others"))
    at(DULUTH, "Lake Superior", POOFS)
    client = sign_in(Client(), "scout-lead")
    costs = []
    for text in ("superior", "superior", "poofs"):
        with metered() as meter:
            client.get("/search", {"q": text})
        costs.append(meter.operations)
    # The session, the softball teams, the words of website, quests and scouting, the records.
    usual = ["GetItem", "Query", "Query", "Query", "Query", "BatchGetItem"]
    assert costs == [[*usual, "Query", "BatchGetItem"], usual, usual[:-1]]


def test_of_many_teams_the_first_are_shown_and_said_to_be():
    at(DULUTH, "Lake Superior", *(Team(str(number), name="Robots") for number in range(100, 130)))
    page = sign_in(Client(), "scout-lead").get("/search", {"q": "robots"})
    assert [title for title, _, _ in found("robots")] == [f"{number} Robots" for number in range(100, 120)]
    assert page.context["found"] == "20 results. Type more to find fewer."
