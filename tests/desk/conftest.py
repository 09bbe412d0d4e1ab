"""Those of whom something may wait for people."""

import pytest

from cms.news.models import News
from cms.news.repository import news
from cms.roles.models import Role
from cms.roles.repository import roles
from core.accounts import cognito
from core.accounts.cognito import Account
from core.accounts.user import GUEST
from core.dynamo.actors import Actor
from tests.cast import CAST
from tests.desk.waiting import OWNER, ROLES_IN_TEAM
from tests.quests.board import open_accounts
from tests.tracker.club import join, team_of
from tracker.people import services as people
from tracker.teams.models import Team


@pytest.fixture
def guests(monkeypatch: pytest.MonkeyPatch) -> list[Account]:
    """Those whom the user pool has in the group of guests."""
    found: list[Account] = []
    monkeypatch.setattr(cognito, "in_group", lambda group: (found if group == GUEST else [], False))
    return found


@pytest.fixture
def accounts(db: object) -> None:
    open_accounts()


@pytest.fixture
def team(db: object) -> Team:
    """A team of the cast's member, with a manager, a scorekeeper and a player."""
    for person in CAST.values():
        people.open_profile(person)
    found = team_of(OWNER, "Falcons")
    for role, role_in_team in ROLES_IN_TEAM.items():
        join(CAST[role], found, role_in_team, actor=OWNER)
    return found


@pytest.fixture
def odile() -> Actor:
    return CAST["official"].actor


@pytest.fixture
def article(db: object, alice: Actor) -> News:
    return news.create(News(title="Herbstturnier in Müllheim"), actor=alice)


@pytest.fixture
def role(db: object, alice: Actor) -> Role:
    return roles.create(Role(name="Herbstwart"), actor=alice)
