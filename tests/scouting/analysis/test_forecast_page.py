"""What is expected of a match, and how often forecasts were right."""

import pytest

from scouting.events.event import Alliance, Match
from tests.scouting import field
from tests.scouting.analysis.screens import ANALYSIS

pytestmark = pytest.mark.usefixtures("db")


def test_a_match_has_expected_scores_once_all_robots_are_known(small_event, as_role):
    lead = as_role("scout-lead")
    page = lead.get(f"{ANALYSIS}matches/1/")
    red, blue = page.context["sides"]
    # Nothing was known before the first match, and what it told itself is no forecast of it.
    assert (red["expected"], blue["expected"]) == (None, None)
    assert "Not all robots had been scouted before this match." in page.content.decode()
    # The official scores without fouls, 60 and 40, give their robots 100/6 ± 10/4 each.
    strong, weak = 100 / 6 + 10 / 4, 100 / 6 - 10 / 4
    seen = {"20": 30, "101": 10, "102": 15, "254B": 20}
    strengths = {team: (seen[team] + strong) / 2 for team in ("20", "101", "102")}
    strengths |= {"254B": (seen["254B"] + weak) / 2, "103": weak, "104": weak}
    expected = [sum(map(strengths.get, side)) for side in (("20", "103", "254B"), ("101", "102", "104"))]
    chance = 1 / (1 + 10 ** (-5 / 8 * (expected[0] - expected[1]) / 10))
    played, coming = lead.get(f"{ANALYSIS}matches/").context["sheet"].rows
    assert [cell.value for cell in played[3:]] == [None, None, None, 66, 40]
    assert [cell.value for cell in coming[3:6]] == pytest.approx([*expected, chance])
    assert [cell.value for cell in coming[6:]] == [None, None]
    assert [robot["remark"] for robot in blue["robots"]] == ["Tips over in the corner", "", ""]
    assert lead.get(f"{ANALYSIS}matches/77/").status_code == 404


def test_the_page_says_how_often_its_forecasts_were_right(as_role):
    def played(number, red, blue):
        return Match(number, Alliance(("20",), red), Alliance(("254B",), blue))

    # Red is expected from the second match on: right, wrong, and a tie, which has no winner.
    plan = [played(1, 30, 10), played(2, 20, 15), played(3, 5, 10), played(4, 7, 7)]
    plan.append(Match(5, Alliance(("20",)), Alliance(("254B",))))
    field.event(matches=plan, teams=("20", "254B"))
    lead = as_role("scout-lead")
    for address in (f"{ANALYSIS}matches/", f"{ANALYSIS}matches/2/"):
        text = lead.get(address).content.decode()
        assert "So far 1 of 2 forecasts were right (50%)." in text
    rows = lead.get(f"{ANALYSIS}matches/").context["sheet"].rows
    # 20 and 254B had 40 points together in one match each: 20 ± 10/2.
    assert [cell.value for cell in rows[1][3:5]] == pytest.approx([25, 15])


WITH_FOULS = "Scores without foul details are counted including fouls."


@pytest.mark.parametrize(("told", "is_said"), [({}, True), ({"foulPoints": 0}, False)])
def test_the_page_says_whether_the_forecasts_are_made_of_scores_with_fouls(as_role, told, is_said):
    red, blue = Alliance(("20",), 30, official={"foulPoints": 4}), Alliance(("254B",), 10, official=told)
    field.event(matches=[Match(1, red, blue), Match(2, Alliance(("20",)))], teams=("20", "254B"))
    lead = as_role("scout-lead")
    for address in (f"{ANALYSIS}matches/", f"{ANALYSIS}matches/2/"):
        assert (WITH_FOULS in lead.get(address).content.decode()) is is_said


def test_before_any_forecast_was_put_to_the_test_nothing_is_said_of_it(small_event, as_role):
    assert "forecasts were right" not in as_role("scout-lead").get(f"{ANALYSIS}matches/").content.decode()
