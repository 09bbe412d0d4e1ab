"""Every edit form of the tracker: a mistake in it does not make it overwrite what somebody else saved."""

import pytest
from django.urls import reverse

from tests.seen import SAFE, answers_to_a_mistake
from tests.tracker.club import browser_of, ghost, join, person, team_of
from tests.tracker.games.test_seasons import SENT
from tracker.games.services import seasons
from tracker.teams.models import PLAYER

pytestmark = pytest.mark.usefixtures("db")


def profile(owner, team):
    typed = [{"first_name": name, "last_name": "Okoye"} for name in ("", "Lena", "Lene")]
    return "/tracker/profile/", *typed


def team_edit(owner, team):
    return f"/tracker/teams/{team.id}/edit/", *({"name": name} for name in ("x", "Owls", "Hawks"))


def role(owner, team):
    someone = person("Noor")
    join(someone, team, PLAYER, actor=owner)
    typed = [{"role": role} for role in ("king", "manager", "scorekeeper")]
    return f"/tracker/teams/{team.id}/members/{someone.sub}/role/", *typed


def player(owner, team):
    lena = ghost(team, "Lena", 12, actor=owner)
    typed = [{"first_name": name, "status": "active"} for name in ("", "Lene", "Leni")]
    return f"/tracker/teams/{team.id}/roster/{lena.id}/edit/", *typed


def season(owner, team):
    made = seasons.create(owner, team.id, {"name": "Spring"})
    address = reverse("tracker:season-edit", args=[team.id, made.id])
    return address, *(SENT | {"name": name} for name in ("", "Summer", "Autumn"))


@pytest.mark.parametrize("form", [profile, team_edit, role, player, season])
def test_a_corrected_mistake_overwrites_nobody(form):
    owner = person("Lena")
    address, wrong, mine, theirs = form(owner, team_of(owner))
    answers = answers_to_a_mistake(browser_of(owner), address, wrong=wrong, mine=mine, theirs=theirs)
    assert answers == SAFE


def test_a_team_is_not_handed_over_from_a_version_that_nobody_has_seen():
    owner, next_owner = person("Lena"), person("Noor")
    team = team_of(owner)
    join(next_owner, team, PLAYER, actor=owner)
    answers = answers_to_a_mistake(
        browser_of(owner),
        f"/tracker/teams/{team.id}/transfer/",
        wrong={"owner": ""},
        mine={"owner": next_owner.sub},
        theirs={"name": "Owls"},
        theirs_at=f"/tracker/teams/{team.id}/edit/",
    )
    assert answers == SAFE
