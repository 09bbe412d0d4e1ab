"""Adding players: one, another, or many out of a pasted text."""

import re

import pytest

from core.dynamo import metering
from core.dynamo.errors import AlreadyExists
from tests.racing import at_once
from tests.tracker.club import browser_of, ghost, person, team_of
from tracker import repository
from tracker.roster import pasting
from tracker.roster import services as roster
from tracker.scoring import presenters

pytestmark = pytest.mark.usefixtures("db")
LENA = {"first_name": "Lena", "last_name": "Sommer", "number": "12", "position": "SS", "status": "active"}


@pytest.fixture
def owner(db):
    return person("Olga")


@pytest.fixture
def browser(owner):
    return browser_of(owner)


def add_address(team):
    return f"/tracker/teams/{team.id}/roster/new/"


def paste_address(team):
    return f"/tracker/teams/{team.id}/roster/paste/"


def ghosts_of(team):
    """Number, name and positions of all ghosts."""
    return [
        (player.number, player.name, list(player.positions))
        for player in repository.teams.roster(team.id, strong=True).players
        if player.is_ghost
    ]


def errors_in(response):
    found = re.findall(r'<ul class="errorlist"[^>]*>(.*?)</ul>', response.text, re.DOTALL)
    return [
        re.sub(r"<[^>]+>", "", item).strip() for part in found for item in re.findall(r"<li>(.*?)</li>", part)
    ]


def test_a_player_is_added_as_a_ghost(team, browser):
    response = browser.post(add_address(team), LENA | {"second_position": "2B", "is_private": "on"})

    assert response["Location"] == f"/tracker/teams/{team.id}/roster/"
    (player,) = (each for each in repository.teams.roster(team.id).players if each.is_ghost)
    assert (player.name, player.number, player.positions, player.status) == (
        *("Lena Sommer", 12),
        *(["SS", "2B"], "active"),
    )
    assert (player.is_private, player.user_id, player.gsi4_pk) == (True, None, None)


def test_add_another_leads_to_an_empty_form_which_says_who_was_added(team, browser):
    response = browser.post(add_address(team), LENA | {"then": "another"}, follow=True)

    assert response.redirect_chain[-1][0] == add_address(team)
    assert "Lena Sommer added to the roster." in response.text
    assert 'value="Lena"' not in response.text


def test_what_is_sent_twice_is_added_once(team, browser):
    answers = {browser.post(add_address(team), LENA | {"once": "key-1"}).status_code for _time in range(2)}

    assert answers == {302}
    assert ghosts_of(team) == [(12, "Lena Sommer", ["SS"])]


@pytest.mark.parametrize(
    "name", ["De la Cruz", "O\u2019Neill", "D'Arcy", "Jr. Müller-Łukasz", "李", "अनिता", "x" * 50]
)
def test_names_are_letters_of_any_language_with_spaces_apostrophes_periods_and_hyphens(team, browser, name):
    assert browser.post(add_address(team), LENA | {"first_name": f"  {name} "}).status_code == 302
    assert ghosts_of(team) == [(12, f"{name} Sommer", ["SS"])]


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("first_name", "", "Enter a first name."),
        ("first_name", "<b>Lena</b>", "Use letters, spaces, apostrophes, periods and hyphens only."),
        ("first_name", "R2D2", "Use letters, spaces, apostrophes, periods and hyphens only."),
        ("last_name", "-'.", "Use letters, spaces, apostrophes, periods and hyphens only."),
        ("last_name", "x" * 51, "Ensure this value has at most 50 characters (it has 51)."),
        ("number", "100", "Enter a number from 0 to 99, 00, or leave it empty."),
        ("number", "-1", "Enter a number from 0 to 99, 00, or leave it empty."),
        ("number", "x", "Enter a number from 0 to 99, 00, or leave it empty."),
        ("position", "XX", "Select a valid choice. XX is not one of the available choices."),
        ("second_position", "SS", "Choose another position, or none."),
        ("status", "deleted", "Select a valid choice. deleted is not one of the available choices."),
    ],
)
def test_what_cannot_be_is_said_at_its_field(team, browser, field, value, message):
    response = browser.post(add_address(team), LENA | {field: value})

    assert response.status_code == 422
    assert errors_in(response) == [message]
    assert ghosts_of(team) == []


def test_a_number_is_taken_by_active_players_and_substitutes_only(team, owner, browser):
    ghost(team, "Ida", 12, status="inactive", actor=owner)
    assert browser.post(add_address(team), LENA).status_code == 302
    response = browser.post(add_address(team), LENA | {"first_name": "Mia", "status": "sub"})

    assert response.status_code == 409
    assert errors_in(response) == ["Another player on this team has this number."]
    assert (
        browser.post(add_address(team), LENA | {"first_name": "Mia", "status": "inactive"}).status_code == 302
    )
    assert browser.post(add_address(team_of(owner, "Others")), LENA).status_code == 302


def test_00_is_another_number_than_0(team, owner, browser):
    for name, number in (("Zoe", "00"), ("Ada", "0"), ("Bea", "07")):
        assert (
            browser.post(add_address(team), LENA | {"first_name": name, "number": number}).status_code == 302
        )
    for number in ("0", "00", "7"):
        again = browser.post(add_address(team), LENA | {"first_name": "Mia", "number": number})
        assert (again.status_code, errors_in(again)) == (
            409,
            ["Another player on this team has this number."],
        )
    players = [each for each in repository.teams.roster(team.id, strong=True).players if each.is_ghost]
    assert [(each.first_name, each.jersey_number, each.number) for each in players] == [
        ("Ada", "0", 0),
        ("Zoe", "00", 0),
        ("Bea", "7", 7),
    ]
    address = f"/tracker/teams/{team.id}/roster/"
    page = re.sub(r"\s+", " ", browser.get(address).text)
    assert '<span class="visually-hidden">Number</span> 00</span>' in page
    file = b"".join(browser.get(f"{address}?as=csv").streaming_content).decode("utf-8-sig")
    assert [line.split(",")[:2] for line in file.splitlines()[1:4]] == [
        ["0", "Ada"],
        ["00", "Zoe"],
        ["7", "Bea"],
    ]
    assert presenters.names_of(players)(players[1].id) == "#00 Zoe Sommer"


def test_whoever_has_00_can_change_to_0_and_back(team, browser):
    browser.post(add_address(team), LENA | {"number": "00"})
    for number, shown in (("", "00"), ("0", "0"), ("00", "00")):
        (player,) = (each for each in repository.teams.roster(team.id, strong=True).players if each.is_ghost)
        address = f"/tracker/teams/{team.id}/roster/{player.id}/edit/"
        if number:
            sent = LENA | {"number": number, "version": player.seen_version}
            assert browser.post(address, sent).status_code == 302
        assert re.search(r'name="number" value="(\d+)"', browser.get(address).text)[1] == shown


def test_00_and_0_are_two_numbers_in_a_pasted_text(owner, team):
    lines = pasting.read("00 Zoe\n0 Ada\n00 Mia\n7 Bea", [])
    taken = "Number 00 is used more than once."
    assert [(line.number, line.problems) for line in lines] == [
        ("00", (taken,)),
        ("0", ()),
        ("00", (taken,)),
        ("7", ()),
    ]
    zoe = ghost(team, "Zoe", 0, is_double_zero=True, actor=owner)
    lines = pasting.read("00 Kim\n0 Ada", [zoe])
    assert [line.problems for line in lines] == [("Another player on this team has number 00.",), ()]


def test_managers_who_give_the_same_number_at_once_one_wins(team, owner):
    def give(number):
        return roster.add(owner, team.id, {"first_name": f"Player {'ABCDEFGHIJ'[number]}", "number": 5})

    answers = at_once(give, 10)

    refused = [answer for answer in answers if isinstance(answer, AlreadyExists)]
    assert len(refused) == 9
    assert {error.field for error in refused} == {"number"}
    assert [number for number, _name, _positions in ghosts_of(team)] == [5]


def test_adding_is_three_requests_and_the_team(team, browser):
    with metering.metered() as cost:
        browser.post(add_address(team), LENA)

    assert cost.operations == ["GetItem", "BatchGetItem", "TransactWriteItems"]


# --- Many at once -----------------------------------------------------------------------------------------

TEXT = """12 Lena Sommer SS 2B
#7\tMia  De la Cruz\tof

3. Jana C
Noor
44;Ève;O\u2019Neill;1b;util
"""


def test_lines_are_understood_as_people_write_them():
    lines = pasting.read(TEXT, [])

    assert [line.problems for line in lines] == [()] * 5
    assert [line.place for line in lines] == [1, 2, 4, 5, 6]
    assert [(line.fields["number"], line.name, line.fields["positions"]) for line in lines] == [
        (12, "Lena Sommer", ["SS", "2B"]),
        (7, "Mia De la Cruz", ["OF"]),
        (3, "Jana", ["C"]),
        (None, "Noor", []),
        (44, "Ève O\u2019Neill", ["1B", "UTIL"]),
    ]


def test_looking_first_shows_every_line_and_adds_nothing(team, browser):
    response = browser.post(paste_address(team), {"text": TEXT, "do": "preview"})

    assert response.status_code == 200
    assert "5 players can be added" in response.text
    assert ghosts_of(team) == []


def test_all_lines_are_added_in_one_transaction(team, browser):
    with metering.metered() as cost:
        response = browser.post(paste_address(team), {"text": TEXT, "do": "add", "once": "key-1"})

    assert cost.operations == ["GetItem", "BatchGetItem", "Query", "TransactWriteItems"]
    assert "5 players added." in browser.get(response["Location"]).text
    assert len(ghosts_of(team)) == 5
    again = browser.post(paste_address(team), {"text": TEXT, "do": "add", "once": "key-1"})
    assert again.status_code == 302
    assert len(ghosts_of(team)) == 5


WRONG = """12 Lena Sommer
7 Mia Klein SS 2B 3B
100 Jana Groß
R2D2
8 Ida Berg
8 Eva Berg
9 Zoe Adler
4 Noor Khan
"""


def test_a_wrong_line_is_named_with_its_problem_and_nothing_is_added(team, owner, browser):
    ghost(team, "Ada", 12, actor=owner)
    ghost(team, "Zoe", last_name="Adler", actor=owner)
    response = browser.post(paste_address(team), {"text": WRONG, "do": "add"})

    assert response.status_code == 422
    assert errors_in(response) == [
        "Line 1: Another player on this team has number 12.",
        "Line 2: A player has at most two positions.",
        "Line 3: Enter a number from 0 to 99, 00, or leave it empty.",
        "Line 4: Use letters, spaces, apostrophes, periods and hyphens only.",
        "Line 5: Number 8 is used more than once.",
        "Line 6: Number 8 is used more than once.",
        "Line 7: Zoe Adler is already on the roster.",
    ]
    assert len(ghosts_of(team)) == 2


@pytest.mark.parametrize("line", ["Tom Jones, 44, P", "Tom Jones #44", "Tom 44 Jones"])
def test_whoever_writes_the_number_behind_the_name_is_told_that_it_comes_first(line):
    (read,) = pasting.read(line, [])
    assert read.problems == ("The number comes first, then the name, then the positions: 12 Lena Sommer SS.",)


def test_the_right_lines_alone_are_added_when_that_is_chosen_and_the_others_are_told(team, owner, browser):
    ghost(team, "Ada", 12, actor=owner)
    response = browser.post(paste_address(team), {"text": WRONG, "do": "add-right"}, follow=True)

    assert "2 players added. Left out: line 1, 2, 3, 4, 5, 6." in response.text
    assert [name for _number, name, _positions in ghosts_of(team)] == ["Noor Khan", "Zoe Adler", "Ada"]


def test_the_most_that_can_be_pasted_fits_into_one_transaction_and_one_more_is_refused(team, browser):
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜÉ"
    lines = [f"{number} Player {letter}a P C" for number, letter in enumerate(letters)]
    assert len(lines) == pasting.MOST_LINES
    response = browser.post(paste_address(team), {"text": "\n".join([*lines, "Max"]), "do": "add"})
    assert errors_in(response) == ["Add at most 30 players at a time."]

    text = "\n".join(line.replace("Player ", "Player von ") for line in lines)
    assert browser.post(paste_address(team), {"text": text, "do": "add", "once": "x"}).status_code == 302
    assert len(ghosts_of(team)) == 30


def test_a_number_that_is_taken_between_looking_and_adding_is_named_in_its_line(
    team, owner, browser, monkeypatch
):
    read = pasting.read

    def read_and_be_overtaken(text, players):
        lines = read(text, players)
        monkeypatch.undo()
        ghost(team, "Quick", 12, actor=owner)
        return lines

    monkeypatch.setattr(pasting, "read", read_and_be_overtaken)
    response = browser.post(paste_address(team), {"text": "12 Lena Sommer\n13 Mia", "do": "add"})

    assert response.status_code == 409
    assert "Line 1: Another player on this team has number 12." in errors_in(response)
    assert ghosts_of(team) == [(12, "Quick", [])]
