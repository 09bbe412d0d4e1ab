"""Robots that are taken: told at once, apart from the order."""

import pytest

from core.dynamo import metering
from scouting.selection import merge as pick_merge
from scouting.selection import pick_list
from scouting.selection import services as selection
from scouting.selection.models import FIRST, SECOND, TeamSelection
from scouting.selection.repository import selections
from tests.racing import at_once
from tests.scouting import field
from tests.scouting.selection.picks import (
    ADDRESS,
    ADMIN,
    LEAD,
    picks,
    saved_now,
    shown,
    step,
    stored_order,
    take,
    taken_now,
)

pytestmark = pytest.mark.usefixtures("db")


def test_taken_holds_at_once_and_leaves_the_unsaved_order_as_it_is(as_role):
    event = field.event(teams=("20", "101", "254B"))
    field.have_shards(event.key)
    lead = as_role("scout-lead")
    page = step(lead, lead.get(ADDRESS), "move:254B:r1")
    with metering.metered() as costs:
        page = step(lead, page, "take:254B")
    assert costs.operations == ["GetItem", "BatchGetItem", "TransactWriteItems"]
    assert page.status_code == 200
    assert "254B is taken." in page.content.decode()
    assert "Order not saved yet." in page.content.decode()
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
    assert "Not saved yet. All teams are unsorted." in page.content.decode()
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
