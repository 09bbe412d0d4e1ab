"""The pick list: its order, its board, its versions, its file."""

import csv
import io
import re
import zipfile
from html import unescape

import pytest
from django.utils.timezone import localdate

from core.dynamo import metering
from scouting.events import services as events
from scouting.events.event import ScoutedEvent, as_stored
from scouting.events.models import EventTeams
from scouting.events.repository import event_teams
from scouting.selection import merge as pick_merge
from scouting.selection import pick_list
from scouting.selection import services as selection
from scouting.selection.models import DO_NOT_PICK, FIRST, SECOND, UNSORTED, TeamSelection
from scouting.selection.pick_list import Pick
from scouting.selection.repository import selections
from tests.cast import CAST
from tests.racing import at_once
from tests.scouting import field

pytestmark = pytest.mark.usefixtures("db")
ADDRESS = "/scouting/selection/"
LEAD, ADMIN = CAST["scout-lead"], CAST["admin"]


def picks(**columns):
    return tuple(
        Pick(number, column=column) for column, numbers in columns.items() for number in numbers.split()
    )


def numbers(some, column):
    return [pick.number for pick in pick_list.in_column(some, column)]


def shown(response):
    return {column.key: [pick.number for pick in column.picks] for column in response.context["columns"]}


def sent(response, **more):
    """What the page's form sends."""
    board = response.context["board"]
    return {
        "event": field.KEY,
        "base": board.written_base,
        "sort": board.sort,
        "once": response.context["once"],
        "pick": [pick.as_sent for pick in board.picks],
        "settled": response.context.get("settled", ""),
    } | more


def step(client, response, do, **more):
    return client.post(f"{ADDRESS}change", sent(response, do=do, **more))


def save(user, event, order, *, base=None):
    """Save an order that was made of `base`, or of what is saved now."""
    _event, before = selection.read(event.key, strong=True)
    return selection.save(user, event, order, base=before.order if base is None else base, over=before)


def saved_now(event, **columns):
    return save(LEAD, event, pick_list.refreshed(picks(**columns), event))


def take(user, event, number, **options):
    return selection.take(user, event, number, over=selection.read(event.key, strong=True)[1], **options)


def stored_order(event):
    """What is saved, without the columns in which there is nobody."""
    order = selection.read(event.key, strong=True)[1].order
    return {column: list(teams) for column, teams in order.items() if teams}


def taken_now(event):
    return [pick.number for pick in selection.read(event.key, strong=True)[1].picks if pick.taken]


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
    assert "Has left the event. Move it to Unsorted" in page.content.decode()
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
    assert "The order is not saved yet." in page.content.decode()
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
    assert "These are the ranks of now." in page.content.decode()
    tba.status = 500
    tba.later_ms += 60_000
    page = step(lead, page, "refresh")
    assert page.status_code == 200
    assert [(pick.number, pick.rank) for pick in page.context["columns"][1].picks] == [("254B", 1)]
    assert "These are the ranks of now." not in page.content.decode()


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
    assert "No event is chosen" in as_role("scout-lead").get(ADDRESS).content.decode()


# --- Two leads --------------------------------------------------------------------------------------------


def test_moves_of_different_teams_are_merged_when_the_second_lead_saves(as_role):
    event = field.event(teams=("20", "101", "102", "254B"))
    saved_now(event, r1="20 101")
    lead = as_role("scout-lead")
    page = step(lead, lead.get(ADDRESS), "move:254B:r1:1")
    save(ADMIN, event, pick_list.refreshed(picks(r1="20 101", r2="102"), event))
    assert step(lead, page, "save").status_code == 302
    assert stored_order(event) == {FIRST: ["20", "254B", "101"], SECOND: ["102"]}


def test_a_clash_is_asked_about_with_both_places_and_nothing_is_lost(as_role):
    event = field.event(teams=("20", "101", "102", "254B"))
    lead = as_role("scout-lead")
    page = step(lead, step(lead, lead.get(ADDRESS), "move:254B:r1"), "move:102:dnp")
    save(ADMIN, event, picks(r2="20 101 254B"))
    page = step(lead, page, "save")
    assert page.status_code == 409
    text = page.content.decode()
    assert "Amara Lindqvist saved this list" in text
    assert '<th scope="row">254B</th><td>R1, number 1</td><td>R2, number 3</td>' in text
    assert len(page.context["disagreements"]) == 1
    assert [pick.number for pick in page.context["their_columns"][2].picks] == ["20", "101", "254B"]
    # What does not clash is there from both sides.
    assert {key: teams for key, teams in shown(page).items() if teams} == {
        FIRST: ["254B"],
        SECOND: ["20", "101"],
        DO_NOT_PICK: ["102"],
    }
    assert stored_order(event) == {SECOND: ["20", "101", "254B"]}


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ("save", {FIRST: ["254B"], SECOND: ["20", "101"], DO_NOT_PICK: ["102"]}),
        ("settle", {SECOND: ["20", "101", "254B"], DO_NOT_PICK: ["102"]}),
    ],
)
def test_whoever_wins_a_clash_the_other_moves_of_both_are_saved(as_role, choice, expected):
    event = field.event(teams=("20", "101", "102", "254B"))
    lead = as_role("scout-lead")
    page = step(lead, step(lead, lead.get(ADDRESS), "move:254B:r1"), "move:102:dnp")
    save(ADMIN, event, picks(r2="20 101 254B"))
    page = step(lead, page, "save")
    assert step(lead, page, choice).status_code == 302
    assert stored_order(event) == expected


def test_two_leads_who_put_different_teams_in_one_place_are_asked_which_comes_first(as_role):
    event = field.event(teams=("20", "101", "254B"))
    saved_now(event, r1="20")
    lead = as_role("scout-lead")
    page = step(lead, lead.get(ADDRESS), "move:254B:r1")
    save(ADMIN, event, pick_list.refreshed(picks(r1="101 20"), event))
    page = step(lead, page, "save")
    assert page.status_code == 409
    assert shown(page)[FIRST] == ["254B", "101", "20"]
    assert step(lead, page, "settle").status_code == 302
    assert stored_order(event) == {FIRST: ["101", "254B", "20"]}


def test_two_leads_who_save_different_moves_at_once_both_end_up_in_the_list():
    event = field.event(teams=field.TEAMS)
    people, columns = (LEAD, ADMIN), (FIRST, SECOND)
    # The first saves of all make the list; the others change it.
    for number, pair in enumerate([("20", "101"), ("2053", "102"), ("2095", "103"), ("254B", "104")]):
        before = selection.read(event.key, strong=True)[1]

        def saves(who, *, before=before, pair=pair, number=number):
            order = pick_list.moved(before.picks, pair[who], columns[who], number)
            return selection.save(people[who], event, order, base=before.order, over=before)

        answers = at_once(saves, threads=2)
        assert {answer.by for answer in answers} == {LEAD.name, ADMIN.name}
    assert stored_order(event) == {
        FIRST: ["20", "2053", "2095", "254B"],
        SECOND: ["101", "102", "103", "104"],
    }
    assert len(selection.saves(event.key)) == 8


def test_of_two_leads_who_move_one_team_at_once_one_is_asked():
    event = field.event(teams=("20", "101"), matches=[])
    before = selection.read(event.key, strong=True)[1]

    def saves(who):
        order = pick_list.moved(before.picks, "20", (FIRST, SECOND)[who])
        return selection.save((LEAD, ADMIN)[who], event, order, base=before.order, over=before)

    answers = at_once(saves, threads=2)
    (asked,) = [answer for answer in answers if isinstance(answer, selection.Clash)]
    (winner,) = [answer for answer in answers if not isinstance(answer, selection.Clash)]
    assert (asked.theirs.by, asked.theirs.order) == (winner.by, winner.order)
    assert selection.read(event.key, strong=True)[1].picks == winner.picks


def test_a_step_tells_that_somebody_else_saved_and_the_order_stays(as_role):
    event = field.event(teams=("20", "101", "254B"))
    lead = as_role("scout-lead")
    page = step(lead, lead.get(ADDRESS), "move:254B:r1")
    assert 'id="selection-behind"' not in page.content.decode()
    save(ADMIN, event, pick_list.refreshed(picks(r2="20"), event))
    page = step(lead, page, "move:101:dnp")
    text = page.content.decode()
    assert "Amara Lindqvist saved this list at" in text
    assert 'value="merge"' in text
    assert (shown(page)[FIRST], shown(page)[SECOND]) == (["254B"], [])
    page = step(lead, page, "merge")
    assert page.status_code == 200
    assert "The changes of Amara Lindqvist are in your list." in page.content.decode()
    assert 'id="selection-behind"' not in page.content.decode()
    assert {key: teams for key, teams in shown(page).items() if teams} == {
        FIRST: ["254B"],
        SECOND: ["20"],
        DO_NOT_PICK: ["101"],
    }
    # Nothing of it is saved before somebody saves it.
    assert stored_order(event) == {SECOND: ["20"]}
    assert "The order is not saved yet." in page.content.decode()


def test_changes_that_clash_are_asked_about_as_soon_as_they_are_wanted(as_role):
    event = field.event(teams=("20", "101"), matches=[])
    lead = as_role("scout-lead")
    page = step(lead, lead.get(ADDRESS), "move:20:r1")
    save(ADMIN, event, pick_list.refreshed(picks(r2="20"), event))
    page = step(lead, page, "merge")
    assert page.status_code == 409
    assert '<th scope="row">20</th><td>R1, number 1</td><td>R2, number 1</td>' in page.content.decode()


def asks(client, page):
    """What an open page asks for every few seconds."""
    (address,) = re.findall(r'id="selection-news" hx-get="([^"]+)"', page.content.decode())
    return client.get(unescape(address), headers={"HX-Request": "true"})


def test_an_open_page_is_told_of_a_save_by_itself(as_role):
    event = field.event(teams=("20", "101", "254B"))
    lead = as_role("scout-lead")
    page = step(lead, lead.get(ADDRESS), "move:254B:r1")
    with metering.metered() as costs:
        assert asks(lead, page).status_code == 204
    assert costs.operations == ["GetItem", "GetItem"]
    save(ADMIN, event, pick_list.refreshed(picks(r2="20"), event))
    told = asks(lead, page)
    text = told.content.decode()
    assert "Amara Lindqvist saved this list at" in text
    # It has nothing in it that would replace what was sorted.
    assert 'name="pick"' not in text
    # It is told once, and stays until the lead does something about it.
    assert asks(lead, told).status_code == 204


def test_an_open_page_shows_who_is_taken_and_says_nothing_of_a_save(as_role):
    event = field.event(teams=("20", "101", "254B"))
    lead = as_role("scout-lead")
    take(LEAD, event, "20")
    page = step(lead, lead.get(ADDRESS), "move:254B:r1")
    take(ADMIN, event, "101")
    take(ADMIN, event, "20", is_free=True)
    text = asks(lead, page).content.decode()
    assert "saved this list" not in text
    buttons = re.findall(r'id="(take-\w+)" name="do" value="([\w:]+)" aria-pressed="(\w+)"', text)
    assert sorted(buttons) == [("take-101", "free:101", "true"), ("take-20", "take:20", "false")]
    assert text.count('hx-swap-oob="true"') == 2


# --- Taken ------------------------------------------------------------------------------------------------


def test_taken_holds_at_once_and_leaves_the_unsaved_order_as_it_is(as_role):
    event = field.event(teams=("20", "101", "254B"))
    lead = as_role("scout-lead")
    page = step(lead, lead.get(ADDRESS), "move:254B:r1")
    with metering.metered() as costs:
        page = step(lead, page, "take:254B")
    assert costs.operations == ["GetItem", "BatchGetItem", "TransactWriteItems"]
    assert page.status_code == 200
    assert "254B is taken." in page.content.decode()
    assert "The order is not saved yet." in page.content.decode()
    assert shown(page)[FIRST] == ["254B"]
    assert taken_now(event) == ["254B"]
    assert stored_order(event) == {}
    page = step(lead, page, "free:254B")
    assert "254B is free." in page.content.decode()
    assert shown(page)[FIRST] == ["254B"]
    assert taken_now(event) == []


def test_a_page_that_does_not_know_yet_who_is_taken_frees_nobody(as_role):
    event = field.event(teams=("20", "101", "254B"))
    saved_now(event, r1="20 101")
    lead = as_role("scout-lead")
    page = lead.get(ADDRESS)
    take(ADMIN, event, "101")
    # Both pressed Taken: it is taken.
    page = step(lead, page, "take:101")
    assert taken_now(event) == ["101"]
    step(lead, step(lead, page, "move:254B:r2"), "save")
    assert taken_now(event) == ["101"]
    assert stored_order(event) == {FIRST: ["20", "101"], SECOND: ["254B"]}


def test_a_tick_is_no_save_and_says_nothing_of_one(as_role):
    event = field.event(teams=("20", "101", "254B"))
    saved_now(event, r1="20")
    saved_at = selection.read(event.key, strong=True)[1].at
    take(ADMIN, event, "101")
    page = as_role("scout-lead").get(ADDRESS)
    assert "Saved by Leandro Sato" in page.content.decode()
    assert page.context["board"].saved.at == saved_at
    assert [save.actor_name for save in page.context["saves"]] == ["Leandro Sato"]


def test_before_the_first_save_a_tick_is_all_that_there_is(as_role):
    event = field.event(teams=("20", "101"), matches=[])
    lead = as_role("scout-lead")
    page = step(lead, lead.get(ADDRESS), "take:20")
    assert "Not saved yet: all teams are unsorted." in page.content.decode()
    page = step(lead, step(lead, page, "move:101:r1"), "save")
    assert (stored_order(event), taken_now(event)) == ({FIRST: ["101"]}, ["20"])


def test_ticks_of_many_at_once_are_all_there_and_so_is_the_order():
    event = field.event(teams=field.TEAMS)
    before = selection.read(event.key, strong=True)[1]

    def works(who):
        if who == 0:
            order = pick_list.moved(before.picks, "20", FIRST)
            return selection.save(LEAD, event, order, base=before.order, over=before)
        return selection.take(ADMIN, event, field.TEAMS[who], over=before)

    answers = at_once(works, threads=5)
    assert all(isinstance(answer, selection.Saved) for answer in answers)
    assert sorted(taken_now(event)) == sorted(field.TEAMS[1:5])
    assert stored_order(event) == {FIRST: ["20"]}


def test_a_list_from_before_says_in_each_team_whether_it_is_taken(as_role):
    event = field.event(teams=("20", "101"), matches=[])
    teams = [
        {"teamNumber": "20", "teamName": "", "rank": 0, "columnId": FIRST, "taken": True},
        {"teamNumber": "101", "teamName": "", "rank": 0, "columnId": FIRST, "taken": False},
    ]
    stored = TeamSelection.about(event.key, teams=teams, saved_by="Amara Lindqvist")
    selections.create(stored, actor=ADMIN.actor)
    assert taken_now(event) == ["20"]
    lead = as_role("scout-lead")
    page = step(lead, lead.get(ADDRESS), "take:101")
    assert "Saved by Amara Lindqvist" in page.content.decode()
    assert taken_now(event) == ["20", "101"]
    step(lead, page, "free:20")
    assert taken_now(event) == ["101"]


def test_an_order_is_carried_by_a_form_as_it_is():
    order = pick_list.order_of(picks(r1="254B 20", dnp="101", unsorted="102"))
    text = pick_merge.written(order)
    assert text == "r1.254B.20_dnp.101"
    assert pick_list.order_from_form(text) == order
    assert pick_list.order_from_form("") == pick_list.order_of(())


# --- Versions ---------------------------------------------------------------------------------------------


def test_a_save_that_is_sent_twice_is_saved_once(as_role):
    event = field.event()
    lead = as_role("scout-lead")
    page = step(lead, lead.get(ADDRESS), "move:254B:r1")
    assert [step(lead, page, "save").status_code for _again in range(2)] == [302, 302]
    assert len(selection.saves(event.key)) == 1


def test_the_last_ten_saves_can_be_restored(as_role):
    event = field.event(teams=field.TEAMS)
    for number in field.TEAMS:
        saved_now(event, r1=number)
    lead = as_role("scout-lead")
    saves = lead.get(ADDRESS).context["saves"]
    assert len(saves) == 10
    page = lead.get(ADDRESS, {"restore": saves[9].entry_id})
    assert shown(page)[FIRST] == [field.TEAMS[2]]
    step(lead, page, "save")
    assert numbers(selection.read(event.key, strong=True)[1].picks, FIRST) == [field.TEAMS[2]]
    assert lead.get(ADDRESS, {"restore": "2020#no"}).status_code == 404


def test_saves_are_found_behind_all_that_was_ticked_since(as_role):
    event = field.event(teams=field.TEAMS)
    saved_now(event, r1="20")
    saved_now(event, r1="101")
    for number in field.TEAMS:
        take(LEAD, event, number)
    lead = as_role("scout-lead")
    saves = lead.get(ADDRESS).context["saves"]
    assert len(saves) == 2
    page = lead.get(ADDRESS, {"restore": saves[1].entry_id})
    assert shown(page)[FIRST] == ["20"]


def test_who_is_taken_stays_taken_when_an_earlier_list_is_brought_back(as_role):
    event = field.event(teams=("20", "101", "254B"))
    saved_now(event, r1="101 20")
    saved_now(event, r2="20 101")
    take(LEAD, event, "101")
    lead = as_role("scout-lead")
    page = lead.get(ADDRESS, {"restore": lead.get(ADDRESS).context["saves"][1].entry_id})
    assert shown(page)[FIRST] == ["101", "20"]
    step(lead, page, "save")
    assert taken_now(event) == ["101"]
    assert stored_order(event) == {FIRST: ["101", "20"]}


# --- Files ------------------------------------------------------------------------------------------------


def test_the_file_has_a_column_for_each_round_and_no_formula(as_role):
    event = field.event(teams=("20", "101", "102", "254B"))
    saved_now(event, r1="254B 20", r2="101")
    response = as_role("scout-lead").get(f"{ADDRESS}report.csv")
    text = b"".join(response.streaming_content).decode()
    assert text[0] == "\ufeff"
    assert list(csv.reader(io.StringIO(text[1:]))) == [
        ["Unsorted(1)", "R1", "R2", "R3"],
        ["102 - Robots 102", "254B - Robots 254B", "101 - Robots 101", ""],
        ["", "20 - Robots 20", "", ""],
    ]
    name = f"team-selection-{field.KEY}-{localdate().isoformat()}.csv"
    assert response["Content-Disposition"] == f'attachment; filename="{name}"'


def test_the_list_is_a_workbook_too(as_role):
    saved_now(field.event(teams=("20", "101"), matches=[]), r1="20 101")
    response = as_role("scout-lead").get(f"{ADDRESS}report.xlsx")
    book = zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content)))
    assert "20 - Robots 20" in "".join(
        book.read(name).decode() for name in book.namelist() if name.endswith(".xml")
    )


def test_without_unsorted_teams_their_column_is_left_out(as_role):
    event = field.event(teams=("20", "101"), matches=[])
    saved_now(event, r1="20 101")
    text = b"".join(as_role("scout-lead").get(f"{ADDRESS}report.csv").streaming_content).decode()
    assert text.splitlines()[0] == "\ufeffR1,R2,R3"


def test_the_sheet_of_paper_strikes_out_who_is_taken(as_role):
    event = field.event(teams=("20", "101"), matches=[])
    saved_now(event, r1="20 101")
    take(LEAD, event, "101")
    assert "<s>101 Robots 101</s>" in as_role("scout-lead").get(f"{ADDRESS}print").content.decode()


def test_a_list_that_was_saved_before_with_another_order_is_not_lost(as_role):
    field.event()
    client = as_role("scout-lead")
    first = sent(client.get(ADDRESS), do="save")
    assert client.post(f"{ADDRESS}change", first).status_code == 302
    # Back, another order, and saved again: the page still has the earlier key.
    again = client.post(f"{ADDRESS}change", first | {"pick": first["pick"][::-1]})

    assert again.status_code == 200
    assert [pick.as_sent for pick in again.context["board"].picks] == first["pick"][::-1]
    assert "Save again to keep this one." in again.content.decode()
