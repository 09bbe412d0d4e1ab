"""Events by the API: their fields, teams, matches, and what is computed of them."""

import pytest

from core.dynamo import metering
from scouting.events.repository import event_infos
from tests.api.programs import pointers
from tests.scouting import field
from tests.scouting.field import KEY, TEAMS

SENT = {"event": "2026week0", "name": "Week 0", "isOwn": True, "startsOn": "2026-02-21", "place": "Home"}


@pytest.fixture
def lead(program):
    return program("scout-lead")


def test_an_event_is_made_once_and_found_at_its_location(lead):
    made = lead.post("events", SENT, idempotency_key="once")
    again = lead.post("events", SENT, idempotency_key="once")
    assert (made.status_code, again.status_code) == (201, 200)
    assert made.json() | SENT | {"entity": "Event", "endsOn": None} == made.json() == again.json()
    assert made["Location"] == "/api/v1/scouting/events/2026week0"
    assert (lead.get(made["Location"]).json(), lead.get(made["Location"])["ETag"]) == (
        made.json(),
        made["ETag"],
    )
    assert lead.post("events", SENT).status_code == 409


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        ({"event": "week0"}, "/body/event"),
        ({"name": " "}, "/body/name"),
        ({"startsOn": "2026-02-30"}, "/body/startsOn"),
        ({"startsOn": "tomorrow"}, "/body/startsOn"),
        ({"endsOn": "2026-02-20"}, "/body/endsOn"),
        ({"timeZone": "Mars/Olympus"}, "/body/timeZone"),
        ({"isOwn": "yes"}, "/body/isOwn"),
        ({"entity": "Config"}, "/body/entity"),
    ],
)
def test_each_wrong_field_is_named(lead, wrong, pointer):
    answer = lead.post("events", SENT | wrong)
    assert (answer.status_code, pointers(answer)) == (400, [pointer])
    assert event_infos.newest_first() == []


def test_an_event_is_called_by_its_code_and_one_of_our_own_needs_a_name(lead):
    assert lead.post("events", {"event": "2026mndu"}).json()["name"] == "2026mndu"
    answer = lead.post("events", {"event": "2026week0", "isOwn": True})
    assert (answer.status_code, pointers(answer)) == (400, ["/body/name"])


def test_a_change_leaves_the_rest(lead):
    made = lead.post("events", SENT)
    changed = lead.patch(made["Location"], {"endsOn": "2026-02-22"}, if_match=made["ETag"])
    different = {name for name, value in changed.json().items() if made.json()[name] != value}
    assert (changed.status_code, different) == (200, {"endsOn", "updatedAt", "version"})
    assert lead.patch(made["Location"], {"place": "Away"}, if_match=made["ETag"]).status_code == 412
    assert lead.patch(made["Location"], {"place": "Away"}).status_code == 428
    assert (
        lead.patch(made["Location"], {"startsOn": None}, if_match=changed["ETag"]).json()["startsOn"] is None
    )


def test_a_change_that_is_sent_twice_is_made_once(lead):
    made = lead.post("events", SENT)
    sent = {"if_match": made["ETag"], "idempotency_key": "change"}
    first = lead.patch(made["Location"], {"place": "Away"}, **sent)
    again = lead.patch(made["Location"], {"place": "Away"}, **sent)
    assert (again.status_code, again.json()) == (200, first.json())


def test_an_event_is_deleted_unless_there_are_forms_of_it(lead):
    made = lead.post("events", SENT)
    assert lead.delete(made["Location"], if_match='"1"').status_code == 412
    assert lead.delete(made["Location"]).status_code == 204
    assert lead.get(made["Location"]).status_code == 404
    field.event()
    field.be_at(None)
    field.stand("20", 1)
    assert lead.delete(f"events/{KEY}").status_code == 409


def test_events_are_listed_newest_first_and_in_pages(lead, program):
    field.exist("2024a1", "2026a1", "2025a1")
    scout = program("scout")
    assert [event["event"] for event in scout.get("events").json()] == ["2026a1", "2025a1", "2024a1"]
    page = scout.get("events?limit=2&fields=event").json()
    assert page["items"] == [{"event": "2026a1"}, {"event": "2025a1"}]
    rest = scout.get(f"events?limit=2&fields=event&nextToken={page['nextToken']}").json()
    assert rest == {"items": [{"event": "2024a1"}], "nextToken": None}


def test_teams_and_matches_are_told_to_scouts(program):
    field.event(matches=2, played=1)
    scout = program("scout")
    teams, matches = scout.get(f"events/{KEY}/teams").json(), scout.get(f"events/{KEY}/matches").json()
    assert {team["teamNumber"] for team in teams} == set(TEAMS)
    assert teams[0] == {"teamNumber": "20", "teamName": "Robots 20", "place": "", "rank": 1, "record": ""}
    assert [(match["matchNumber"], match["level"]) for match in matches] == [(1, "qm"), (2, "qm")]
    assert [len(match["red"]["teams"]) for match in matches] == [3, 3]
    assert [match["blue"]["score"] is None for match in matches] == [False, True]


def test_aggregates_merge_the_reports_of_each_robot(lead):
    field.event()
    field.stand("20", 1, teleFuel=10), field.stand("20", 2, teleFuel=0), field.stand("20", 3, no_show=True)
    field.stand("20", 1, teleFuel=14, further="another", comments="Fast")
    lead.get("config")
    with metering.metered() as meter:
        teams = {team["teamNumber"]: team for team in lead.get(f"events/{KEY}/aggregates").json()}
    assert (list(teams), meter.requests) == (sorted(TEAMS, key=lambda team: (int(team.strip("B")), team)), 3)
    team = teams["20"]
    assert (team["matches"], team["noShows"], team["series"]["teleFuel"]) == ([1, 2], [3], [12, 0])
    assert (team["figures"]["totalScore.mean"], team["figures"]["matches"]) == (6, 2)
    assert [remark["comments"] for remark in team["comments"]] == ["Fast"]
    assert teams["101"]["figures"]["totalScore.mean"] is None


def test_ratings_and_ranking_come_from_the_official_scores(lead):
    field.event(matches=40, played=40)
    ratings = lead.get(f"events/{KEY}/ratings").json()
    assert [team["teamNumber"] for team in ratings][:2] == ["20", "101"]
    assert all(abs(team["opr"] - team["dpr"] - team["ccwm"]) < 1e-6 for team in ratings)
    ranking = lead.get(f"events/{KEY}/ranking").json()
    assert [row["rank"] for row in ranking] == [*range(1, 13)]
    assert sum(row["wins"] + row["losses"] + row["ties"] for row in ranking) == 240


def test_before_the_first_match_nothing_is_rated(lead):
    field.event()
    assert {team["opr"] for team in lead.get(f"events/{KEY}/ratings").json()} == {None}
    assert lead.get(f"events/{KEY}/ranking").json() == []


def test_a_refresh_brings_teams_and_matches(lead, settings):
    lead.post("events", {"event": "2026mndu"})
    assert lead.post("events/2026mndu/refresh").status_code == 503
    lead.post("events", SENT)
    assert lead.post("events/2026week0/refresh").status_code == 400


@pytest.mark.parametrize("part", ["", "/teams", "/matches", "/aggregates", "/ratings", "/ranking"])
@pytest.mark.parametrize("key", ["2026nope", "nothing", "EVENT%232026"])
def test_an_event_that_does_not_exist_is_not_found(lead, key, part):
    assert lead.get(f"events/{key}{part}").status_code == 404


def test_only_leads_change_events_and_see_what_is_computed(program):
    field.event()
    scout = program("scout")
    assert scout.post("events", SENT).status_code == 403
    assert scout.patch(f"events/{KEY}", {"place": "Away"}, if_match='"1"').status_code == 403
    assert scout.delete(f"events/{KEY}").status_code == 403
    assert scout.post(f"events/{KEY}/refresh").status_code == 403
    for part in ("aggregates", "ratings", "ranking"):
        assert scout.get(f"events/{KEY}/{part}").status_code == 403
