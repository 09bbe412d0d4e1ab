"""The coverage board: done, missing and double, and its files."""

import pytest

from tests.scouting import field
from tests.scouting.analysis.screens import ANALYSIS, COVERAGE, lines_of, table

pytestmark = pytest.mark.usefixtures("db")


def test_the_coverage_board_tells_done_missing_and_double_and_leads_to_the_form(small_event, as_role):
    field.stand("20", 1, further="second", autoFuel=11)
    field.stand("254B", 9, teleFuel=1)
    page = as_role("scout").get(COVERAGE)
    states = {robot.place.team: robot.place.state for robot in page.context["lines"][0].robots}
    assert states == {
        "20": "double",
        "101": "done",
        "102": "done",
        "254B": "done",
        "103": "missing",
        "104": "missing",
    }
    assert {robot.place.state for robot in page.context["lines"][1].robots} == {"coming"}
    assert page.context["missing"] == [(1, "103"), (1, "104")]
    assert "/scouting/stand/?event=2026fhtest&amp;match=1&amp;team=103" in page.content.decode()
    assert [(form.team, form.match) for form, _address in page.context["strays"]] == [("254B", 9)]


def test_the_file_of_coverage_has_the_states_of_the_page(small_event, as_role):
    lines = lines_of(as_role("scout").get(COVERAGE, {"as": "csv"}))
    assert lines[0] == ["Match", "Alliance", "Team", "Name", "State", "Forms"]
    assert lines[1] == ["1", "red", "20", "Robots 20", "done", "1"]
    assert {(line[0], line[4]) for line in lines[1:]} == {("1", "done"), ("1", "missing"), ("2", "to come")}


def test_reports_of_a_robot_stand_side_by_side_with_what_they_agree_on(small_event, as_role):
    lead = as_role("scout-lead")
    field.stand("20", 1, further="b", scout_name="Bo", autoFuel=16, teleFuel=20, win=False)
    robot = lead.get(COVERAGE).context["lines"][0].robots[0]
    assert (robot.place.team, robot.place.state) == ("20", "double")
    page = lead.get(robot.address)
    assert [heading.title for heading in page.context["sheet"].headings] == [
        "Question",
        "Sina Hoffmann",
        "Bo",
        "Agreed",
    ]
    rows = {row[0].text: [cell.text for cell in row[1:]] for row in page.context["sheet"].rows}
    assert rows["Autonomous: Fuel scored \N{NOT EQUAL TO}"] == ["10", "16", "13"]
    assert rows["Its alliance won \N{NOT EQUAL TO}"] == ["Yes", "No", "No"]
    assert rows["Score \N{NOT EQUAL TO}"][:2] == ["30", "36"]
    form = page.context["links"][1][1]
    assert robot.address.replace("&", "&amp;") in lead.get(form).content.decode()
    assert lead.get(robot.address.replace("/20/1/", "/20/7/")).status_code == 404
    assert as_role("scout").get(robot.address).status_code == 403


def test_the_file_of_forms_has_every_answer_and_all_words(small_event, as_role):
    titles, *lines = lines_of(as_role("scout-lead").get(f"{ANALYSIS}forms/", {"as": "csv"}))
    line = dict(zip(titles, next(line for line in lines if line[0] == "254B"), strict=True))
    assert titles[:3] == ["Team", "Name", "Match"]
    assert len(titles) == len(set(titles)) == 17 + len(field.REBUILT.questions)
    asked = ("Name", "Match", "Autonomous: Fuel scored", "Incidents", "Extra comments", "Did not come")
    assert [line[title] for title in asked] == [
        "Robots 254B",
        "1",
        "20",
        "Robot Tipped",
        "Tips over in the corner",
        "No",
    ]


def test_the_file_of_pits_has_every_answer_for_those_who_may_see_it(small_event, as_role):
    question = next(each for each in field.REBUILT.pit if each.kind == "text")
    field.pit("254B", answers={question.key: "Climbs, slowly"})
    address = f"{COVERAGE}pits/?as=csv"
    titles, *lines = lines_of(as_role("scout-lead").get(address))
    line = dict(zip(titles, next(line for line in lines if line[0] == "254B"), strict=True))
    assert (line["Name"], line["Form"], line[f"{question.phase}: {question.label}"]) == (
        "Robots 254B",
        "yes",
        "Climbs, slowly",
    )
    assert lines_of(as_role("scout").get(address))[0] == ["Team", "Name", "Form", "Photo", "Scout"]


def test_pits_of_teams_that_nobody_listed_come_last_and_are_marked(small_event, as_role):
    field.pit("25000")
    page = as_role("scout").get(f"{COVERAGE}pits/")
    assert list(table(page))[-1] == "25000"
    assert table(page)["25000"][0] == "yes, not on the list"
    assert "0 of 6 teams visited." in page.content.decode()


def test_another_event_is_chosen_and_looked_at(small_event, as_role):
    field.event(key="2025other", matches=1, teams=field.TEAMS)
    field.be_at(field.KEY)
    lead = as_role("scout-lead")
    for address in (ANALYSIS, COVERAGE, "/scouting/selection/"):
        assert 'href="?choose=event"' in lead.get(address).content.decode()
        assert 'href="?event=2025other"' in lead.get(address, {"choose": "event"}).content.decode()
        assert lead.get(address, {"event": "2025other"}).context["event"].key == "2025other"


def test_pits_without_a_form_or_a_photo_come_first(small_event, as_role):
    field.pit("20", robot_image="https://photos.example/20.jpg")
    field.pit("101")
    page = as_role("scout").get(f"{COVERAGE}pits/")
    assert table(page)["101"][:2] == ["yes", "missing"]
    assert table(page)["102"][:2] == ["missing", "missing"]
    assert list(table(page))[-1] == "20"
    assert "2 of 6 teams visited." in page.content.decode()
