"""The roster page: who plays for a team, in which order, by filters, and as a file."""

import csv
import re
from io import BytesIO, StringIO
from zipfile import ZipFile

import pytest

from core.dynamo import metering
from tests.tracker.club import browser_of, cast, ghost, join, person, team_of
from tracker import repository
from tracker.teams.models import PERSONAL

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture
def owner(db):
    return person("Olga")


@pytest.fixture
def team(owner):
    """Olga herself is its only linked player, and has no number."""
    made = team_of(owner)
    ghost(made, "Zoe", 7, last_name="Adler", positions=["SS", "2B"], actor=owner)
    ghost(made, "Ben", None, last_name="Zorn", status="sub", actor=owner)
    ghost(made, "Ann", None, last_name="Adler", actor=owner)
    ghost(made, "Ina", 3, status="inactive", is_private=True, actor=owner)
    ghost(made, "Max", 12, actor=owner)
    return made


def address_of(team, query=""):
    return f"/tracker/teams/{team.id}/roster/{query}"


def names_on(response):
    """The names in the rows, from above."""
    found = re.findall(
        r'class="roster-row.*?(?:<strong>|class="roster-player"[^>]*>)([^<]+)<', response.text, re.DOTALL
    )
    return [name.strip() for name in found]


def test_players_are_listed_by_number_then_by_last_and_first_name_those_without_one_last(team, owner):
    assert names_on(browser_of(owner).get(address_of(team))) == [
        *("Ina", "Zoe Adler", "Max"),
        *("Ann Adler", "Olga Example", "Ben Zorn"),
    ]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("?status=active", ["Zoe Adler", "Max", "Ann Adler", "Olga Example"]),
        ("?status=sub", ["Ben Zorn"]),
        ("?status=inactive", ["Ina"]),
        ("?kind=linked", ["Olga Example"]),
        ("?kind=ghost&status=active", ["Zoe Adler", "Max", "Ann Adler"]),
        ("?kind=linked&status=sub", []),
        (
            "?kind=nonsense&status=nonsense",
            ["Ina", "Zoe Adler", "Max", "Ann Adler", "Olga Example", "Ben Zorn"],
        ),
    ],
)
def test_filters_narrow_it(team, owner, query, names):
    assert names_on(browser_of(owner).get(address_of(team, query))) == names


def test_a_row_says_number_positions_status_and_whether_somebody_signs_in(team, owner):
    text = browser_of(owner).get(address_of(team)).text
    rows = {
        name: row
        for row, name in re.findall(r'(class="roster-row.*?(Zoe|Ina|Olga).*?</li>)', text, re.DOTALL)
    }

    assert "SS · 2B" in rows["Zoe"]
    assert ">Ghost<" in rows["Zoe"]
    assert ">Inactive<" in rows["Ina"]
    assert "Hidden on shared pages" in rows["Ina"]
    assert ">Linked<" in rows["Olga"]
    assert "No number" in rows["Olga"]


def test_an_empty_result_leads_back_to_everybody(team, owner):
    assert ("No players match these filters.") in browser_of(owner).get(
        address_of(team, "?kind=linked&status=sub")
    ).text


def test_only_managers_see_how_to_change_it_and_players_how_to_change_their_own(team, owner):
    people = cast(owner, team)
    own = ghost(team, "Paul", 20, is_ghost=False, user_id=people["player"].sub, actor=owner)
    seen = {
        role: browser_of(people[role]).get(address_of(team)).text for role in people if role != "stranger"
    }

    assert [role for role in seen if 'id="new"' in seen[role]] == ["owner", "manager"]
    assert len(re.findall(r'id="edit-', seen["manager"])) == 7
    assert re.findall(r'id="edit-([^"]+)"', seen["player"]) == [own.id]
    assert "edit-" not in seen["scorekeeper"]


def test_it_takes_three_requests_and_a_fourth_for_whoever_invites(team, owner):
    player = person("Pia")
    join(player, team, actor=owner)
    for user, operations in (
        (player, ["GetItem", "BatchGetItem", "Query"]),
        (owner, ["GetItem", "BatchGetItem", "Query", "Query"]),
    ):
        browser = browser_of(user)
        with metering.metered() as cost:
            browser.get(address_of(team))
        assert cost.operations == operations


def test_as_csv_it_has_what_the_filters_leave(team, owner):
    response = browser_of(owner).get(address_of(team, "?status=inactive&as=csv"))
    lines = list(csv.reader(StringIO(b"".join(response.streaming_content).decode("utf-8-sig"))))

    assert response["Content-Disposition"].startswith('attachment; filename="')
    assert "feldkamp-falcons" in response["Content-Disposition"]
    assert lines == [
        ["Number", "First name", "Last name", "Positions", "Status", "Linked", "Private"],
        ["3", "Ina", "", "", "Inactive", "no", "yes"],
    ]


def test_as_a_workbook_numbers_are_numbers(team, owner):
    response = browser_of(owner).get(address_of(team, "?status=active&as=xlsx"))
    with ZipFile(BytesIO(b"".join(response.streaming_content))) as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
    response.close()

    (first,) = re.findall(r'<row r="2".*?</row>', sheet)
    assert "<v>7</v>" in first
    assert re.findall(r"<t>(.*?)</t>", first) == ["Zoe", "Adler", "SS 2B", "Active", "no", "no"]


def test_a_personal_team_shows_its_one_player_and_nothing_to_change_the_roster(owner):
    mine = team_of(owner, "Monday League", team_type=PERSONAL)
    text = browser_of(owner).get(address_of(mine)).text

    assert len(repository.teams.roster(mine.id).players) == 1
    assert 'id="new"' not in text
    assert "Invite" not in text
