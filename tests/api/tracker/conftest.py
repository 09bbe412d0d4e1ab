"""A team with one person of every role, and somebody outside it, as programs."""

from collections.abc import Callable, Iterator

import pytest

from tests.api.programs import Program
from tests.cast import CAST
from tests.tracker import club
from tracker.people import services as people
from tracker.scoring.limits import RECORDING
from tracker.teams.limits import INVITING, MAILING
from tracker.teams.models import MANAGER, PLAYER, SCOREKEEPER

# The role in the team by that of the site; a steward has none.
ROLES = {"member": "owner", "moderator": MANAGER, "official": SCOREKEEPER, "other-member": PLAYER}
OWNER, OUTSIDER = CAST["member"], CAST["steward"]


@pytest.fixture
def team(db):
    for role in (*ROLES, "steward"):
        people.open_profile(CAST[role])
    team = club.team_of(OWNER)
    for role in (MANAGER, SCOREKEEPER, PLAYER):
        (person,) = (CAST[each] for each, own in ROLES.items() if own == role)
        club.join(person, team, role, actor=OWNER)
    return team


@pytest.fixture
def players(team):
    return club.nine(team, actor=OWNER)


@pytest.fixture(autouse=True)
def _limits_of_this_test(db: object) -> Iterator[None]:
    yield
    for person in CAST.values():
        RECORDING.reset(person.sub)
        INVITING.reset(person.sub)
        MAILING.reset(person.email)


@pytest.fixture
def owner(program: Callable[[str], Program]) -> Program:
    return program("member")


@pytest.fixture
def manager(program: Callable[[str], Program]) -> Program:
    return program("moderator")


@pytest.fixture
def scorekeeper(program: Callable[[str], Program]) -> Program:
    return program("official")


@pytest.fixture
def player(program: Callable[[str], Program]) -> Program:
    return program("other-member")


@pytest.fixture
def outsider(program: Callable[[str], Program]) -> Program:
    return program("steward")
