"""Two leads with one pick list: moves are merged, and clashes are asked about."""

import re
from html import unescape

import pytest

from core.dynamo import metering
from scouting.selection import pick_list
from scouting.selection import services as selection
from scouting.selection.models import DO_NOT_PICK, FIRST, SECOND
from tests.racing import at_once
from tests.scouting import field
from tests.scouting.selection.picks import (
    ADDRESS,
    ADMIN,
    LEAD,
    picks,
    save,
    saved_now,
    shown,
    step,
    stored_order,
    take,
)

pytestmark = pytest.mark.usefixtures("db")


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
    assert "The changes by Amara Lindqvist are now in your list." in page.content.decode()
    assert 'id="selection-behind"' not in page.content.decode()
    assert {key: teams for key, teams in shown(page).items() if teams} == {
        FIRST: ["254B"],
        SECOND: ["20"],
        DO_NOT_PICK: ["101"],
    }
    # Nothing of it is saved before somebody saves it.
    assert stored_order(event) == {SECOND: ["20"]}
    assert "Order not saved yet." in page.content.decode()


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
