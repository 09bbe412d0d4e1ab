"""What all lists of the tracker have in common: limits, tokens and fields."""

import pytest

from tests.api.programs import pointers
from tests.api.tracker.conftest import OWNER
from tests.tracker.scorebook import Played
from tests.tracker.season import season_of
from tests.tracker.teams.invited import invite
from tracker.games.services import availability, games

LISTS = (
    "teams",
    "teams/{team}/members",
    "teams/{team}/players",
    "teams/{team}/seasons",
    "teams/{team}/games",
    "teams/{team}/invitations",
    "games/{game}/atbats",
    "games/{game}/answers",
)


@pytest.fixture
def filled(team):
    """At least two of everything."""
    played = Played(OWNER, team=team)
    for number in range(2):
        played.record("1B")
        season_of(team, f"Season {number}", actor=OWNER)
        invite(OWNER, team, role="scorekeeper")
        games.create(OWNER, team.id, {})
        availability.answer(OWNER, played.id, played.players[number].id, "yes")
    return {"team": team.id, "game": played.id}


def address(path, filled, more=""):
    return f"/api/v1/tracker/{path.format(**filled)}?{more}"


@pytest.mark.parametrize("path", LISTS)
def test_pages_together_are_the_bare_array(filled, owner, path):
    whole = owner.get(address(path, filled)).json()
    found, token = [], ""
    while True:
        page = owner.get(address(path, filled, f"limit=1{token}")).json()
        found += page["items"]
        if page["nextToken"] is None:
            break
        token = f"&nextToken={page['nextToken']}"
    assert (found, len(found) >= 2) == (whole, True)


@pytest.mark.parametrize("path", LISTS)
def test_a_token_is_of_one_person_and_one_list(filled, owner, manager, path):
    token = owner.get(address(path, filled, "limit=1")).json()["nextToken"]
    other = next(each for each in LISTS if each != path)
    for answer in (
        manager.get(address(path, filled, f"nextToken={token}")),
        owner.get(address(other, filled, f"nextToken={token}")),
        owner.get(address(path, filled, f"nextToken={token[:-1]}")),
        owner.get(address(path, filled, f"nextToken={token}&more=filters")),
    ):
        assert answer.status_code == 400


def test_what_is_wrong_in_a_query_is_named(filled, owner):
    for path in LISTS:
        for wrong, name in (("limit=0", "limit"), ("limit=101", "limit"), ("fields=a b", "fields")):
            answer = owner.get(address(path, filled, wrong))
            assert (path, answer.status_code, pointers(answer)) == (path, 400, [f"/query/{name}"])


def test_a_field_that_there_is_not_is_left_out(filled, owner):
    for path in LISTS:
        listed = owner.get(address(path, filled, "fields=version,nothing")).json()
        assert (path, {frozenset(each) for each in listed}) == (path, {frozenset({"version"})})
