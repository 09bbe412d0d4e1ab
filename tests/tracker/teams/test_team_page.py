"""A team at a glance: what is on, what comes next, how it went, and what somebody is in it."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from core.dynamo.attributes import now
from core.dynamo.items import new_id
from core.dynamo.metering import metered
from tests.tracker.club import browser_of, cast, person, team_of
from tracker import repository
from tracker.games.models import Game, Season
from tracker.teams.summary import glance, season_on

NOON = datetime(2026, 6, 10, 12, tzinfo=ZoneInfo("Europe/Berlin"))


def game(days, status="FINAL", ours=0, theirs=0, **fields):
    start = None if days is None else NOON + timedelta(days=days)
    return Game.about(
        new_id(),
        team_id="team",
        scheduled_start=start,
        status=status,
        team_score=ours,
        opponent_score=theirs,
        created_at=NOON,
        **fields,
    )


def season(name, starts, ends):
    return Season.about("team", name, name=name, starts_on=starts, ends_on=ends)


def test_the_next_game_is_the_first_that_is_still_to_come_also_later_today():
    games = [game(9, "SCHEDULED"), game(2, "SCHEDULED"), game(0, "SCHEDULED"), game(-1, "SCHEDULED")]
    assert glance(games, [], NOON + timedelta(hours=3)).next is games[2]
    assert glance(games, [], NOON + timedelta(days=1)).next is games[1]
    assert glance([game(-1, "SCHEDULED"), game(3, "POSTPONED")], [], NOON).next is None


def test_a_game_without_a_date_is_planned_too_but_after_those_with_one():
    undated = game(None, "SCHEDULED")
    assert glance([game(-1, "SCHEDULED"), undated], [], NOON).next is undated
    dated = game(30, "SCHEDULED")
    assert glance([dated, undated], [], NOON).next is dated
    assert glance([game(None, "POSTPONED")], [], NOON).next is None


def test_the_record_counts_what_ended_this_year():
    games = [game(-1, ours=7, theirs=3), game(-2, ours=1, theirs=3), game(-3, ours=4, theirs=4)]
    others = [game(1, "SCHEDULED"), game(-4, "IN_PROGRESS", 9, 0), game(-400, ours=5, theirs=0)]
    assert str(glance([*games, *others], [], NOON).record) == "1-1-1"


def test_with_a_season_the_record_is_that_of_the_season():
    summer = season("summer", date(2026, 5, 1), date(2026, 8, 31))
    games = [game(-1, ours=7, theirs=3, season_id="summer"), game(-2, ours=7, theirs=3)]
    found = glance(games, [summer], NOON)
    assert (str(found.record), found.season) == ("1-0-0", summer)


def test_between_two_seasons_the_last_one_counts():
    winter = season("winter", date(2025, 11, 1), date(2026, 2, 28))
    spring = season("spring", date(2026, 3, 1), date(2026, 5, 31))
    coming = season("coming", date(2026, 9, 1), None)
    assert season_on([winter, spring, coming], date(2026, 6, 10)) is spring
    assert season_on([coming], date(2026, 6, 10)) is None


def test_the_last_results_are_the_five_newest():
    games = [game(-day, ours=day) for day in range(1, 8)]
    assert [each.team_score for each in glance(games, [], NOON).results] == [1, 2, 3, 4, 5]


@pytest.fixture
def team(db):
    return team_of(person("Owner"), description="Mondays on the meadow")


def stored(team, **fields):
    actor = person("Owner").actor
    return repository.games.create(Game.about(new_id(), team_id=team.id, **fields), actor=actor)


@pytest.mark.parametrize(
    ("role", "says", "edits", "deletes"),
    [
        ("owner", "You are Owner here, and on the roster as Owner Example.", True, True),
        ("manager", "You are Manager here.", True, False),
        ("scorekeeper", "You are Scorekeeper here.", False, False),
        ("player", "You are Player here.", False, False),
    ],
)
def test_it_says_what_somebody_is_and_offers_what_they_may(role, says, edits, deletes, team):
    people = cast(person("Owner"), team)
    page = browser_of(people[role]).get(f"/tracker/teams/{team.id}/")
    assert says in page.text
    assert "Mondays on the meadow" in page.text
    assert ('id="edit"' in page.text, 'id="delete"' in page.text) == (edits, deletes)
    assert ('id="new-game"' in page.text) == (role != "player")


def test_it_leads_to_the_live_game_and_the_next_one(team):
    live = stored(team, status="IN_PROGRESS", opponent_name="Owls", team_score=4, opponent_score=2)
    coming = stored(team, scheduled_start=now() + timedelta(days=2), opponent_name="Hawks")
    page = browser_of(person("Owner")).get(f"/tracker/teams/{team.id}/").text
    assert f"/tracker/games/{live.id}/score/" in page
    assert "4:2" in page
    assert f'id="next-game" href="/tracker/games/{coming.id}/"' in page


def test_it_costs_four_requests_however_many_games_there_are(team):
    """The session, the team with the membership, the roster, the games."""
    browser = browser_of(person("Owner"))
    for number in range(30):
        stored(team, status="FINAL", scheduled_start=now() - timedelta(days=number))
    with metered() as meter:
        assert browser.get(f"/tracker/teams/{team.id}/").status_code == 200
    assert meter.requests == 4


def test_the_tabs_of_a_personal_team_have_nobody_to_manage(team):
    owner = person("Owner")
    own = team_of(owner, "Monday League", team_type="PERSONAL")
    browser = browser_of(owner)
    shared, personal = (browser.get(f"/tracker/teams/{each.id}/").text for each in (team, own))
    tabs = ("games", "statistics", "seasons", "roster", "members")
    assert [f'id="tab-{tab}"' in shared for tab in tabs] == [True] * 5
    assert [f'id="tab-{tab}"' in personal for tab in tabs] == [True, True, True, False, False]
