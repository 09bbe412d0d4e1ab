"""Who may do what in a team: every verb for every role, asked directly and through forged requests."""

import pytest
from django.core.exceptions import PermissionDenied

from core.dynamo.errors import NotFound
from tests.tracker.club import browser_of, cast, join, person, team_of
from tracker import policy, repository
from tracker.policy import MATRIX

pytestmark = pytest.mark.usefixtures("db")

MAY = {
    "owner": set(MATRIX) - {"leave_team"},
    "manager": set(MATRIX) - {"delete_team", "transfer_team"},
    "scorekeeper": {"view", "manage_games", "manage_atbats", "edit_own_player", "answer", "leave_team"},
    "player": {"view", "edit_own_player", "answer", "leave_team"},
    "administrator": set(MATRIX) - {"leave_team"},
}
# For these there is no such team.
OUTSIDE = ("stranger", "former member")
EVERYBODY = (*MAY, *OUTSIDE)
GET, POST = "get", "post"
# Each route of this room: what the team's policy asks for, and how it answers to those who may.
ROUTES = {
    (GET, ""): ("view", 200),
    (GET, "members/"): ("view", 200),
    (GET, "edit/"): ("manage_team", 200),
    (POST, "edit/"): ("manage_team", 302),
    (GET, "delete/"): ("delete_team", 200),
    (POST, "delete/"): ("delete_team", 302),
    (GET, "transfer/"): ("transfer_team", 200),
    (POST, "transfer/"): ("transfer_team", 302),
    (GET, "members/sub-somebody/role/"): ("manage_members", 200),
    (POST, "members/sub-somebody/role/"): ("manage_members", 302),
    (GET, "members/sub-somebody/remove/"): ("manage_members", 200),
    (POST, "members/sub-somebody/remove/"): ("manage_members", 302),
    (GET, "leave/"): ("leave_team", 200),
    (POST, "leave/"): ("leave_team", 302),
}


@pytest.fixture
def team():
    return team_of(person("Owner"))


@pytest.fixture
def people(team):
    """One person of every kind, and somebody who is only there to be managed."""
    owner = person("Owner")
    found = cast(owner, team)
    found["administrator"] = person("Amara", groups=["admin"])
    found["former member"] = person("Frida")
    left = join(found["former member"], team, "manager", actor=owner)
    repository.memberships.update(left, {"status": "inactive"}, actor=owner.actor)
    join(person("Somebody"), team, actor=owner)
    return found


def test_every_verb_for_every_role_in_a_team(people, team):
    asked = {(role, verb): answer(people[role], team, verb) for role in EVERYBODY for verb in MATRIX}
    assert asked == {(role, verb): expected(role, verb) for role, verb in asked}


def answer(user, team, verb):
    try:
        policy.allowed(user, team.id, verb)
    except NotFound:
        return 404
    except PermissionDenied:
        return 403
    return 200


def expected(role, verb):
    if role in OUTSIDE:
        return 404
    return 200 if verb in MAY[role] else 403


def test_an_administrator_is_a_stranger_in_a_personal_team(people):
    own = team_of(person("Owner"), "Monday League", team_type="PERSONAL")
    assert {answer(people["administrator"], own, verb) for verb in MATRIX} == {404}


def test_in_a_deleted_team_nobody_may_do_anything(people, team):
    stored = repository.teams.of(team.id)
    repository.teams.update(stored, {"status": "deleted"}, actor=people["owner"].actor)
    assert {answer(people[role], team, verb) for role in EVERYBODY for verb in MATRIX} == {404}


@pytest.mark.parametrize("role", EVERYBODY)
def test_every_route_answers_as_the_matrix_says_also_to_forged_requests(role, people, team):
    """Each is asked in its own state, so that one request changes nothing for the next."""
    browser = browser_of(people[role])
    answers = {}
    for method, part in ROUTES:
        answers[method, part] = getattr(browser, method)(
            f"/tracker/teams/{team.id}/{part}", forged(team, part)
        ).status_code
        put_back(people, team)
    assert answers == {route: expected_at(role, *needs) for route, needs in ROUTES.items()}


def forged(team, part):
    version = repository.teams.of(team.id).version
    member = repository.memberships.of("sub-somebody", team.id).version
    return {
        "version": member if part.startswith("members/") else version,
        "name": "Forged",
        "role": "scorekeeper",
        "owner": "sub-somebody",
    }


def put_back(people, team):
    """Everything as it was."""
    owner = people["owner"].actor
    stored = repository.teams.of(team.id)
    was = {"status": "active", "owner_id": people["owner"].sub, "deleted_at": None, "recovery_token": None}
    repository.teams.update(stored, was, actor=owner)
    roles = {people[role].sub: role for role in ("owner", "manager", "scorekeeper", "player")}
    for membership in repository.memberships.of_team(team.id):
        if membership.user_id != people["former member"].sub:
            role = roles.get(membership.user_id, "player")
            repository.memberships.update(membership, {"role": role, "status": "active"}, actor=owner)


def expected_at(role, verb, status):
    told = expected(role, verb)
    return status if told == 200 else told


@pytest.mark.parametrize(
    ("role", "status"),
    [
        ("owner", 302),
        ("administrator", 302),
        ("manager", 403),
        ("scorekeeper", 403),
        ("player", 403),
        ("stranger", 404),
        ("former member", 404),
    ],
)
def test_who_may_delete_a_team_may_bring_it_back(role, status, people, team):
    gone = {"status": "deleted", "deleted_at": team.created_at, "recovery_token": "token"}
    repository.teams.update(repository.teams.of(team.id), gone, actor=people["owner"].actor)
    assert browser_of(people[role]).post(f"/tracker/teams/{team.id}/restore/").status_code == status
