"""Rosters and invitations in a browser: readable on every screen, changed in the row, without a mouse."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.signing_in import sign_in
from tests.tracker.club import ghost, nine, person, team_of
from tracker import repository
from tracker.teams.services import invitations

LONG = "Rindfleischetikettierungsueberwachungsaufgaben"
PASTED = "12 Lena Sommer SS 2B\n100 Mia Klein\n7 Noor Khan"


@pytest.fixture
def owner(db):
    return person("Olga")


@pytest.fixture
def team(owner):
    made = team_of(owner)
    nine(made, actor=owner)
    ghost(
        made, LONG, 99, last_name=LONG, positions=["UTIL", "RCF"], status="sub", is_private=True, actor=owner
    )
    ghost(made, "Zita", None, status="inactive", actor=owner)
    return made


def player_named(team, name):
    return next(
        each for each in repository.teams.roster(team.id, strong=True).players if each.first_name == name
    )


def test_every_page_is_accessible_on_every_screen(every_look: Page, assert_accessible, owner, team) -> None:
    invitations.invite(owner, team.id, player_id=player_named(team, "Ada").id, email="", role="player")
    mailed = invitations.invite(
        owner, team.id, player_id=player_named(team, LONG).id, email="olga@club.example", role="manager"
    )
    linked, zita = player_named(team, "Olga"), player_named(team, "Zita")
    sign_in(every_look, owner)
    ends = ["roster/", "roster/?status=sub&kind=linked", "roster/new/", "roster/paste/", "invitations/"]
    ends += ["invitations/new/", f"roster/{linked.id}/edit/", f"roster/{linked.id}/unlink/"]
    ends += [f"roster/{zita.id}/remove/", f"invitations/{mailed.invitation.id}/"]
    for end in ends:
        every_look.goto(f"/tracker/teams/{team.id}/{end}")
        assert_accessible(every_look)
    every_look.goto(f"/tracker/teams/{team.id}/roster/")
    every_look.get_by_role("link", name="Edit Bea").click()
    expect(every_look.get_by_label("First name")).to_be_visible()
    assert_accessible(every_look)


def test_a_player_is_changed_in_the_row_by_keyboard(desktop: Page, assert_accessible, owner, team) -> None:
    sign_in(desktop, owner)
    desktop.goto(f"/tracker/teams/{team.id}/roster/")
    desktop.get_by_role("link", name="Edit Bea").press("Enter")
    expect(desktop.get_by_label("First name")).to_be_focused()
    desktop.get_by_label("First name").fill("Beate")
    desktop.get_by_role("textbox", name="Number").fill("3")
    desktop.get_by_role("textbox", name="Number").press("Enter")

    expect(desktop.get_by_text("Another player on this team has this number.")).to_be_visible()
    expect(desktop.get_by_role("textbox", name="Number")).to_be_focused()
    assert_accessible(desktop)
    desktop.get_by_role("textbox", name="Number").fill("30")
    desktop.get_by_label("2nd position").select_option("2B")
    desktop.get_by_role("button", name="Save").press("Enter")

    expect(desktop.get_by_role("link", name="Edit Beate")).to_be_focused()
    expect(desktop.locator("#toasts")).to_contain_text("Saved.")
    stored = player_named(team, "Beate")
    assert (stored.number, stored.positions) == (30, ["2B"])

    desktop.get_by_role("link", name="Edit Cem").press("Enter")
    expect(desktop.get_by_label("First name")).to_be_focused()
    desktop.get_by_role("link", name="Cancel").press("Enter")
    expect(desktop.get_by_role("link", name="Edit Cem")).to_be_focused()


def test_many_are_pasted_looked_at_and_added_on_a_phone(phone: Page, assert_accessible, owner) -> None:
    team = team_of(owner)
    sign_in(phone, owner)
    phone.goto(f"/tracker/teams/{team.id}/roster/paste/")
    phone.get_by_label("Players").fill(PASTED)
    phone.get_by_role("button", name="Check before adding").click()

    expect(phone.get_by_role("heading", name="2 players can be added")).to_be_visible()
    expect(phone.get_by_text("Line 2: Enter a number from 0 to 99, 00, or leave it empty.")).to_be_visible()
    assert_accessible(phone)
    phone.get_by_role("button", name="Add only the 2 valid lines").click()

    expect(phone.get_by_text("2 players added. Left out: line 2.")).to_be_visible()
    expect(phone.locator("#roster")).to_contain_text("Lena Sommer")


def test_somebody_is_invited_and_accepts(phone: Page, open_page, assert_accessible, owner, team) -> None:
    pia = person("Pia")
    sign_in(phone, owner)
    phone.goto(f"/tracker/teams/{team.id}/roster/")
    phone.get_by_role("link", name="Invite Ada").click()
    phone.get_by_role("button", name="Invite").click()
    expect(phone.get_by_role("heading", name="Ada is invited")).to_be_visible()
    assert_accessible(phone)
    link = phone.get_by_role("textbox", name="The link").input_value()

    other = sign_in(open_page("phone", "light"), pia)
    other.goto(link)
    expect(other.get_by_role("heading", name="Invitation to Feldkamp Falcons")).to_be_visible()
    assert_accessible(other)
    other.get_by_role("button", name="Accept").click()

    expect(other.get_by_text("Welcome to the team.")).to_be_visible()
    assert player_named(team, "Ada").user_id == pia.sub
