"""A team is handed over in one transaction: it has one owner at every moment."""

import pytest
from django.core.exceptions import PermissionDenied

from core.dynamo.errors import DataError
from core.dynamo.metering import metered
from tests.racing import at_once
from tests.tracker.club import browser_of, cast, person, team_of
from tracker import repository
from tracker.teams.services import teams

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture
def team(lena):
    return team_of(lena)


@pytest.fixture
def people(lena, team):
    return cast(lena, team)


def hand_over(by, team, to, **sent):
    sent = {"owner": to, "version": team.version} | sent
    return browser_of(by).post(f"/tracker/teams/{team.id}/transfer/", sent)


def owners(team):
    return [each.user_id for each in repository.memberships.of_team(team.id) if each.role == "owner"]


def test_the_new_owner_owns_it_and_the_old_one_manages_it(lena, people, team):
    assert hand_over(lena, team, people["player"].sub).status_code == 302
    assert repository.teams.of(team.id).owner_id == people["player"].sub
    assert owners(team) == [people["player"].sub]
    assert repository.memberships.of(lena.sub, team.id).role == "manager"


def test_sent_twice_it_is_once(lena, people, team):
    answers = [hand_over(lena, team, people["player"].sub, once="key").status_code for _time in range(2)]
    assert answers == [302, 302]
    assert owners(team) == [people["player"].sub]


@pytest.mark.parametrize("to", ["sub-stranger", "sub-lena", "", "sub-nobody"])
def test_only_another_member_can_own_it(to, lena, people, team):
    answer = hand_over(lena, team, to)
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in answer.text
    assert owners(team) == [lena.sub]


@pytest.mark.parametrize(
    ("by", "status"), [("manager", 403), ("scorekeeper", 403), ("player", 403), ("stranger", 404)]
)
def test_nobody_but_the_owner_hands_it_over(by, status, lena, people, team):
    assert hand_over(people[by], team, people["player"].sub).status_code == status
    assert owners(team) == [lena.sub]


def test_an_administrator_hands_over_what_nobody_else_can(lena, people, team):
    admin = person("Amara", groups=["admin"])
    assert hand_over(admin, team, people["manager"].sub).status_code == 302
    assert owners(team) == [people["manager"].sub]


def test_twenty_transfers_at_once_leave_one_owner(lena, people, team):
    heirs = [people["manager"], people["scorekeeper"], people["player"]]

    def transfer(number):
        try:
            heir = heirs[number % len(heirs)]
            teams.transfer(lena, team.id, heir.sub, seen_version=team.version)
        except (DataError, PermissionDenied):
            return "refused"
        return "done"

    answers = at_once(transfer, 20)
    assert answers.count("done") == 1
    assert owners(team) == [repository.teams.of(team.id).owner_id]
    assert owners(team) != [lena.sub]


def test_it_costs_four_requests(lena, people, team):
    """The session, the team, both memberships, the transaction."""
    browser = browser_of(lena)
    with metered() as meter:
        sent = {"owner": people["player"].sub, "version": team.version}
        browser.post(f"/tracker/teams/{team.id}/transfer/", sent)
    assert meter.requests == 4
