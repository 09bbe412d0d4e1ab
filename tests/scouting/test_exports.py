"""Lists of scouting that are no analysis are files too: events, teams, matches, own forms."""

import csv
import io
import zipfile
from html import escape

import pytest

from core.dynamo.actors import SYSTEM
from scouting.events import services as events
from scouting.events.event import Alliance, Match
from scouting.forms.models import CommentForm
from scouting.forms.repository import comment_forms
from tests.scouting import field
from tests.scouting.field import KEY, LEAD, SCOUT

pytestmark = pytest.mark.usefixtures("db")
EVENTS, MINE = "/scouting/events/", "/scouting/mine/"
PLAYED = Match(
    7,
    Alliance(("20", "254B", "101"), 45, disqualified=("101",)),
    Alliance(("2053",), 60),
    time="2026-03-18T09:10:00.000Z",
    videos=("v1",),
)


def lines(response):
    text = b"".join(response.streaming_content).decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text)))


def texts_of(response):
    """What a workbook says in words."""
    with zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content))) as book:
        return book.read("xl/worksheets/sheet1.xml").decode()


def test_all_events_are_a_file_also_where_the_page_has_only_some(as_role):
    for number in range(30):
        events.create(LEAD, f"2026x{number:02}", {"name": f"=Event {number}", "place": "Hall"})
    client = as_role("scout-lead")
    assert 'id="events-csv" href="?as=csv"' in client.get(EVENTS).content.decode()
    file = client.get(f"{EVENTS}?as=csv")

    assert file["Content-Disposition"].startswith('attachment; filename="events-all-')
    told = lines(file)
    assert told[0] == ["Event", "Name", "Where", "First day", "Last day", "Our own event"]
    assert told[1] == ["2026x29", "'=Event 29", "Hall", "", "", "No"]
    assert len(told) == 31
    assert "<t>=Event 29</t>" in texts_of(client.get(f"{EVENTS}?as=xlsx"))


def test_teams_and_matches_of_an_event_are_files(as_role):
    field.event(matches=[PLAYED, *field.schedule(field.TEAMS, 1)])
    client = as_role("scout-lead")
    page = client.get(f"{EVENTS}{KEY}/").content.decode()
    assert 'href="?list=teams&amp;as=csv"' in page
    assert 'href="?list=schedule&amp;as=xlsx"' in page

    teams = lines(client.get(f"{EVENTS}{KEY}/?list=teams&as=csv"))
    assert teams[:2] == [["Team", "Name", "Where", "Rank", "Record"], ["20", "Robots 20", "", "1", ""]]
    assert len(teams) == 13
    matches = lines(client.get(f"{EVENTS}{KEY}/?list=schedule&as=csv"))
    robots, video = ["20", "254B", "101", "2053", "", ""], "https://www.youtube.com/watch?v=v1"
    assert matches[2] == ["7", "2026-03-18 10:10", *robots, "45", "60", "101", video]
    assert matches[1][8:] == ["", "", "", ""]
    assert "<t>Blue score</t>" in texts_of(client.get(f"{EVENTS}{KEY}/?list=schedule&as=xlsx"))


def test_own_forms_are_files_and_nobody_elses(as_role):
    field.event()
    for match in range(1, 31):
        field.stand("20", match, teleFuel=match, criticals=["Robot Died"], comments="=slow")
    field.stand("20", 31, scout_id="somebody-else")
    field.pit("254B")
    said = CommentForm.about(KEY, "20", scout_id=SCOUT.sub, comments="@fast")
    comment_forms.create(said, actor=SYSTEM)
    client = as_role("scout")
    assert 'href="?kind=stand&amp;as=csv"' in client.get(MINE).content.decode()

    stand = lines(client.get(f"{MINE}?as=csv"))
    assert stand[0][:6] == ["Event", "Team", "Match", "Auto", "Teleop", "Total"]
    assert stand[1][:10] == [KEY, "20", "30", "0", "30", "30", "0", "No", "No", "Robot Died"]
    assert stand[1][11] == "'=slow"
    assert len(stand) == 31
    assert [row[:2] for row in lines(client.get(f"{MINE}?kind=pit&as=csv"))] == [
        ["Event", "Team"],
        [KEY, "254B"],
    ]
    assert lines(client.get(f"{MINE}?kind=comment&as=csv"))[1][:3] == [KEY, "20", "'@fast"]


def test_the_forms_of_a_team_are_a_file_from_its_page(as_role):
    field.event()
    field.stand("20", 3, teleFuel=7)
    field.stand("2053", 3, teleFuel=9)
    client = as_role("scout-lead")
    address = f"/scouting/analysis/forms/?event={KEY}&q=20&"
    page = client.get(f"/scouting/teams/20/?event={KEY}").content.decode()

    assert f'href="{escape(address)}as=csv"' in page
    assert f'href="{escape(address)}as=xlsx"' in page
    assert [row[:3] for row in lines(client.get(f"{address}as=csv"))[1:]] == [["20", "Robots 20", "3"]]


@pytest.mark.parametrize("address", [EVENTS, f"{EVENTS}{KEY}/", MINE])
def test_a_kind_of_file_that_does_not_exist_is_the_page(as_role, address):
    field.event()
    assert "</html>" in as_role("scout-lead").get(f"{address}?as=pdf").content.decode()
