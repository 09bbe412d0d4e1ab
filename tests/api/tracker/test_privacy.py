"""Whoever is outside a team finds nothing of it, by no operation; a token does what its scope says."""

import re

import pytest
from django.urls import get_resolver

from core.accounts.personal_tokens import services
from tests.api.programs import Program
from tests.api.tracker.conftest import OUTSIDER, OWNER
from tests.cast import CAST
from tests.tracker import club
from tests.tracker.scorebook import Played
from tests.tracker.season import season_of
from tests.tracker.teams.invited import invite
from tracker import repository
from tracker.people import services as people

PREFIX = "/api/v1/tracker/"
# A body that is right for each operation that needs one.
BODIES = {
    "PUT teams/<team>": {"name": "Eves"},
    "POST teams/<team>/transfer": {"ownerId": OUTSIDER.sub},
    "PUT teams/<team>/members/<user>": {"role": "player"},
    "POST teams/<team>/players": {"firstName": "Eve"},
    "PUT teams/<team>/players/<player>": {"firstName": "Eve"},
    "POST teams/<team>/seasons": {"name": "Summer"},
    "PUT teams/<team>/seasons/<season>": {"name": "Summer"},
    "POST teams/<team>/invitations": {"role": "scorekeeper"},
    "PUT games/<game>": {"location": "Field 4"},
    "POST games/<game>/status": {"status": "FINAL"},
    "POST games/<game>/forfeit": {"winner": "own"},
    "PUT games/<game>/share": {"shared": True},
    "PUT games/<game>/answers/<player>": {"answer": "yes"},
    "PUT games/<game>/lineup": {"lineup": []},
    "POST games/<game>/substitutions": {"battingOrder": 1, "playerId": None},
    "POST games/<game>/atbats": {"result": "1B", "seen": 1},
    "PUT games/<game>/atbats/<at_bat>": {"result": "K"},
    "POST games/<game>/atbats/<at_bat>/before": {"result": "K"},
    "POST games/<game>/undo": {"atBatId": "last"},
    "POST games/<game>/redo": {"atBatId": "last"},
    "PUT games/<game>/opponent/<int:inning>": {"runs": 1},
    "PUT users/<key>": {"firstName": "Eve"},
}


def operations():
    """Every operation whose address names a team, a game or a person."""
    (root,) = [each for each in get_resolver().url_patterns if getattr(each, "namespace", "") == "api"]
    for url in root.url_patterns:
        path = str(url.pattern)
        for method in getattr(url.callback, "rights_by_method", {}):
            if path.startswith("tracker/") and "<" in path:
                yield f"{method} {path.removeprefix('tracker/')}"


@pytest.fixture
def ids(team):
    """A live game with a play, an answer and whatever else has an id."""
    played = Played(OWNER, team=team)
    return {
        "team": team.id,
        "user": OWNER.sub,
        "key": OWNER.sub,
        "player": played.batter(1).id,
        "season": season_of(team, actor=OWNER).id,
        "invitation": invite(OWNER, team, role="scorekeeper").invitation.id,
        "game": played.id,
        "at_bat": played.record("1B").id,
        "int:inning": "1",
    }


def asked(program, operation, ids):
    method, path = operation.split(" ")
    address = PREFIX + re.sub(r"<([^>]+)>", lambda found: ids[found[1]], path)
    return program.send(method, address, BODIES.get(operation), if_match='"1"')


OPERATIONS = list(operations())


def test_each_body_is_of_an_operation():
    assert len(OPERATIONS) > 60
    assert BODIES.keys() <= set(OPERATIONS)


def test_whoever_is_outside_finds_nothing_and_changes_nothing(ids, outsider):
    before = state(ids)
    answers = {operation: asked(outsider, operation, ids).status_code for operation in OPERATIONS}
    assert answers == dict.fromkeys(OPERATIONS, 404)
    assert state(ids) == before


def test_whoever_is_not_signed_in_is_refused(ids):
    stranger = Program()
    answers = {operation: asked(stranger, operation, ids).status_code for operation in OPERATIONS}
    assert answers == dict.fromkeys(OPERATIONS, 401)


def test_what_there_is_not_is_not_found_by_an_owner(ids, owner):
    nothing = {name: "1" if name == "int:inning" else "nothing" for name in ids}
    answers = {operation: asked(owner, operation, nothing).status_code for operation in OPERATIONS}
    assert answers == dict.fromkeys(OPERATIONS, 404)


def test_what_another_team_has_is_not_found_in_ones_own(ids, outsider):
    """The address names a team of the person, and a player, season, invitation or member of another."""
    own = club.team_of(OUTSIDER, "Eves")
    foreign = [each for each in OPERATIONS if "<team>/" in each and each.count("<") == 2]
    answers = {
        operation: asked(outsider, operation, ids | {"team": own.id}).status_code for operation in foreign
    }
    assert len(foreign) > 12
    assert answers == dict.fromkeys(foreign, 404)


def state(ids):
    """Everything in the partitions of the team and of the game."""
    story = repository.games.story(ids["game"], strong=True)
    roster = repository.teams.roster(ids["team"], strong=True)
    items = [story.game, *story.at_bats, *story.answers, *roster.players, *roster.seasons]
    items += repository.invitations.of_team(ids["team"])
    items.append(repository.teams.of(ids["team"], strong=True))
    return [item.stored for item in items]


def test_the_games_of_a_personal_team_are_for_nobody_else(owner, program):
    people.open_profile(OWNER)
    made = owner.post(f"{PREFIX}games", {"opponentName": "Rivals"})
    for role in ("admin", "other-member"):
        assert program(role).get(made["Location"]).status_code == 404
        team = f"{PREFIX}teams/{made.json()['teamId']}"
        assert program(role).get(team).status_code == 404
        assert program(role).get(f"{team}/games").status_code == 404


def test_an_administrator_acts_as_owner_of_other_teams(ids, program):
    told = program("admin").get(f"{PREFIX}teams/{ids['team']}").json()
    assert told["role"] == "owner"


def test_nothing_of_a_deleted_team_is_left(ids, owner, player):
    team = repository.teams.of(ids["team"], strong=True)
    owner.delete(f"{PREFIX}teams/{team.id}")
    for path in (f"teams/{team.id}/players", f"teams/{team.id}/games", f"games/{ids['game']}"):
        assert player.get(PREFIX + path).status_code == 404
        assert owner.get(PREFIX + path).status_code == 404


def test_secrets_are_in_no_answer(ids, owner):
    owner.put(f"{PREFIX}games/{ids['game']}/share", {"shared": True})
    for path in (
        f"teams/{ids['team']}",
        f"teams/{ids['team']}/members",
        f"teams/{ids['team']}/invitations",
        f"games/{ids['game']}",
        f"teams/{ids['team']}/games",
    ):
        told = owner.get(PREFIX + path).content.decode()
        assert not re.search("token|shareKey|calendarKey|GSI|PK", told)


@pytest.mark.parametrize(
    ("scopes", "reads", "writes"),
    [
        ({"tracker:read"}, 200, 403),
        ({"tracker:read", "tracker:write"}, 200, 201),
        ({"quests:read", "quests:write"}, 403, 403),
    ],
)
def test_a_personal_token_does_what_its_scopes_say(team, scopes, reads, writes):
    made = services.make(CAST["member"], "Score app", scopes, 30)
    program = Program(token=made.text)
    assert program.get(f"{PREFIX}teams/{team.id}").status_code == reads
    assert program.post(f"{PREFIX}teams/{team.id}/players", {"firstName": "Ada"}).status_code == writes
