"""Ctrl+K finds somebody's own teams, who plays for them and their games, and nothing of other teams."""

from datetime import UTC, datetime

import pytest
from django.core.management import call_command

from core.accounts.user import User
from core.dynamo import maintenance, search
from core.dynamo.metering import metered
from core.dynamo.search_index import WordRow
from tests.tracker.club import ROLES, browser_of, cast, ghost, join, person, team_of
from tracker import desk
from tracker.games.models import FINAL
from tracker.games.services import game_removal, games
from tracker.teams.services import teams

pytestmark = pytest.mark.usefixtures("db")


def found(user, text):
    page = browser_of(user).get("/search", {"q": text})
    return [
        (str(hit.title), str(hit.kind), hit.address)
        for group in page.context["groups"]
        if group.id == "records"
        for hit in group.hits
    ]


def test_teams_and_players_are_found_by_the_beginning_of_their_words(lena):
    team = team_of(lena, "Feldkamp Falcons")
    ada = ghost(team, "Ada", 7, actor=lena, last_name="Løvelace")
    assert found(lena, "falc") == [("Feldkamp Falcons", "Softball team", f"/tracker/teams/{team.id}/")]
    address = f"/tracker/teams/{team.id}/players/{ada.id}/"
    assert found(lena, "love ad") == [("Ada Løvelace", "Feldkamp Falcons", address)]


def game_of(user, team, opponent="Hälvø Hawks", **fields):
    start = datetime(2026, 6, 5, 17, tzinfo=UTC)
    planned = {"opponent_name": opponent, "location": "Kelbern", "scheduled_start": start}
    return games.create(user, team.id, planned | fields)


def test_a_game_is_found_by_its_opponent_and_its_place(lena):
    team = team_of(lena, "Feldkamp Falcons")
    game = game_of(lena, team, is_home=True)
    game_of(lena, team, "Owls")
    hit = ("Hälvø Hawks", "Feldkamp Falcons · 5 Jun 2026 · Kelbern", f"/tracker/games/{game.id}/")
    assert [found(lena, text) for text in ("hawks", "halvo", "haelvo", "kelb hawk")] == [[hit]] * 4
    assert sorted(title for title, _, _ in found(lena, "kelbern")) == ["Hälvø Hawks", "at Owls"]


def test_a_game_is_found_as_it_is_now(lena):
    team = team_of(lena)
    game = game_of(lena, team, location=None)
    games.edit(lena, game.id, {"opponent_name": "Bats", "scheduled_start": None})
    assert found(lena, "hawks") == []
    assert found(lena, "bats") == [("at Bats", team.name, f"/tracker/games/{game.id}/")]
    games.move(lena, game.id, FINAL, fields={"team_score": 3, "opponent_score": 2})
    assert found(lena, "bats")[0][1] == f"{team.name} · 3:2"
    game_removal.delete(lena, game.id)
    assert found(lena, "bats") == []


def test_games_of_a_team_of_ones_own_are_found_by_that_person_only(lena):
    own = team_of(lena, "Monday League", team_type="PERSONAL")
    game_of(lena, own)
    assert [title for title, _, _ in found(lena, "hawks")] == ["at Hälvø Hawks"]
    admin = person("Amara", groups=["admin"])
    assert [found(admin, text) for text in ("hawks", "monday")] == [[], []]


@pytest.mark.parametrize("role", ROLES)
def test_every_role_of_a_team_finds_it_and_strangers_nothing(lena, role):
    team = team_of(lena, "Feldkamp Falcons")
    ghost(team, "Ada", actor=lena)
    game_of(lena, team)
    user = cast(lena, team)[role]
    expected = [["Feldkamp Falcons"], ["Ada"], ["at Hälvø Hawks"]] if role != "stranger" else [[], [], []]
    told = [[title for title, _, _ in found(user, text)] for text in ("falcons", "ada", "hawks")]
    assert told == expected


def test_a_guest_finds_the_own_team_and_looks_into_nothing_of_the_club(lena):
    team = team_of(lena, "Feldkamp Falcons")
    game_of(lena, team)
    other = team_of(person("Noor"), "Falcons Two")
    game_of(person("Noor"), other)
    guest = User.of(sub="sub-gast", name="Gast", email="gast@elsewhere.example", groups=["guest"])
    assert guest.is_guest
    join(guest, team, actor=lena)
    told = [[title for title, _, _ in found(guest, text)] for text in ("falcons", "hawks")]
    assert told == [["Feldkamp Falcons"], ["at Hälvø Hawks"]]
    # The session, the memberships, the team, its games, the game, its roster.
    assert requests(browser_of(guest), "hawks") == [
        *("GetItem", "Query", "BatchGetItem", "Query", "BatchGetItem", "Query"),
    ]


def test_administrators_find_every_team_and_its_games_but_of_teams_of_others_no_people(lena):
    team = team_of(lena, "Feldkamp Falcons")
    ghost(team, "Ada", actor=lena)
    game_of(lena, team)
    admin = person("Amara", groups=["admin"])
    hit = ("Feldkamp Falcons", "Softball team", f"/tracker/teams/{team.id}/")
    assert [found(admin, text) for text in ("falcons", "ada")] == [[hit], []]
    assert [title for title, _, _ in found(admin, "hawks")] == ["at Hälvø Hawks"]
    own = team_of(admin, "Falcons Two")
    assert sorted(found(admin, "falcons")) == [
        ("Falcons Two", "Softball team", f"/tracker/teams/{own.id}/"),
        hit,
    ]


def test_administrators_find_games_of_the_newest_teams_of_others_after_those_of_their_own(lena, monkeypatch):
    monkeypatch.setattr(desk, "MOST_TEAMS", 2)
    admin = person("Amara", groups=["admin"])
    for user, opponent in ((admin, "Hawks One"), (lena, "Hawks Two"), (lena, "Hawks Three")):
        game_of(user, team_of(user, "Falcons"), opponent)
    game_of(lena, team_of(lena, "Monday League", team_type="PERSONAL"), "Hawks Four")
    team_of(lena, "Without games")
    assert sorted(title for title, _, _ in found(admin, "hawks")) == ["at Hawks One", "at Hawks Three"]


def test_games_of_teams_of_others_cost_administrators_one_request_and_one_for_each_team(lena):
    admin, teams_of_lena = person("Amara", groups=["admin"]), [team_of(lena, name) for name in ("A", "B")]
    browser = browser_of(admin)
    requests(browser)  # which also reads the list of teams of scouting, once in half a minute
    usual = requests(browser)
    for number, team in enumerate(teams_of_lena, start=1):
        game_of(lena, team)
        game_of(lena, team, "Owls")
        assert len(requests(browser)) == len(usual) + number


def test_what_is_in_a_deleted_team_is_not_found(lena):
    team = team_of(lena, "Feldkamp Falcons")
    ghost(team, "Ada", actor=lena)
    game_of(lena, team)
    team = teams.delete(lena, team.id, seen_version=teams.policy.access(lena, team.id).team.version)
    admin = person("Amara", groups=["admin"])
    texts = ("falcons", "ada", "hawks")
    assert [found(user, text) for user in (lena, admin) for text in texts] == [[]] * 6
    teams.restore(lena, team.id)
    assert [len(found(lena, text)) for text in texts] == [1, 1, 1]
    assert len(found(admin, "falcons")) == 1


def test_games_and_teams_from_before_are_found_after_a_rebuild(lena):
    team = team_of(lena, "Feldkamp Falcons")
    game_of(lena, team)
    admin = person("Amara", groups=["admin"])
    forget_all_words()
    assert [found(lena, "hawks"), found(admin, "falcons")] == [[], []]
    call_command("search", "rebuild")
    assert [len(found(lena, "hawks")), len(found(admin, "falcons"))] == [1, 1]


def forget_all_words():
    table = WordRow.Meta.table_name
    for page in maintenance.scan(TableName=table):
        for row in page["Items"]:
            if row["PK"]["S"].startswith("WORD#"):
                maintenance.request(
                    "DeleteItem", TableName=table, Key={name: row[name] for name in ("PK", "SK")}
                )


def test_it_costs_two_requests_one_for_each_roster_and_one_for_the_games_of_each_team(lena):
    """The session, the words of the website and of quests, the memberships with their teams."""
    browser = browser_of(lena)
    usual = ["GetItem", "Query", "BatchGetItem", "Query", "Query"]
    assert requests(browser) == usual
    team = team_of(lena, "Falcons")
    team_of(lena, "Owls")
    team_of(lena, "Monday League", team_type="PERSONAL")
    assert requests(browser) == [*usual, "Query", "Query"]
    game_of(lena, team)
    assert requests(browser) == [*usual, "Query", "Query", "Query"]


def test_it_costs_the_same_however_many_games_there_are(lena):
    browser, team = browser_of(lena), team_of(lena)
    game_of(lena, team)
    few = requests(browser, "hawks kelb")
    for number in range(30):
        game_of(lena, team, f"Hawks {number:02}")
    assert (len(found(lena, "hawks kelb")), requests(browser, "hawks kelb")) == (20, few)
    assert [title for title, _, _ in found(lena, "hawks 29")] == ["at Hawks 29"]


def test_of_a_game_no_more_is_read_than_lists_show(lena):
    team = team_of(lena)
    game_of(lena, team)
    (hit,) = search.search("hawks", [f"team:{team.id}"], may_see=lambda _store, _record: True).hits
    assert {"opponentName", "location", "teamScore"} < set(hit.item.stored)
    assert {"lineup", "substitutions", "version"} & set(hit.item.stored) == set()


def test_of_more_than_ten_teams_the_newest_ones_are_looked_through(lena, monkeypatch):
    monkeypatch.setattr(desk, "MOST_TEAMS", 1)
    old, new = team_of(lena, "Falcons"), team_of(lena, "Owls")
    for team, player in ((old, "Ada"), (new, "Bea")):
        ghost(team, player, actor=lena)
        game_of(lena, team, f"Opponent {player}")
    assert [len(found(lena, text)) for text in ("falcons", "owls")] == [1, 1]
    assert [[title for title, _, _ in found(lena, text)] for text in ("ada", "bea")] == [
        [],
        ["Bea", "at Opponent Bea"],
    ]


def requests(browser, text="zz"):
    with metered() as meter:
        browser.get("/search", {"q": text})
    return meter.operations
