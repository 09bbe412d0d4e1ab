"""The table of analysis shows what the forms say, in few requests however large the event is."""

import io
import zipfile
from statistics import fmean, median, stdev

import pytest

from core.dynamo import metering
from core.dynamo.actors import SYSTEM
from scouting.cells import cell
from scouting.events.event import Alliance, Match, as_stored
from scouting.events.repository import event_infos, event_teams, schedules
from scouting.forms.repository import stand_forms
from tests.scouting import field
from tests.scouting.analysis.screens import ANALYSIS, COVERAGE, comment, lines_of, table

pytestmark = pytest.mark.usefixtures("db")
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
    wanted = ["totalScore.mean", "totalScore.last_three", "totalScore.deviation", "totalScore.median"]
    page = lead.get(ANALYSIS, {"column": wanted})
    assert table(page) == {
        team: pytest.approx([fmean(each), fmean(each[-3:]), stdev(each), median(each)])
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
        ["Team", "Name", "Total score, mean", "Matches"],
        ["20", "Robots 20", "30.0", "1"],
        ["101", "Robots 101", "10.0", "1"],
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
    missing = "Team 99999 has not been scouted."
    assert missing in lead.get(f"{ANALYSIS}scatter/", {"team": "99999"}).content.decode()
    assert "has not been scouted" not in lead.get(f"{ANALYSIS}scatter/", {"team": "20"}).content.decode()
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
    assert "OPR, DPR and CCWM need more matches" in page.content.decode()
    titles = [str(heading.title) for heading in page.context["sheet"].headings]
    assert titles[:5] == ["Rank", "Team", "Name", "Record", "OPR"]
    assert titles[-3:] == ["DPR", "CCWM", "Matches"]
    assert [table(page)["20"][place] for place in (2, -3, -2)] == [None, None, None]


def test_without_told_ranking_points_the_ranking_goes_by_wins_and_says_so(as_role):
    """Everybody of red has won two close matches of three, and lost by far the one in which blue scored."""
    red, blue = ("101", "102", "103"), ("20", "254B", "104")
    scores = ((10, 9), (10, 9), (0, 90))
    plan = [Match(n, Alliance(red, r), Alliance(blue, b)) for n, (r, b) in enumerate(scores, 1)]
    typed = field.event(matches=plan, teams=())
    page = as_role("scout-lead").get(f"{ANALYSIS}ranking/")
    assert list(table(page)) == ["101", "102", "103", "20", "104", "254B"]
    rank, record, _opr, *figures = table(page)["101"]
    assert (rank, record, figures[-1]) == (1, "2-1-0", 3)
    assert figures[:2] == [pytest.approx(2 / 3), pytest.approx(20 / 3)]
    assert typed.teams == ()
    assert "ordered by win rate" in page.content.decode()


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
    assert "These are calculated from the matches and may differ in a tie." in text
    assert "The rules also rank by stats that matches do not include: Auto points." in text


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
    assert "Official ranks." in page.content.decode()


def test_ranks_that_were_told_count_where_ranking_points_are_not(small_event, as_role):
    """By wins 20 would be the first."""
    teams = event_infos.parts(field.KEY, strong=True).teams
    told = ("254B", "104", "103", "102", "101", "20")
    event_teams.update(teams, {"teams": as_stored(field.named(told))}, actor=SYSTEM)
    page = as_role("scout-lead").get(f"{ANALYSIS}ranking/")
    assert [(team, row[0]) for team, row in table(page).items()] == [
        (team, rank) for rank, team in enumerate(told, 1)
    ]
    assert "Official ranks, without ranking points." in page.content.decode()


def test_scouts_are_compared_with_official_scores(small_event, as_role):
    """Red of match 1: seen 30 + 10 + 15 = 55, official 66 with 6 of fouls; blue was not seen in full."""
    comment("20", "Comments count as written too")
    assert table(as_role("scout-lead").get(f"{ANALYSIS}scouts/")) == {"Sina": [5, 3, 5.0, -5.0]}


# --- Other screens ----------------------------------------------------------------------------------------


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


@pytest.mark.parametrize("address", SCREENS)
def test_every_screen_says_how_old_its_data_is_and_works_with_nothing(address, as_role):
    lead = as_role("scout-lead")
    assert "No event selected" in lead.get(address).content.decode()
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
    assert "teams and matches updated just now" in as_role("scout-lead").get(address).content.decode()


def test_what_was_told_and_what_was_typed_are_told_apart(small_event, as_role):
    schedule = event_infos.parts(field.KEY, strong=True).schedule
    schedules.update(schedule, {"fetched_at": None}, actor=SYSTEM)
    text = as_role("scout-lead").get(ANALYSIS).content.decode()
    assert ("teams and ranks updated just now, matches entered manually or still to come") in text
    teams = event_infos.parts(field.KEY, strong=True).teams
    event_teams.update(teams, {"fetched_at": None}, actor=SYSTEM)
    assert "teams and matches entered manually" in as_role("scout-lead").get(ANALYSIS).content.decode()
    assert "data-age" not in as_role("scout").get("/scouting/stand/").content.decode()
