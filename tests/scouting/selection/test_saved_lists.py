"""Pick lists that were saved: their versions and their files."""

import csv
import io
import zipfile

import pytest
from django.utils.timezone import localdate

from scouting.selection import services as selection
from scouting.selection.models import FIRST
from tests.scouting import field
from tests.scouting.selection.picks import (
    ADDRESS,
    LEAD,
    numbers,
    saved_now,
    sent,
    shown,
    step,
    stored_order,
    take,
    taken_now,
)

pytestmark = pytest.mark.usefixtures("db")


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
