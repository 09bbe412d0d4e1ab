"""Whoever signs in for the first time has a profile and a team of their own."""

import pytest

from core.accounts.user import User
from core.dynamo.metering import metered
from tests.racing import at_once
from tests.tracker.club import person
from tracker import repository
from tracker.people import services as people

pytestmark = pytest.mark.usefixtures("db")


def test_the_first_sign_in_makes_the_profile_and_the_team_default():
    user = person("Lena")
    profile = repository.profiles.of(user.sub)
    assert (profile.first_name, profile.last_name, profile.email) == ("Lena", "Example", "lena@club.example")
    (membership,) = repository.profiles.belonging(user.sub).memberships
    assert (membership.role, membership.status) == ("owner", "active")
    team = repository.teams.of(membership.team_id)
    assert (team.name, team.team_type, team.owner_id) == ("Default", "PERSONAL", user.sub)
    (player,) = repository.teams.roster(team.id).players
    assert (player.name, player.user_id, player.is_ghost) == ("Lena Example", user.sub, False)
    assert [each.id for each in repository.players.of_person(user.sub)] == [player.id]


def test_a_profile_is_found_by_its_login():
    user = person("Lena")
    assert repository.profiles.with_login(user.sub).id == user.sub
    assert repository.profiles.with_login("sub-nobody") is None


def test_twenty_first_sign_ins_at_once_make_one_team():
    user = User.of(sub="sub-new", name="Nia New", email="nia@club.example", groups=())
    at_once(lambda _number: people.open_profile(user), 20)
    assert len(repository.profiles.belonging(user.sub).memberships) == 1


def test_every_other_sign_in_costs_one_request():
    user = person("Lena")
    with metered() as meter:
        people.open_profile(user)
    assert meter.requests == 1
