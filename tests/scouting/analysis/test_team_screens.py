"""All about one team, and teams side by side."""

import re

import pytest

from scouting.analysis import charts
from tests.scouting import field
from tests.scouting.analysis.screens import ANALYSIS, comment, lines_of

pytestmark = pytest.mark.usefixtures("db")


def test_a_team_page_has_everything_about_the_team_and_nobody_else(small_event, as_role):
    field.pit("254B", answers={"notDo": "Climb"})
    for text in ("First", "Second"):
        comment("254B", text)
    field.exist("2026other")
    field.stand("254B", 3, key="2026other", teleFuel=99)
    page = as_role("scout-lead").get("/scouting/teams/254B/")
    assert page.context["rows"] == charts.rows((("1", 20, 0),))
    assert page.context["elsewhere"] == ["2026other"]
    text = page.content.decode()
    assert text.index("Second") < text.index("First") < text.index("Tips over")
    assert "Climb" in text
    assert "Robot Tipped (1)" in text


def test_a_team_page_has_all_comments_and_forms_of_the_event_however_much_is_written_elsewhere(
    small_event, as_role
):
    field.exist("2026other")
    comment("254B", "The oldest one")
    for number in range(1, 25):
        comment("254B", f"Elsewhere {number}", key="2026other")
    field.many(field.form("254B", number, key="2027other", teleFuel=1) for number in range(1, 202))
    page = as_role("scout-lead").get("/scouting/teams/254B/", {"event": field.KEY})
    assert [each.comments for each in page.context["comments"]] == ["The oldest one"]
    assert page.context["rows"] == charts.rows((("1", 20, 0),))
    assert page.context["elsewhere"] == ["2027other"]


def test_two_teams_are_compared_side_by_side(small_event, as_role):
    lead = as_role("scout-lead")
    page = lead.get("/scouting/compare/", {"team": ["254b", "20", "254B", "nonsense"]})
    (sheet,) = page.context["sheets"]
    assert [(heading.title, heading.address) for heading in sheet.headings][1:] == [
        ("254B Robots 254B", "/scouting/teams/254B/?event=2026fhtest"),
        ("20 Robots 20", "/scouting/teams/20/?event=2026fhtest"),
        ("Difference", ""),
    ]
    figures = {row[0].value: [cell.value for cell in row[1:]] for row in sheet.rows}
    assert figures["Total score, mean"] == [20, 30, 10]
    assert [(side["team"].number, side["rows"]) for side in page.context["sides"]] == [
        ("254B", charts.rows((("1", 20, 0),))),
        ("20", charts.rows((("1", 10, 20),))),
    ]
    text = page.content.decode()
    for row in (
        '<th scope="row">1</th><td class="number">20</td><td class="number">0</td>',
        '<th scope="row">1</th><td class="number">10</td><td class="number">20</td>',
    ):
        assert row in text
    assert text.count("Show as a table") == 2
    assert "This team is not at this event: nonsense." in text
    alone = lead.get("/scouting/compare/", {"team": ["20", "99999", ""]}).content.decode()
    assert "This team is not at this event: 99999." in alone
    assert "Choose two to six teams" in alone


def test_what_two_teams_told_in_the_pit_is_compared_with_their_photos(small_event, as_role):
    text, yes_no = (
        next(each for each in field.REBUILT.pit if each.kind == kind) for kind in ("text", "yes_no")
    )
    kept = {"name": "r.jpg", "s3Key": "private/pits/a/r.jpg", "smallKey": "private/pits/a/s.jpg"}
    field.pit("20", answers={text.key: "Swim", yes_no.key: True}, photos=[kept])
    field.pit("101", answers={text.key: "Climb", yes_no.key: True})
    lead = as_role("scout-lead")
    asked = {"team": ["20", "101", "102"]}
    page = lead.get("/scouting/compare/", asked)
    told = {row[0].text: [cell.text for cell in row[1:]] for row in page.context["sheets"][1].rows}
    assert told == {
        f"{text.phase}: {text.label} \N{NOT EQUAL TO}": ["Swim", "Climb", "\N{EN DASH}"],
        f"{yes_no.phase}: {yes_no.label} \N{NOT EQUAL TO}": ["Yes", "Yes", "\N{EN DASH}"],
    }
    two = lead.get("/scouting/compare/", {"team": ["20", "101"]}).context["sheets"][1].rows
    assert [row[0].text for row in two][1] == f"{yes_no.phase}: {yes_no.label}"
    assert [len(side["photos"]) for side in page.context["sides"]] == [1, 0, 0]
    assert page.context["sides"][0]["photos"][0].thumbnail in page.content.decode()
    assert page.content.decode().count("Pit not visited yet.") == 1
    lines = lines_of(lead.get("/scouting/compare/", asked | {"as": "csv"}))
    assert lines[-1] == [f"{yes_no.phase}: {yes_no.label}", "Yes", "Yes", "", ""]


def test_teams_are_ticked_in_the_table_and_of_seven_six_are_compared(small_event, as_role):
    lead = as_role("scout-lead")
    text = lead.get(ANALYSIS).content.decode()
    ticks = re.findall(r'form="compare-form" name="team" id="tick-\w+" value="(\w+)"', text)
    assert ticks == ["20", "254B", "102", "101", "103", "104"]
    assert '<form class="line" method="get" action="/scouting/compare/" id="compare-form">' in text
    field.pit("105")
    page = lead.get("/scouting/compare/", {"team": [*ticks, "105"]})
    assert [side["team"].number for side in page.context["sides"]] == ticks
    assert "You can compare six teams." in page.content.decode()


@pytest.mark.parametrize(("form", "told"), [("pit", {}), ("comment", {"comments": "Fast"})])
def test_a_team_that_nobody_listed_is_asked_about_after_sending(small_event, as_role, form, told):
    for team, is_told in (("25000", True), ("20", False)):
        sent = {"event": field.KEY, "team": team} | told
        page = as_role("scout").post(f"/scouting/{form}/", sent, follow=True)
        assert (f"Team {team} is not on the list for this event." in page.content.decode()) is is_told
