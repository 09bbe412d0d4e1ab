"""Teams in a browser: readable on every screen, and what is not easily taken back is asked in a dialog."""

from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from core.dynamo.attributes import now
from core.dynamo.items import new_id
from tests.browser.signing_in import sign_in
from tests.tracker.club import cast, person, team_of
from tracker import repository
from tracker.games.models import Game
from tracker.teams.services import teams

LONG = "Rindfleischetikettierungsüberwachungsaufgabe Mitte"


@pytest.fixture
def lena(db):
    return person("Lena", groups=["admin"])


def test_every_page_is_accessible_on_every_screen(every_look: Page, assert_accessible, lena) -> None:
    team = team_of(lena, LONG, description=LONG * 5)
    people = cast(lena, team)
    for days, status in ((0, "IN_PROGRESS"), (2, "SCHEDULED"), (-2, "FINAL")):
        start = now() + timedelta(days=days)
        game = Game.about(new_id(), team_id=team.id, opponent_name=LONG, status=status, scheduled_start=start)
        repository.games.create(game, actor=lena.actor)
    other = team_of(lena, "Owls")
    teams.delete(lena, other.id, seen_version=other.version)
    sign_in(every_look, lena)
    member = f"members/{people['player'].sub}"
    parts = ("", "edit/", "transfer/", "delete/", "members/", f"{member}/role/", f"{member}/remove/")
    addresses = [f"/tracker/teams/{team.id}/{part}" for part in parts]
    addresses += ["/tracker/", "/tracker/?view=player", "/tracker/profile/", "/tracker/teams/new/"]
    addresses += [f"/tracker/all/{name}/" for name in ("people", "teams", "games")]
    for address in addresses:
        every_look.goto(address)
        assert_accessible(every_look)


def test_a_coach_makes_a_team_gives_a_role_and_takes_a_deletion_back(phone: Page, assert_accessible) -> None:
    lena = person("Lena")
    sign_in(phone, lena)
    phone.goto("/tracker/")
    assert_accessible(phone)
    phone.get_by_role("link", name="Manage a team").click()
    phone.get_by_role("button", name="Create team").click()
    name = phone.get_by_role("textbox", name="Name")
    expect(name).to_be_focused()
    name.fill("Feldkamp Falcons")
    phone.get_by_role("button", name="Create team").click()
    expect(phone.get_by_role("heading", name="Feldkamp Falcons")).to_be_visible()

    (team,) = [each for each in repository.teams.all().items if each.name == "Feldkamp Falcons"]
    cast(lena, team)
    phone.get_by_role("link", name="Members").click()
    phone.get_by_role("link", name="Change role Player Example").click()
    dialog = phone.get_by_role("dialog", name="Role of Player Example")
    assert_accessible(phone)
    dialog.get_by_text("Scorekeeper").click()
    dialog.get_by_role("button", name="Save").click()
    expect(phone.get_by_text("Role saved.")).to_be_visible()
    assert repository.memberships.of("sub-player", team.id).role == "scorekeeper"

    phone.get_by_role("link", name="Overview").click()
    phone.get_by_role("link", name="Delete").click()
    phone.get_by_role("dialog").get_by_role("button", name="Delete team").click()
    phone.get_by_role("button", name="Undo").click()
    expect(phone.get_by_role("heading", name="Feldkamp Falcons")).to_be_visible()
    assert repository.teams.of(team.id).status == "active"
