"""The pick list: its order and its board."""

import pytest

from core.dynamo import metering
from scouting.events import services as events
from scouting.events.event import ScoutedEvent, as_stored
from scouting.events.models import EventTeams
from scouting.events.repository import event_teams
from scouting.selection import pick_list
from scouting.selection import services as selection
from scouting.selection.models import DO_NOT_PICK, FIRST, SECOND, UNSORTED
from scouting.selection.pick_list import Pick
from tests.scouting import field
from tests.scouting.selection.picks import ADDRESS, LEAD, numbers, picks, save, saved_now, sent, shown, step

pytestmark = pytest.mark.usefixtures("db")


# --- The order --------------------------------------------------------------------------------------------


def test_a_team_moves_to_the_top_of_a_column_or_to_where_it_was_dropped():
    order = picks(unsorted="20 254B", r1="101 102 103")
    assert numbers(pick_list.moved(order, "254B", FIRST), FIRST) == ["254B", "101", "102", "103"]
    assert numbers(pick_list.moved(order, "254B", FIRST, 2), FIRST) == ["101", "102", "254B", "103"]
    assert numbers(pick_list.moved(order, "254B", FIRST, 99), FIRST) == ["101", "102", "103", "254B"]
    assert numbers(pick_list.moved(order, "254B", DO_NOT_PICK), UNSORTED) == ["20"]


@pytest.mark.parametrize(
    ("team", "step", "expected"),
    [
        ("102", -1, "102 101 103"),
        ("102", 1, "101 103 102"),
        ("101", -1, "101 102 103"),
        ("103", 1, "101 102 103"),
    ],
)
def test_up_and_down_stay_within_the_column(team, step, expected):
    order = picks(r1="101 102 103", r2="104")
    after = pick_list.shifted(order, team, step)
    assert numbers(after, FIRST) == expected.split()
    assert numbers(after, SECOND) == ["104"]


def test_unsorted_teams_are_in_the_order_of_number_rank_or_score():
    ranks = {"2053": 2, "254B": 0, "20": 3, "254": 1}
    order = tuple(Pick(number, rank=rank) for number, rank in ranks.items())
    scores = {"20": 1.5, "254B": 2}
    by = {
        name: numbers(pick_list.with_unsorted_by(order, name, scores), UNSORTED)
        for name in ("number", "rank", "score")
    }
    assert by == {
        "number": ["20", "254", "254B", "2053"],
        "rank": ["254", "2053", "20", "254B"],
        "score": ["254B", "20", "254", "2053"],
    }


def test_ranks_and_names_are_those_of_today_and_new_teams_are_unsorted():
    event = field.event(teams=("20", "101", "102"))
    saved_now(event, r1="101 20")
    teams = event_teams.get(event_teams.key_of(EventTeams.about(field.KEY)), strong=True)
    told = as_stored(field.named(("101", "254B", "20", "102")))
    event_teams.update(teams, {"teams": told}, actor=LEAD.actor)
    today = selection.read(field.KEY, strong=True)[1]
    assert [(pick.number, pick.name, pick.rank, pick.column) for pick in today.picks] == [
        ("101", "Robots 101", 1, FIRST),
        ("20", "Robots 20", 3, FIRST),
        ("102", "Robots 102", 4, UNSORTED),
        ("254B", "Robots 254B", 2, UNSORTED),
    ]


def test_who_has_left_the_event_leaves_the_list_but_never_a_round_by_itself():
    event = field.event(teams=("20", "101"), matches=[])
    today = pick_list.refreshed(picks(unsorted="7", r1="8 101"), event)
    assert [(pick.number, pick.column, pick.has_left) for pick in today] == [
        ("8", FIRST, True),
        ("101", FIRST, False),
        ("20", UNSORTED, False),
    ]
    # As long as nobody knows who comes, nobody has left.
    unknown = pick_list.refreshed(picks(unsorted="7"), ScoutedEvent(field.KEY, field.KEY))
    assert [pick.number for pick in unknown] == ["7"]


def test_who_has_left_takes_no_room_and_is_not_in_the_file(as_role):
    event = field.event(teams=[str(number) for number in range(101, 131)])
    everybody = pick_list.refreshed((), event)
    save(LEAD, event, (*everybody, Pick("8", "Gone", column=FIRST)))
    lead = as_role("scout-lead")
    page = lead.get(ADDRESS)
    assert page.context["columns"][3].room == 7
    assert "No longer at the event. Move it to Unsorted" in page.content.decode()
    assert "Gone" not in b"".join(lead.get(f"{ADDRESS}report.csv").streaming_content).decode()


# --- The board --------------------------------------------------------------------------------------------


def test_a_lead_sorts_with_plain_posts_and_saves(as_role):
    field.event(teams=("20", "2053", "2095", "254B"))
    lead = as_role("scout-lead")
    page = lead.get(ADDRESS)
    assert shown(page)[UNSORTED] == ["20", "254B", "2053", "2095"]
    page = step(lead, page, "move:254B:r1")
    page = step(lead, page, "move:20:r1")
    page = step(lead, page, "down:20")
    assert page.status_code == 200
    assert "20 is number 2 in “R1”." in page.content.decode()
    assert "Order not saved yet." in page.content.decode()
    assert selection.read(field.KEY)[1].version == 0
    assert step(lead, page, "save").status_code == 302
    page = lead.get(ADDRESS)
    assert {key: teams for key, teams in shown(page).items() if teams} == {
        UNSORTED: ["2053", "2095"],
        FIRST: ["254B", "20"],
    }
    assert "Saved by Leandro Sato" in page.content.decode()


def test_a_team_that_is_not_on_the_list_is_not_taken(as_role):
    field.event(teams=("20", "2053"))
    lead = as_role("scout-lead")
    page = step(lead, lead.get(ADDRESS), "take:9999")
    assert page.status_code == 400
    assert "This team is not on the list." in page.content.decode()


def test_the_last_round_has_room_for_all_but_23(as_role):
    field.event(teams=[str(number) for number in range(101, 131)])
    page = as_role("scout-lead").get(ADDRESS)
    assert page.context["columns"][3].room == 7
    assert ">0/7<" in page.content.decode()


def test_a_weighted_list_begins_the_first_round(as_role):
    field.event(teams=field.TEAMS)
    for fuel, team in enumerate(field.TEAMS, 1):
        field.stand(team, 1, teleFuel=fuel, autoFuel=50 - fuel * 2)
    lead = as_role("scout-lead")
    page = step(lead, lead.get(ADDRESS), "seed", **{"weight-auto": "0", "weight-tele": "1"})
    assert shown(page)[FIRST] == list(reversed(field.TEAMS))[:8]
    page = step(lead, lead.get(ADDRESS), "sort:score", **{"weight-auto": "2", "weight-tele": "1"})
    assert shown(page)[UNSORTED] == list(field.TEAMS)


def test_whoever_is_taken_is_not_in_the_weighted_list():
    order = pick_list.with_taken(picks(unsorted="20 101 254B"), {"101"})
    seeded = pick_list.seeded(order, {"20": 1, "101": 3, "254B": 2}, 2)
    assert (numbers(seeded, FIRST), numbers(seeded, UNSORTED)) == (["254B", "20"], ["101"])


def test_a_step_costs_two_requests_and_a_save_four(as_role):
    field.event()
    field.have_shards(field.KEY)
    lead = as_role("scout-lead")
    page = lead.get(ADDRESS)
    with metering.metered() as step_costs:
        page = step(lead, page, "move:254B:r1")
    with metering.metered() as save_costs:
        step(lead, page, "save")
    assert step_costs.requests == 2
    assert save_costs.requests == 3


def test_a_save_by_htmx_does_not_read_again_what_it_has_just_written(as_role):
    field.event()
    field.have_shards(field.KEY)
    lead = as_role("scout-lead")
    page = lead.get(ADDRESS)
    with metering.metered() as costs:
        page = lead.post(f"{ADDRESS}change", sent(page, do="save"), headers={"HX-Request": "true"})
    # The session, the event with its list, and the save.
    assert costs.operations == ["GetItem", "BatchGetItem", "TransactWriteItems"]
    assert f'href="{ADDRESS}?event={field.KEY}#saves"' in page.content.decode()
    assert 'id="saves"' in lead.get(ADDRESS).content.decode()


def test_the_ranks_of_now_come_to_the_board_and_the_order_stays(tba, as_role):
    events.create(LEAD, field.KEY, {"name": field.KEY})
    field.be_at(field.KEY)
    events.refresh(LEAD, field.KEY)
    lead = as_role("scout-lead")
    page = step(lead, lead.get(ADDRESS), "move:254B:r1")
    ranked = tba.answers[f"/event/{field.KEY}/rankings"]["rankings"]
    ranked[0]["rank"], ranked[3]["rank"] = 4, 1
    tba.later_ms += 60_000
    page = step(lead, page, "refresh")
    assert [(pick.number, pick.rank) for pick in page.context["columns"][1].picks] == [("254B", 1)]
    assert "Ranks updated." in page.content.decode()
    tba.status = 500
    tba.later_ms += 60_000
    page = step(lead, page, "refresh")
    assert page.status_code == 200
    assert [(pick.number, pick.rank) for pick in page.context["columns"][1].picks] == [("254B", 1)]
    assert "Ranks updated." not in page.content.decode()


def test_an_event_of_our_own_has_no_ranks_to_ask_for(tba, as_role):
    field.event()
    assert 'value="refresh"' not in as_role("scout-lead").get(ADDRESS).content.decode()


def test_nonsense_is_refused(as_role):
    field.event()
    lead = as_role("scout-lead")
    page = lead.get(ADDRESS)
    for do, more in (
        ("move:254B:moon", {}),
        ("move:7:r1", {}),
        ("dance", {}),
        ("save", {"pick": ["254B:moon"]}),
        ("save", {"base": "moon.254B"}),
        ("save", {"base": "r1.no-team"}),
        ("settle", {"settled": "r1.254B_moon.20"}),
    ):
        assert step(lead, page, do, **more).status_code == 400


def test_without_an_event_the_page_says_what_to_do(as_role):
    assert "No event selected" in as_role("scout-lead").get(ADDRESS).content.decode()
