"""Somebody's own figures across all teams."""

import csv
import io
from datetime import timedelta

import pytest

from core.dynamo.attributes import now
from core.dynamo.errors import Invalid
from core.dynamo.metering import metered
from tests.tracker import club, season
from tracker import repository
from tracker.games.models import IN_PROGRESS
from tracker.games.services import games
from tracker.people import purge
from tracker.scoring.services import lineup, scoring
from tracker.teams.services import teams

pytestmark = pytest.mark.usefixtures("db")

ADDRESS = "/tracker/me/statistics/"


def own_player(user, team):
    return repository.teams.roster(team.id, strong=True).of_person(user.sub)


def rows(user, rest=""):
    answer = club.browser_of(user).get(f"{ADDRESS}?as=csv&{rest}")
    return list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode("utf-8-sig"))))


def total(user, rest=""):
    found = [row for row in rows(user, f"list=teams&{rest}") if row["Team"] == "Total"]
    return (found[0]["G"], found[0]["H"], found[0]["AB"]) if found else None


def personal_team(user):
    (membership,) = repository.profiles.belonging(user.sub).memberships
    return repository.teams.of(membership.team_id)


def test_figures_of_all_teams_add_up_also_those_of_the_personal_team(lena):
    alone = personal_team(lena)
    season.played(alone, [own_player(lena, alone)], ["1B", "K"], actor=lena, lineup=[])
    falcons, comets = club.team_of(lena, "Falcons"), club.team_of(lena, "Comets")
    # Both sides of one game: she plays for the one and helps the other out.
    for team, results in ((falcons, ["1B", "1B"]), (comets, ["HR", "K", "BB"])):
        season.played(team, [own_player(lena, team)], results, actor=lena)
    assert total(lena) == ("3", "4", "6")
    by_team = {row["Team"]: row["AVG"] for row in rows(lena, "list=teams")}
    assert by_team == {"Default": "0.5", "Falcons": "1.0", "Comets": "0.5", "Total": "0.667"}


def test_on_both_sides_of_one_game_each_team_has_what_was_done_for_it_and_the_person_both(lena):
    """Each team writes down its own game; she bats for the one, then helps the other out."""
    falcons, comets = club.team_of(lena, "Falcons"), club.team_of(lena, "Comets")
    done = {}
    for team, other, results in ((falcons, "Comets", ["HR", "K"]), (comets, "Falcons", ["1B"])):
        order = [own_player(lena, team), *club.nine(team, actor=lena)[:8]]
        fields = {"opponent_name": other, "scheduled_start": season.OPENING_DAY}
        game = games.create(lena, team.id, fields)
        lineup.save(lena, game.id, club.batting_order(order))
        games.move(lena, game.id, IN_PROGRESS)
        done[team.id] = (game, order, results)
    for game, order, results in done.values():
        for place, result in enumerate(results):
            told = {"result": result, "player_id": order[place].id}
            scoring.record(lena, game.id, told, seen=place)
    first, second = done[falcons.id], done[comets.id]
    told = {"result": "HR", "player_id": first[1][0].id}
    with pytest.raises(Invalid, match="not in the line-up"):
        scoring.record(lena, second[0].id, told, seen=1)
    assert sorted((row["Team"], row["Opponent"], row["H"], row["HR"]) for row in rows(lena)) == [
        ("Comets", "at Falcons", "1", "0"),
        ("Falcons", "at Comets", "1", "1"),
    ]
    assert total(lena) == ("2", "2", "2")
    for game, order, results in done.values():
        box = repository.boxes.get(game.team_id, None, game.id, strong=True)
        assert (set(box.lines), box.pa_count) == ({each.id for each in order[: len(results)]}, len(results))


def test_they_survive_the_deletion_of_a_team_and_its_purge(lena):
    falcons, comets = club.team_of(lena, "Falcons"), club.team_of(lena, "Comets")
    for team in (falcons, comets):
        season.played(team, [own_player(lena, team)], ["1B", "K"], actor=lena)
    teams.delete(lena, falcons.id, seen_version=falcons.seen_version)
    browser = club.browser_of(lena)
    assert browser.get(f"/tracker/teams/{falcons.id}/statistics/").status_code == 404
    assert total(lena) == ("2", "2", "4")
    assert "Falcons (deleted)" in browser.get(ADDRESS).text

    purged = purge.purge(moment=now() + timedelta(days=31))
    assert purged.teams == ["Falcons"]
    assert total(lena) == ("2", "2", "4")


def test_recorded_through_the_scorebook_they_are_the_same(lena):
    team = club.team_of(lena)
    others = club.nine(team, actor=lena)[:8]
    order = [own_player(lena, team), *others]
    game = season.played(team, order, [], actor=lena, status=IN_PROGRESS)
    for place, result in enumerate(["SF", "1B", "K"]):
        told = {"result": result, "player_id": order[place].id}
        scoring.record(lena, game.id, told, seen=place)
    (row,) = rows(lena)
    assert (row["PA"], row["AB"], row["SF"], row["OBP"]) == ("1", "0", "1", "0.0")


def test_who_only_ran_for_others_has_the_run(lena):
    team = club.team_of(lena)
    ada, bea = (club.ghost(team, name, actor=lena) for name in ("Ada", "Bea"))
    runner = own_player(lena, team)
    moves = {"runners": [{"from": 2, "to": 4, "playerId": runner.id}, {"from": 0, "to": 1}]}
    season.played(team, [ada, bea], ["2B", ("1B", moves)], actor=lena)
    (row,) = rows(lena)
    assert (row["R"], row["PA"]) == ("1", "0")


def test_they_are_filtered_by_team_season_and_days(lena):
    falcons, comets = club.team_of(lena, "Falcons"), club.team_of(lena, "Comets")
    spring = season.season_of(falcons, actor=lena)
    player = own_player(lena, falcons)
    season.played(falcons, [player], ["1B"], actor=lena, season_id=spring.id)
    later = season.OPENING_DAY + timedelta(days=30)
    season.played(falcons, [player], ["K"], actor=lena, scheduled_start=later)
    season.played(comets, [own_player(lena, comets)], ["HR"], actor=lena, scheduled_start=None)
    assert total(lena) == ("3", "2", "3")
    assert total(lena, f"of={falcons.id}") == ("2", "1", "2")
    assert total(lena, f"of={spring.id}") == ("1", "1", "1")
    assert total(lena, "from=2026-05-03") == ("1", "0", "1")
    assert total(lena, "to=2026-05-03") == ("1", "1", "1")
    assert total(lena, "from=2026-02-31&to=nonsense") == ("3", "2", "3")
    assert total(lena, "from=2030-01-01") is None
    page = club.browser_of(lena).get(f"{ADDRESS}?from=2030-01-01")
    assert "No games match these filters" in page.text


def test_somebody_elses_games_are_not_ones_own(lena):
    bob = club.person("Bob")
    team = club.team_of(bob)
    season.played(team, [own_player(bob, team)], ["1B"], actor=bob)
    assert rows(lena) == []
    assert "No stats yet" in club.browser_of(lena).get(ADDRESS).text


def test_a_request_for_each_team_and_three_more_whatever_the_number_of_games(lena):
    """The team "Default", in which she never came to bat, costs nothing."""
    for name in ("Falcons", "Comets"):
        team = club.team_of(lena, name)
        spring = season.season_of(team, actor=lena)
        for _game in range(3):
            season.played(team, [own_player(lena, team)], ["1B"], actor=lena, season_id=spring.id)
    browser = club.browser_of(lena)
    with metered() as spent:
        assert browser.get(ADDRESS).status_code == 200
    # Session, players, box scores of two teams, names of teams and seasons.
    assert spent.operations == ["GetItem", "Query", "Query", "Query", "BatchGetItem"]
    assert [call.index for call in spent.calls if call.index] == ["GSI4"]


def test_without_a_turn_at_bat_it_is_two_requests(lena):
    browser = club.browser_of(lena)
    with metered() as spent:
        assert "No stats yet" in browser.get(ADDRESS).text
    assert spent.operations == ["GetItem", "Query"]
