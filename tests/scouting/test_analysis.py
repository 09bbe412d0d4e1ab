"""The screens of analysis show what the forms say, in few requests however large the event is."""

import csv
import io
import zipfile
from statistics import fmean, median, stdev

import pytest

from dynamo import metering
from dynamo.actors import SYSTEM
from scouting import repository
from scouting.event import Alliance, Match
from scouting.models import CommentForm
from scouting.repository import stand_forms
from scouting.sheets import Cell
from tests.scouting import field

pytestmark = pytest.mark.usefixtures("db")
ANALYSIS = "/scouting/analysis/"
COVERAGE = "/scouting/coverage/"
SCREENS = (
    ANALYSIS,
    f"{ANALYSIS}scatter/",
    f"{ANALYSIS}ranking/",
    f"{ANALYSIS}matches/",
    f"{ANALYSIS}forms/",
    f"{ANALYSIS}scouts/",
    COVERAGE,
    f"{COVERAGE}pits/",
    "/scouting/compare/",
    "/scouting/teams/254B/",
)
# 32 teams in 64 matches: each is in 12 of them.
MANY = ("20", "2053", "2095", "254B", *(str(number) for number in range(101, 129)))


def table(response):
    """The rows of a page's table by what stands first in them."""
    return {
        row[0].value.split()[0]: [cell.value for cell in row[1:]] for row in response.context["sheet"].rows
    }


def lines_of(response):
    return list(csv.reader(io.StringIO(b"".join(response.streaming_content).decode().removeprefix("\ufeff"))))


# --- A whole event ----------------------------------------------------------------------------------------


@pytest.fixture
def whole_event(db):
    event = field.event(matches=64, teams=MANY, played=64)
    forms = field.forms_of(event)
    field.many(forms)
    return event, forms


def test_384_forms_are_listed_added_up_and_covered(whole_event, as_role):
    event, forms = whole_event
    assert len(forms) == 384
    lead = as_role("scout-lead")

    mine = [(form.team, form.match) for form in forms if form.team == "20"]
    listed = [(form.team, form.match) for form, _address in lead.get("/scouting/teams/20/").context["forms"]]
    assert listed == sorted(mine, key=lambda form: form[1])
    assert len({match // 10 for _team, match in listed}) > 2
    assert {row[0] for row in lines_of(lead.get(f"{ANALYSIS}forms/", {"q": "20", "as": "csv"}))[1:]} == {"20"}

    totals = {team: [form.total_score for form in forms if form.team == team] for team in MANY}
    wanted = ["totalScore.mean", "totalScore.median", "totalScore.deviation", "totalScore.last_three"]
    page = lead.get(ANALYSIS, {"column": wanted})
    assert table(page) == {
        team: pytest.approx([fmean(each), median(each), stdev(each), fmean(each[-3:])])
        for team, each in totals.items()
    }

    gone = stand_forms.of_robot(event.key, "254B", event.matches_of("254B")[3].number)[0]
    stand_forms.delete(gone, actor=SYSTEM)
    page = lead.get(COVERAGE)
    assert page.context["missing"] == [(gone.match, "254B")]
    assert f"254B in match {gone.match}" in page.content.decode()
    assert [count for _state, _title, count in page.context["counts"]] == [383, 1, 0]


def test_a_page_over_60_teams_and_12_matches_costs_at_most_five_requests(as_role):
    teams = [str(number) for number in range(101, 161)]
    event = field.event(matches=120, teams=teams, played=100)
    forms = field.forms_of(event)
    assert len(forms) == 60 * 12
    field.many(forms)
    lead = as_role("scout-lead")
    costs = {}
    for address in (*SCREENS, f"{ANALYSIS}matches/7/", "/scouting/compare/?team=101&team=102&team=103"):
        with metering.metered() as meter:
            assert lead.get(address).status_code == 200
        costs[address] = meter.requests
    assert {address: cost for address, cost in costs.items() if cost > 5} == {}


# --- Tables -----------------------------------------------------------------------------------------------


@pytest.fixture
def small_event(db):
    plan = [Match(1, Alliance(("20", "101", "102"), 60), Alliance(("254B", "103", "104"), 40))]
    plan.append(Match(2, Alliance(("20", "103", "254B")), Alliance(("101", "102", "104"))))
    event = field.event(matches=plan, teams=("20", "101", "102", "103", "104", "254B"))
    field.stand("20", 1, autoFuel=10, teleFuel=20, win=True)
    field.stand("101", 1, autoFuel=5, teleFuel=5)
    field.stand("102", 1, teleFuel=15)
    field.stand("254B", 1, autoFuel=20, comments="Tips over in the corner", criticals=["Robot Tipped"])
    return event


def test_the_table_is_sorted_by_any_figure_in_both_directions(small_event, as_role):
    lead = as_role("scout-lead")

    def order(sort):
        return list(table(lead.get(ANALYSIS, {"sort": sort})))

    assert order("-autoScore.mean") == ["254B", "20", "101", "102", "103", "104"]
    assert order("teleScore.mean") == ["254B", "101", "102", "20", "103", "104"]
    assert order("team") == ["20", "101", "102", "103", "104", "254B"]
    assert order("-team") == ["254B", "104", "103", "102", "101", "20"]


def test_the_table_lists_who_is_between_the_limits(small_event, as_role):
    lead = as_role("scout-lead")
    page = lead.get(ANALYSIS, {"min-totalScore.mean": "15", "max-totalScore.mean": "20"})
    assert list(table(page)) == ["254B", "102"]
    # Shares are typed as they are shown, in per cent.
    assert list(table(lead.get(ANALYSIS, {"min-win": "50"}))) == ["20"]
    assert len(table(lead.get(ANALYSIS, {"min-win": "a lot"}))) == 6


def test_the_table_is_also_a_file_without_formulas(small_event, as_role):
    lead = as_role("scout-lead")
    asked = {"column": ["matches", "totalScore.mean"], "sort": "team"}
    assert lines_of(lead.get(ANALYSIS, asked | {"as": "csv"}))[:3] == [
        ["Team", "Matches", "Total score, mean"],
        ["20 Robots 20", "1", "30.0"],
        ["101 Robots 101", "1", "10.0"],
    ]
    workbook = b"".join(lead.get(ANALYSIS, asked | {"as": "xlsx"}).streaming_content)
    assert "xl/worksheets/sheet1.xml" in zipfile.ZipFile(io.BytesIO(workbook)).namelist()


@pytest.mark.parametrize(
    ("value", "is_share", "text"),
    [
        (74.75, False, "74.8"),
        (0.125, True, "13 %"),
        (3, False, "3"),
        (None, False, "\N{EN DASH}"),
        (0.0, False, "0.0"),
    ],
)
def test_figures_are_rounded_half_up(value, is_share, text):
    assert Cell(value, is_share=is_share).text == text


def test_with_one_match_there_are_too_few_for_opr(small_event, as_role):
    page = as_role("scout-lead").get(f"{ANALYSIS}ranking/")
    assert "too few matches" in page.content.decode()
    assert {team: row[-3:] for team, row in table(page).items()}["20"] == [None, None, None]


def test_scouts_are_compared_with_official_scores(small_event, as_role):
    """Red of match 1: seen 30 + 10 + 15 = 55, official 60; blue was not seen in full."""
    assert table(as_role("scout-lead").get(f"{ANALYSIS}scouts/")) == {"Sina": [4, 3, 5.0, -5.0]}


# --- Other screens ----------------------------------------------------------------------------------------


def test_a_match_has_expected_scores_once_all_robots_are_known(small_event, as_role):
    lead = as_role("scout-lead")
    red, blue = lead.get(f"{ANALYSIS}matches/1/").context["sides"]
    assert (red.expected, blue.expected) == (55, None)
    assert [robot.remark for robot in blue.robots] == ["Tips over in the corner", "", ""]
    assert lead.get(f"{ANALYSIS}matches/77/").status_code == 404


def test_a_team_page_has_everything_about_the_team_and_nobody_else(small_event, as_role):
    field.pit("254B", answers={"notDo": "Climb"})
    for text in ("First", "Second"):
        comment = CommentForm.about(field.KEY, "254B", comments=text, scout_name="Sina")
        repository.comment_forms.create(comment, actor=field.SCOUT.actor)
    field.stand("254B", 3, key="2026other", teleFuel=99)
    page = as_role("scout-lead").get("/scouting/teams/254B/")
    assert page.context["series"] == [("1", 20, 0)]
    assert page.context["elsewhere"] == ["2026other"]
    text = page.content.decode()
    assert text.index("Second") < text.index("First") < text.index("Tips over")
    assert "Climb" in text
    assert "Robot Tipped (1)" in text


def test_two_teams_are_compared_side_by_side(small_event, as_role):
    lead = as_role("scout-lead")
    page = lead.get("/scouting/compare/", {"team": ["254b", "20", "254B", "nonsense"]})
    assert [heading.title for heading in page.context["sheet"].headings][1:] == [
        "254B Robots 254B",
        "20 Robots 20",
    ]
    figures = {row[0].value: [cell.value for cell in row[1:]] for row in page.context["sheet"].rows}
    assert figures["Total score, mean"] == [20, 30]
    assert "Choose two to six teams" in lead.get("/scouting/compare/", {"team": "20"}).content.decode()


def test_the_coverage_board_tells_done_missing_and_double_and_leads_to_the_form(small_event, as_role):
    field.stand("20", 1, further="second", autoFuel=11)
    field.stand("254B", 9, teleFuel=1)
    page = as_role("scout").get(COVERAGE)
    states = {robot.place.team: robot.state for robot in page.context["lines"][0].robots}
    assert states == {
        "20": "double",
        "101": "done",
        "102": "done",
        "254B": "done",
        "103": "missing",
        "104": "missing",
    }
    assert {robot.state for robot in page.context["lines"][1].robots} == {"coming"}
    assert page.context["missing"] == [(1, "103"), (1, "104")]
    assert "/scouting/stand/?event=2026fhtest&amp;after=0&amp;match=1&amp;team=103" in page.content.decode()
    assert [(form.team, form.match) for form, _address in page.context["strays"]] == [("254B", 9)]


def test_pits_without_a_form_or_a_photo_come_first(small_event, as_role):
    field.pit("20", robot_image="https://photos.example/20.jpg")
    field.pit("101")
    page = as_role("scout").get(f"{COVERAGE}pits/")
    assert table(page)["101"][:2] == ["yes", "missing"]
    assert table(page)["102"][:2] == ["missing", "missing"]
    assert list(table(page))[-1] == "20"
    assert "2 of 6 teams were visited." in page.content.decode()


@pytest.mark.parametrize("address", SCREENS)
def test_every_screen_says_how_old_its_data_is_and_works_with_nothing(address, as_role):
    lead = as_role("scout-lead")
    assert "No event is chosen" in lead.get(address).content.decode()
    field.be_at("2026nothing")
    page = lead.get(address)
    assert page.status_code == 200
    assert "entered by hand, or are still to come" in page.content.decode()


def test_data_of_the_blue_alliance_has_its_age(small_event, as_role):
    assert "teams and matches as of 0\xa0minutes ago" in as_role("scout-lead").get(ANALYSIS).content.decode()
