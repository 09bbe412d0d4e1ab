"""The screens of analysis show what the forms say, in few requests however large the event is."""

import csv
import io
import random
import re
import zipfile
from itertools import combinations
from statistics import fmean, median, stdev

import pytest

from core.dynamo import metering
from core.dynamo.actors import SYSTEM
from scouting.analysis import charts, labels
from scouting.analysis.labels import Box
from scouting.cells import cell
from scouting.events.event import Alliance, Match, as_stored
from scouting.events.repository import event_infos, event_teams, schedules
from scouting.forms.models import CommentForm
from scouting.forms.repository import comment_forms, stand_forms
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
    f"{ANALYSIS}comments/",
    f"{ANALYSIS}scouts/",
    COVERAGE,
    f"{COVERAGE}pits/",
    "/scouting/compare/",
    "/scouting/teams/254B/",
)
# 32 teams in 64 matches: each is in 12 of them.
MANY = ("20", "2053", "2095", "254B", *(str(number) for number in range(101, 129)))


def table(response):
    """The rows of a page's table by what stands first in them, without the names of teams."""
    sheet = response.context["sheet"]
    first = 2 if sheet.headings[1].title == "Name" else 1
    return {row[0].value.split()[0]: [cell.value for cell in row[first:]] for row in sheet.rows}


def comment(team, text, *, key=field.KEY):
    form = CommentForm.about(key, team, comments=text, scout_id=field.SCOUT.sub, scout_name=field.SCOUT.name)
    return comment_forms.create(form, actor=field.SCOUT.actor)


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
    begun = f"/scouting/stand/?event={event.key}&amp;match={gone.match}&amp;team=254B"
    assert f'<a href="{begun}">254B in match {gone.match}</a>' in page.content.decode()
    assert [count for _state, _title, count in page.context["counts"]] == [383, 1, 0]


def test_a_page_over_60_teams_and_12_matches_costs_at_most_five_requests(as_role):
    teams = [str(number) for number in range(101, 161)]
    event = field.event(matches=120, teams=teams, played=100)
    forms = field.forms_of(event)
    assert len(forms) == 60 * 12
    for form in forms:
        form.strategy, form.comments = "Shoots from the trench. " * 9, "Slow in the corner. " * 10
    field.many(forms)
    lead = as_role("scout-lead")
    costs = {}
    for address in (
        *SCREENS,
        f"{ANALYSIS}matches/7/",
        f"{ANALYSIS}reports/101/{event.matches_of('101')[0].number}/",
        "/scouting/compare/?team=101&team=102&team=103",
    ):
        with metering.metered() as meter:
            assert lead.get(address).status_code == 200
        costs[address] = meter.requests
    assert {address: cost for address, cost in costs.items() if cost > 5} == {}


# --- Tables -----------------------------------------------------------------------------------------------


@pytest.fixture
def small_event(db):
    plan = [
        Match(
            1,
            Alliance(("20", "101", "102"), 66, official={"foulPoints": 6}),
            Alliance(("254B", "103", "104"), 40),
        )
    ]
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
    # Also 0 is a limit: nobody has seen 103 and 104.
    assert list(table(lead.get(ANALYSIS, {"min-totalScore.mean": "0"}))) == ["20", "254B", "102", "101"]


def test_the_table_is_also_a_file_without_formulas(small_event, as_role):
    lead = as_role("scout-lead")
    asked = {"column": ["matches", "totalScore.mean"], "sort": "team"}
    assert lines_of(lead.get(ANALYSIS, asked | {"as": "csv"}))[:3] == [
        ["Team", "Name", "Matches", "Total score, mean"],
        ["20", "Robots 20", "1", "30.0"],
        ["101", "Robots 101", "1", "10.0"],
    ]
    workbook = b"".join(lead.get(ANALYSIS, asked | {"as": "xlsx"}).streaming_content)
    assert "xl/worksheets/sheet1.xml" in zipfile.ZipFile(io.BytesIO(workbook)).namelist()


def test_the_dots_of_the_picture_are_a_file_too(small_event, as_role):
    assert lines_of(as_role("scout-lead").get(f"{ANALYSIS}scatter/", {"as": "csv"}))[:2] == [
        ["Team", "Name", "Autonomous", "Teleop"],
        ["20", "Robots 20", "10.0", "20.0"],
    ]


def test_the_picture_also_shows_how_much_teams_change(small_event, as_role):
    """20 has 10 and 14 in autonomous, 20 and 20 in teleop; of the others there is one form."""
    field.stand("20", 2, autoFuel=14, teleFuel=20)
    lead = as_role("scout-lead")
    missing = "Team 99999 is not among those that were seen."
    assert missing in lead.get(f"{ANALYSIS}scatter/", {"team": "99999"}).content.decode()
    assert "is not among" not in lead.get(f"{ANALYSIS}scatter/", {"team": "20"}).content.decode()
    page = lead.get(f"{ANALYSIS}scatter/", {"of": "deviation"})
    assert table(page) == {"20": [pytest.approx(100 * stdev([10, 14]) / 12), 0]}
    assert "Autonomous (%)" in page.content.decode()
    assert list(table(lead.get(f"{ANALYSIS}scatter/", {"of": "cat"}))) == ["20", "101", "102", "254B"]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("", {("20", 1), ("101", 1), ("254B", 1), ("20", 2)}),
        ("20", {("20", 1), ("20", 2)}),
        ("frc254b", {("254B", 1)}),
        ("Match 2", {("20", 2)}),
        ("match1", {("20", 1), ("101", 1), ("254B", 1)}),
        ("robots 2", {("20", 1), ("20", 2), ("254B", 1)}),
        ("noor", {("20", 2)}),
        ("nobody", set()),
    ],
)
def test_forms_are_found_by_team_match_and_scout(as_role, asked, found):
    field.event(matches=2, teams=("20", "101", "102", "103", "104", "254B"))
    for team in ("20", "101", "254B"):
        field.stand(team, 1)
    field.stand("20", 2, scout_name="Noor Haddad")
    page = as_role("scout-lead").get(f"{ANALYSIS}forms/", {"q": asked})
    assert {(row[0].value, row[2].value) for row in page.context["sheet"].rows} == found


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
    assert cell(value, is_share=is_share).text == text


def test_with_one_match_there_are_too_few_for_opr(small_event, as_role):
    page = as_role("scout-lead").get(f"{ANALYSIS}ranking/")
    assert "too few matches" in page.content.decode()
    assert {team: row[-3:] for team, row in table(page).items()}["20"] == [None, None, None]


def test_without_told_ranking_points_the_ranking_goes_by_wins_and_says_so(as_role):
    """Everybody of red has won two close matches of three, and lost by far the one in which blue scored."""
    red, blue = ("101", "102", "103"), ("20", "254B", "104")
    scores = ((10, 9), (10, 9), (0, 90))
    plan = [Match(n, Alliance(red, r), Alliance(blue, b)) for n, (r, b) in enumerate(scores, 1)]
    typed = field.event(matches=plan, teams=())
    page = as_role("scout-lead").get(f"{ANALYSIS}ranking/")
    assert list(table(page)) == ["101", "102", "103", "20", "104", "254B"]
    assert table(page)["101"][:5] == [1, 3, "2-1-0", pytest.approx(2 / 3), pytest.approx(20 / 3)]
    assert typed.teams == ()
    assert "goes by the share of wins" in page.content.decode()


def test_parts_of_the_score_have_an_opr_of_their_own(as_role):
    def alliance(*teams, auto):
        return Alliance(teams, 9, official={"autoPoints": auto, "rp": 1})

    plan = [
        Match(1, alliance("20", "254B", auto=5), alliance("101", "20", auto=3)),
        Match(2, alliance("101", "254B", auto=6), alliance("20", auto=1)),
    ]
    field.event(matches=plan, teams=())
    lead = as_role("scout-lead")
    page = lead.get(f"{ANALYSIS}ranking/", {"part": ["autoPoints", "nonsense"]})
    assert page.context["sheet"].headings[-1].title == "OPR: Auto points"
    assert {team: row[-1] for team, row in table(page).items()} == pytest.approx(
        {"20": 1, "254B": 4, "101": 2}
    )
    assert dict(lead.get(f"{ANALYSIS}ranking/").context["parts"]) == {
        "autoPoints": "Auto points",
        "rp": "Ranking points",
    }


def test_ranks_are_called_computed_where_no_official_ones_were_imported(as_role):
    def alliance(*teams, rp):
        return Alliance(teams, 9, official={"rp": rp, "totalTowerPoints": 5})

    plan = [Match(1, alliance("20", "254B", rp=1), alliance("101", "102", rp=4))]
    field.event(matches=plan, teams=())
    page = as_role("scout-lead").get(f"{ANALYSIS}ranking/")
    assert "Rank (computed)" in [heading.title for heading in page.context["sheet"].headings]
    assert {team: row[0] for team, row in table(page).items()} == {"101": 1, "102": 2, "20": 3, "254B": 4}
    text = page.content.decode()
    assert "These are computed from the matches, and may differ in a tie." in text
    assert "The rules also rank by what no match tells: Auto points." in text


def test_official_ranks_are_the_ranks_whatever_the_matches_say(as_role):
    def alliance(*teams, rp):
        return Alliance(teams, 9, official={"rp": rp})

    plan = [Match(1, alliance("20", "254B", rp=1), alliance("101", "102", rp=4))]
    field.event(matches=plan, teams=("254B", "101", "20", "102"))
    page = as_role("scout-lead").get(f"{ANALYSIS}ranking/")
    assert "Rank" in [heading.title for heading in page.context["sheet"].headings]
    assert [(team, row[0]) for team, row in table(page).items()] == [
        ("254B", 1),
        ("101", 2),
        ("20", 3),
        ("102", 4),
    ]
    assert "These are the official ranks." in page.content.decode()


def test_ranks_that_were_told_count_where_ranking_points_are_not(small_event, as_role):
    """By wins 20 would be the first."""
    teams = event_infos.parts(field.KEY, strong=True).teams
    told = ("254B", "104", "103", "102", "101", "20")
    event_teams.update(teams, {"teams": as_stored(field.named(told))}, actor=SYSTEM)
    page = as_role("scout-lead").get(f"{ANALYSIS}ranking/")
    assert [(team, row[0]) for team, row in table(page).items()] == [
        (team, rank) for rank, team in enumerate(told, 1)
    ]
    assert "These are the official ranks, which came without ranking points." in page.content.decode()


def test_scouts_are_compared_with_official_scores(small_event, as_role):
    """Red of match 1: seen 30 + 10 + 15 = 55, official 66 with 6 of fouls; blue was not seen in full."""
    comment("20", "Comments count as written too")
    assert table(as_role("scout-lead").get(f"{ANALYSIS}scouts/")) == {"Sina": [5, 3, 5.0, -5.0]}


# --- Other screens ----------------------------------------------------------------------------------------


def test_a_match_has_expected_scores_once_all_robots_are_known(small_event, as_role):
    lead = as_role("scout-lead")
    page = lead.get(f"{ANALYSIS}matches/1/")
    red, blue = page.context["sides"]
    # Nothing was known before the first match, and what it told itself is no forecast of it.
    assert (red["expected"], blue["expected"]) == (None, None)
    assert "Not all robots were known before this match." in page.content.decode()
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
        assert "So far 1 of 2 forecasts named the right winner (50 %)." in text
    rows = lead.get(f"{ANALYSIS}matches/").context["sheet"].rows
    # 20 and 254B had 40 points together in one match each: 20 ± 10/2.
    assert [cell.value for cell in rows[1][3:5]] == pytest.approx([25, 15])


WITH_FOULS = "Scores that do not say how many of their points were fouls are counted with them."


@pytest.mark.parametrize(("told", "is_said"), [({}, True), ({"foulPoints": 0}, False)])
def test_the_page_says_whether_the_forecasts_are_made_of_scores_with_fouls(as_role, told, is_said):
    red, blue = Alliance(("20",), 30, official={"foulPoints": 4}), Alliance(("254B",), 10, official=told)
    field.event(matches=[Match(1, red, blue), Match(2, Alliance(("20",)))], teams=("20", "254B"))
    lead = as_role("scout-lead")
    for address in (f"{ANALYSIS}matches/", f"{ANALYSIS}matches/2/"):
        assert (WITH_FOULS in lead.get(address).content.decode()) is is_said


def test_before_any_forecast_was_put_to_the_test_nothing_is_said_of_it(small_event, as_role):
    assert "named the right winner" not in as_role("scout-lead").get(f"{ANALYSIS}matches/").content.decode()


def test_one_form_does_not_replace_what_official_scores_say(as_role):
    plan = [Match(n, Alliance(("20",), 40), Alliance(("254B",), 20)) for n in range(1, 10)]
    plan.append(Match(10, Alliance(("20",)), Alliance(("254B",))))
    field.event(matches=plan, teams=("20", "254B"))
    lead = as_role("scout-lead")

    def expected():
        return [cell.value for cell in lead.get(f"{ANALYSIS}matches/").context["sheet"].rows[-1][3:5]]

    official = 30 + 10 * 9 / 10, 30 - 10 * 9 / 10
    assert expected() == pytest.approx(official)
    field.stand("20", 3, teleFuel=139)
    assert expected() == pytest.approx([(9 * official[0] + 139) / 10, official[1]])


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
    assert text.count("The same as a table") == 2
    assert "Not a team of this event: nonsense." in text
    alone = lead.get("/scouting/compare/", {"team": ["20", "99999", ""]}).content.decode()
    assert "Not a team of this event: 99999." in alone
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
    assert page.content.decode().count("Nobody visited the pit yet.") == 1
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
    assert "Six teams fit side by side" in page.content.decode()


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
    assert "0 of 6 teams were visited." in page.content.decode()


@pytest.mark.parametrize(("form", "told"), [("pit", {}), ("comment", {"comments": "Fast"})])
def test_a_team_that_nobody_listed_is_asked_about_after_sending(small_event, as_role, form, told):
    for team, is_told in (("25000", True), ("20", False)):
        sent = {"event": field.KEY, "team": team} | told
        page = as_role("scout").post(f"/scouting/{form}/", sent, follow=True)
        assert (f"Team {team} is not on the list of the event." in page.content.decode()) is is_told


def test_another_event_is_chosen_and_looked_at(small_event, as_role):
    field.event(key="2025other", matches=1, teams=field.TEAMS)
    field.be_at(field.KEY)
    lead = as_role("scout-lead")
    for address in (ANALYSIS, COVERAGE, "/scouting/selection/"):
        assert 'href="?choose=event"' in lead.get(address).content.decode()
        assert 'href="?event=2025other"' in lead.get(address, {"choose": "event"}).content.decode()
        assert lead.get(address, {"event": "2025other"}).context["event"].key == "2025other"


def test_comments_of_the_event_are_a_list_and_a_file_without_formulas(small_event, as_role):
    comment("20", "=1+1")
    comment("254B", "Newer")
    field.exist("2026other")
    comment("254B", "Elsewhere", key="2026other")
    address = f"{ANALYSIS}comments/"
    lead = as_role("scout-lead")
    assert [row[2].value for row in lead.get(address).context["sheet"].rows] == ["Newer", "=1+1"]
    lines = lines_of(lead.get(address, {"as": "csv"}))
    assert [line[:4] for line in lines] == [
        ["Team", "Name", "Comment", "Scout"],
        ["254B", "Robots 254B", "Newer", "Sina Hoffmann"],
        ["20", "Robots 20", "'=1+1", "Sina Hoffmann"],
    ]


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
    field.exist("2026nothing")
    field.be_at("2026nothing")
    page = lead.get(address)
    assert page.status_code == 200
    assert "no teams and matches yet" in page.content.decode()


@pytest.mark.parametrize(
    "address",
    [
        *SCREENS,
        f"{ANALYSIS}matches/1/",
        f"{ANALYSIS}reports/20/1/",
        "/scouting/selection/",
        "/scouting/selection/print",
        "/scouting/stand/",
        "/scouting/pit/",
        "/scouting/comment/",
    ],
)
def test_data_of_the_blue_alliance_has_its_age(address, small_event, as_role):
    assert "teams and matches as of 0\xa0minutes ago" in as_role("scout-lead").get(address).content.decode()


def test_what_was_told_and_what_was_typed_are_told_apart(small_event, as_role):
    schedule = event_infos.parts(field.KEY, strong=True).schedule
    schedules.update(schedule, {"fetched_at": None}, actor=SYSTEM)
    text = as_role("scout-lead").get(ANALYSIS).content.decode()
    assert "teams and ranks as of 0\xa0minutes ago, matches entered by hand or still to come" in text
    teams = event_infos.parts(field.KEY, strong=True).teams
    event_teams.update(teams, {"fetched_at": None}, actor=SYSTEM)
    assert "teams and matches were typed" in as_role("scout-lead").get(ANALYSIS).content.decode()
    assert "data-age" not in as_role("scout").get("/scouting/stand/").content.decode()


def dots(count, spread):
    """Teams as an event has them: most of them are near each other, some even in the same place."""
    chance = random.Random(count)
    places = [
        (abs(chance.gauss(30, spread)), abs(chance.gauss(80, 2 * spread))) for _each in range(count - 2)
    ]
    places = [(30, 80), (0, 0), *places]
    return {str(10_000 + number): place for number, place in enumerate(places)}


def meet(one, other):
    return (
        one.left < other.right
        and other.left < one.right
        and one.top < other.bottom
        and other.top < one.bottom
    )


@pytest.mark.parametrize("spread", [0, 4, 15])
@pytest.mark.parametrize("count", [2, 25, 60])
def test_every_dot_of_the_picture_has_its_number_and_none_covers_another(count, spread):
    places = {team: (40 + 5 * x, 560 - 3 * y) for team, (x, y) in dots(count, spread).items()}
    room = Box(36, 0, 600, 606)
    found = list(labels.placed(places, room=room, first="10001"))

    assert found[0].text == "10001"
    assert {label.text: label.dot for label in found} == places
    boxes = [label.box for label in found]
    assert all(box.left >= 36 and box.right <= 600 and box.top >= 0 and box.bottom <= 606 for box in boxes)
    assert not any(meet(one, other) for one, other in combinations(boxes, 2))
    round_dots = [Box(x - 6, y - 6, x + 6, y + 6) for x, y in places.values()]
    assert not any(meet(box, dot) for box in boxes for dot in round_dots)


def test_a_line_leads_to_a_number_past_all_other_dots():
    """Three dots in a row, so near each other that one of them has no room beside it."""
    places = {"10001": (300, 300), "10002": (314, 300), "10003": (328, 300)}
    found = list(labels.placed(places, room=Box(0, 0, 600, 600)))
    (led,) = [label for label in found if label.is_led]
    others = [Box(x - 6, y - 6, x + 6, y + 6) for x, y in places.values() if (x, y) != led.dot]
    assert len(list(led.line)) > 0
    assert not any(meet(step, box) for step in led.line for box in others)


def test_a_number_that_lies_apart_from_its_dot_has_a_line_in_the_picture():
    points = [charts.Point(team, x, y) for team, (x, y) in dots(60, 4).items()]
    picture = charts.scatter("", charts.Axis("", 60), charts.Axis("", 160), tuple(points))
    texts = re.findall(r'<text class="figure-label \w+" x="([\d.]+)" y="([\d.]+)"', picture)
    lines = re.findall(r'<path class="figure-lead" d="M[\d.]+ [\d.]+L([\d.]+) ([\d.]+)"', picture)
    assert (len(texts), picture.count("<title>")) == (60, 60)
    assert len(lines) > 10
    assert {*lines} <= {*texts}
