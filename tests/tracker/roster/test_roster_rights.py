"""Every role against every address of rosters and invitations, by requests that no page offers."""

import pytest
from django.core.exceptions import PermissionDenied

from tests.tracker.club import browser_of, cast, ghost, person, team_of
from tracker import repository
from tracker.roster import services as roster
from tracker.teams.models import DELETED
from tracker.teams.services import invitations

pytestmark = pytest.mark.usefixtures("db")
SEES = {"owner": 200, "manager": 200, "scorekeeper": 200, "player": 200, "stranger": 404, "admin": 200}
MANAGES = SEES | {"scorekeeper": 403, "player": 403}
DONE = {role: 302 if status == 200 else status for role, status in MANAGES.items()}
PLAYER = {"first_name": "Mia", "status": "active"}

# Method, the end of the address, what is sent, and what each role is told.
TABLE = [
    ("get", "roster/", {}, SEES),
    ("get", "roster/?as=csv", {}, SEES),
    ("get", "roster/new/", {}, MANAGES),
    ("post", "roster/new/", PLAYER, DONE),
    ("get", "roster/paste/", {}, MANAGES),
    ("post", "roster/paste/", {"text": "Mia", "do": "add"}, DONE),
    ("get", "roster/{ghost}/edit/", {}, MANAGES),
    ("post", "roster/{ghost}/edit/", PLAYER | {"version": "{version}"}, DONE),
    ("get", "roster/{ghost}/remove/", {}, MANAGES),
    ("post", "roster/{ghost}/remove/", {}, DONE),
    ("post", "roster/{removed}/restore/", {}, DONE),
    ("get", "roster/{linked}/unlink/", {}, MANAGES),
    ("post", "roster/{linked}/unlink/", {}, DONE),
    ("get", "invitations/", {}, MANAGES),
    ("get", "invitations/new/", {}, MANAGES),
    ("post", "invitations/new/", {"player": "{ghost}", "role": "player"}, MANAGES),
    ("post", "invitations/{invitation}/revoke/", {}, DONE),
    # The owner sets the role of managers, a manager does not.
    ("post", "invitations/new/", {"role": "manager"}, MANAGES | {"manager": 422}),
    ("post", "invitations/new/", {"role": "owner"}, MANAGES | {"owner": 422, "manager": 422, "admin": 422}),
]


@pytest.fixture
def scene(filled_once):
    return filled_once(make_scene)


def make_scene():
    """A team with somebody of every role, and the ids that addresses name."""
    owner = person("Olga")
    team = team_of(owner)
    removed = ghost(team, "Removed", actor=owner)
    repository.players.delete(removed, actor=owner.actor)
    lena = ghost(team, "Lena", 12, actor=owner)
    linked = ghost(team, "Paul", is_ghost=False, user_id="sub-else", actor=owner)
    invited = invitations.invite(owner, team.id, player_id="", email="", role="scorekeeper")
    people = cast(owner, team) | {"admin": person("Ada", groups=["admin"])}
    ids = {
        "ghost": lena.id,
        "version": str(lena.seen_version),
        "removed": removed.id,
        "linked": linked.id,
        "invitation": invited.invitation.id,
    }
    return team, people, ids


@pytest.mark.parametrize("role", SEES)
@pytest.mark.parametrize(("method", "end", "sent", "told"), TABLE, ids=lambda value: str(value)[:40])
def test_what_each_role_is_told(scene, role, method, end, sent, told):
    team, people, ids = scene
    posted = {name: value.format(**ids) for name, value in sent.items()}
    address = f"/tracker/teams/{team.id}/{end.format(**ids)}"
    response = getattr(browser_of(people[role]), method)(address, posted)
    response.close()

    assert response.status_code == told[role]


@pytest.mark.parametrize(("method", "end", "sent", "told"), TABLE, ids=lambda value: str(value)[:40])
def test_a_deleted_team_is_nobodys_any_more(scene, method, end, sent, told):
    team, people, ids = scene
    repository.teams.update(team, {"status": DELETED}, actor=people["owner"].actor)
    response = getattr(browser_of(people["owner"]), method)(
        f"/tracker/teams/{team.id}/{end.format(**ids)}",
        {name: value.format(**ids) for name, value in sent.items()},
    )

    assert response.status_code == 404


def test_the_services_hold_to_it_without_the_forms(scene):
    """What other programs use."""
    team, people, _ids = scene
    own = ghost(team, "Pepe", is_ghost=False, user_id=people["player"].sub, actor=people["owner"])
    place = roster.allowed(people["player"], team.id, own.id)
    fields = dict.fromkeys(roster.OWN_FIELDS) | {"first_name": "Pepa", "positions": [], "is_private": False}
    edited = roster.edit(
        place, fields | {"status": "inactive", "user_id": "sub-else"}, seen_version=own.seen_version
    )
    assert (edited.first_name, edited.status, edited.user_id) == ("Pepa", "active", people["player"].sub)

    for role, wanted in (("manager", "manager"), ("owner", "owner"), ("admin", "owner")):
        with pytest.raises(PermissionDenied):
            invitations.invite(people[role], team.id, player_id="", email="", role=wanted)


def test_no_role_reaches_a_player_or_an_invitation_through_another_team(scene):
    team, _people, ids = scene
    other = person("Otto")
    theirs = team_of(other, "Otto's Owls")
    browser = browser_of(other)
    ends = [
        f"roster/{ids['ghost']}/edit/",
        f"roster/{ids['ghost']}/remove/",
        f"roster/{ids['removed']}/restore/",
    ]
    ends += [f"roster/{ids['linked']}/unlink/", f"invitations/{ids['invitation']}/revoke/"]
    answers = {
        browser.post(f"/tracker/teams/{theirs.id}/{end}", PLAYER | {"version": ids["version"]}).status_code
        for end in ends
    }
    invited = browser.post(
        f"/tracker/teams/{theirs.id}/invitations/new/", {"player": ids["ghost"], "role": "player"}
    )

    assert answers == {404}
    assert invited.status_code == 422
    assert repository.players.of(team.id, ids["ghost"]).first_name == "Lena"
