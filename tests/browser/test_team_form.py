"""A team on a phone: the field for SAMS comes with the league, training in rows, a coach at her own team."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from cms.sams.models import SamsTeam
from cms.sams.repository import sams_teams
from cms.teams.repository import teams
from config.engines.dynoxide import Dynoxide
from tests.browser.signing_in import sign_in
from tests.cms.club import MAKER, as_member, make_location, make_member, make_team, training

pytestmark = pytest.mark.usefixtures("transactional_db")


@pytest.fixture(autouse=True)
def _sams(transactional_db: Dynoxide) -> None:
    sams_teams.create(SamsTeam(uuid="sams-1", name="VC Auenfeld", league_name="Landesliga Süd"), actor=MAKER)


def sams_field(page: Page) -> Locator:
    return page.get_by_role("combobox", name="SAMS team")


def choose(page: Page, field: Locator, text: str, name: str) -> None:
    """Type into a picker and take what it offers."""
    field.press_sequentially(text)
    expect(page.get_by_role("listbox").get_by_role("option").first).to_contain_text(name)
    field.press("Enter")


def test_a_team_is_written_down_on_a_phone(phone: Page, assert_accessible: Callable[[Page], None]) -> None:
    hall = make_location("Mühlenhalle")
    page = sign_in(phone, "moderator")
    page.goto("/cms/teams/new")
    page.get_by_label("Name", exact=True).fill("Herren 1")
    page.get_by_label("Gender").select_option("Men")
    expect(sams_field(page)).to_be_hidden()
    page.get_by_label("League").select_option("Landesliga")
    expect(sams_field(page)).to_be_visible()
    choose(page, sams_field(page), "auen", "VC Auenfeld (Landesliga Süd)")

    page.get_by_role("button", name="Add: Training").click()
    row = page.get_by_role("group", name="Training 1", exact=True)
    for day in ("Mondays", "Thursdays"):
        row.get_by_label(day).check()
    row.get_by_label("From").fill("20:00")
    row.get_by_label("To", exact=True).fill("19:00")
    choose(page, row.get_by_role("combobox", name="Place"), "mühl", "Mühlenhalle")
    assert_accessible(page)
    for tick in row.get_by_role("checkbox").all():
        box = tick.locator("..").bounding_box()
        assert box
        assert box["height"] >= 44

    page.locator("#publish").click()
    expect(row.get_by_text("The end must be after the start.")).to_be_visible()
    expect(row.get_by_label("To", exact=True)).to_be_focused()
    expect(row.get_by_label("Mondays")).to_be_checked()
    row.get_by_label("To", exact=True).fill("22:00")
    page.locator("#publish").click()
    expect(page.get_by_text("Published.", exact=True)).to_be_visible()

    team = teams.at_slug("herren1")
    assert team
    assert (team.status, team.sbvv_team_id) == ("published", "sams-1")
    assert team.schedules == [training(hall, "montags", "donnerstags", start="20:00", end="22:00")]


def test_a_league_that_was_taken_back_leaves_the_chosen_sams_team_in_sight(phone: Page) -> None:
    team = make_team(league="Landesliga", sbvv_team_id="sams-1")
    page = sign_in(phone, "moderator")
    page.goto(f"/cms/teams/{team.id}/")
    page.get_by_label("League").select_option("No league")
    expect(page.get_by_text("VC Auenfeld (Landesliga Süd)")).to_be_visible()
    page.locator("#save").click()
    expect(page.get_by_text("Only teams in a league are in SAMS.")).to_be_visible()

    page.get_by_role("group").filter(has_text="VC Auenfeld").get_by_role("button", name="Remove").last.click()
    page.locator("#save").click()
    expect(page.get_by_text("Saved.", exact=True)).to_be_visible()
    assert teams.get(team.id).sbvv_team_id is None


def test_a_coach_finds_the_own_team_in_the_menu_and_changes_it(
    phone: Page, assert_accessible: Callable[[Page], None]
) -> None:
    member = make_member()
    make_location("Rebberghalle")
    team = make_team("Damen 1", status="published", coach_ids=[member.id])
    make_team("Herren 1")
    page = sign_in(phone, as_member("member", member))
    page.goto("/cms/teams/")
    expect(page.locator(".card-title a")).to_have_text(["Damen 1", "Herren 1"])
    expect(page.get_by_role("link", name="New team")).to_have_count(0)
    page.locator(".card-title a").first.click()
    page.get_by_label("Description").fill("Wir suchen eine Mitte.")
    assert_accessible(page)
    page.locator("#publish").click()
    expect(page.get_by_text("Published.", exact=True)).to_be_visible()

    assert teams.get(team.id).description == "Wir suchen eine Mitte."
