"""Who may do what to teams: moderators to all; coaches and contact persons look after their own."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from cms.teams.repository import teams
from core.accounts.rights import RIGHTS, Right, is_named, is_team_staff
from core.dynamo import metering, working_copies
from tests.cast import CAST, sign_in
from tests.cms.club import MAKER, as_member, make_location, make_member, make_team, signed_in, training
from tests.core.crud.pages import open_form

pytestmark = pytest.mark.usefixtures("db")

MAY_NOTHING = ("scout-lead", "scout", "steward", "member", "other-member")


def menu_of(client: Client) -> list[str]:
    page = client.get(reverse("home")).content.decode()
    menu = page.partition('id="menu"')[2].partition("</nav>")[0]
    return re.findall(r"</svg>([^<]+)</a>", menu)


@pytest.mark.parametrize("role", MAY_NOTHING)
def test_who_looks_after_no_team_does_not_come_in(role: str) -> None:
    team = make_team()
    client = sign_in(Client(), role)

    for screen in ("", "preview", "history", "delete"):
        assert client.get(f"/cms/teams/{team.id}/{screen}").status_code == 403
    assert client.get("/cms/teams/").status_code == 403
    assert client.post(f"/cms/teams/{team.id}/", {"name": "Mine", "version": "1"}).status_code == 403
    assert "Teams" not in menu_of(client)
    assert teams.get(team.id).name == "Herren 1"


@pytest.mark.parametrize(("role", "may"), [("admin", True), ("moderator", True), ("official", False)])
def test_moderators_and_admins_change_all_teams_and_officials_read_them(role: str, may: bool) -> None:
    team = make_team(status="published")
    client = sign_in(Client(), role)

    assert client.get(f"/cms/teams/{team.id}/").status_code == 200
    assert client.get("/cms/teams/new").status_code == (200 if may else 403)
    sent = client.post(f"/cms/teams/{team.id}/unpublish", {"version": "1"}).status_code
    assert sent == (302 if may else 403)
    version = str(teams.get(team.id).version)
    sent = client.post(f"/cms/teams/{team.id}/delete", {"version": version}).status_code
    assert sent == (302 if may else 403)


@pytest.mark.parametrize("kind", ["coach_ids", "contact_person_ids"])
def test_a_coach_or_contact_person_changes_and_publishes_the_own_team(kind: str) -> None:
    member, gym = make_member(), make_location("Rebberghalle")
    team = make_team("Damen 1", status="published", **{kind: [member.id]})
    client = signed_in(as_member("member", member))
    form = open_form(client, f"/cms/teams/{team.id}/").fill(description="Wir suchen eine Mitte.")
    form.fields |= {
        "schedules-rows": ["0"],
        "schedules-0-day": ["montags"],
        "schedules-0-startTime": "18:00",
        "schedules-0-endTime": "20:00",
        "schedules-0-locationId": gym.id,
    }

    # Kept first, as every change of what readers see.
    assert form.send().status_code == 302
    assert working_copies.get("team", team.id) is not None
    assert teams.get(team.id).description is None
    assert open_form(client, form.action).send("publish").status_code == 302

    saved = teams.get(team.id)
    assert (saved.description, saved.schedules) == ("Wir suchen eine Mitte.", [training(gym, "montags")])
    assert working_copies.get("team", team.id) is None


def test_but_creates_and_deletes_none() -> None:
    member = make_member()
    team = make_team(coach_ids=[member.id])
    client = signed_in(as_member("member", member))

    for address in ("new", f"{team.id}/delete", f"{team.id}/duplicate", "trash"):
        assert client.get(f"/cms/teams/{address}").status_code == 403
    assert client.post(f"/cms/teams/{team.id}/delete", {"version": "1"}).status_code == 403


def test_a_coach_sees_all_teams_at_the_price_of_any_list_and_changes_the_own_one() -> None:
    member = make_member()
    own, other = make_team("Damen 1", coach_ids=[member.id]), make_team("Herren 1")
    client = signed_in(as_member("member", member))

    with metering.metered() as meter:
        page = client.get("/cms/teams/").content.decode()

    assert "Damen 1" in page
    assert "Herren 1" in page
    assert meter.operations == ["GetItem", "Query", "BatchGetItem"]
    assert client.get(f"/cms/teams/{own.id}/").context["may_update"]
    assert not client.get(f"/cms/teams/{other.id}/").context["may_update"]
    assert client.post(f"/cms/teams/{other.id}/", {"name": "Mine", "version": "1"}).status_code == 403
    assert teams.get(other.id).name == "Herren 1"


def test_the_menu_leads_there_without_a_request_of_its_own() -> None:
    member = make_member()
    client = signed_in(as_member("member", member))
    assert {"Teams", "Members"} <= set(menu_of(client))

    with metering.metered() as meter:
        client.get("/cms/teams/")
    assert meter.operations == ["GetItem", "Query"]


def test_who_is_no_longer_a_coach_may_no_longer_change_it_at_once() -> None:
    member = make_member()
    team = make_team(coach_ids=[member.id])
    client = signed_in(as_member("member", member))
    form = open_form(client, f"/cms/teams/{team.id}/").fill(name="Mine")
    teams.update(team, {"coach_ids": []}, actor=MAKER)

    assert form.send().status_code == 403
    assert teams.get(team.id).name == "Herren 1"


def test_a_coach_finds_places_and_colleagues_to_choose_but_changes_neither() -> None:
    member, other = make_member(), make_member("Svea Nordmann", email="svea@verein.example")
    make_location("Rebberghalle")
    team = make_team(coach_ids=[member.id])
    client = signed_in(as_member("member", member))

    assert "Rebberghalle" in client.get("/cms/locations/pick").content.decode()
    assert "Svea Nordmann" in client.get("/cms/members/pick?q=svea").content.decode()
    form = open_form(client, f"/cms/teams/{team.id}/").fill(coach_ids=[member.id, other.id])
    assert form.send().status_code == 302
    assert teams.get(team.id, strong=True).coach_ids == [member.id, other.id]
    assert client.get("/cms/locations/new").status_code == 403
    assert client.get("/cms/members/new").status_code == 403


OTHER_HANDS = "You are no longer responsible for this, so you cannot edit it."


@pytest.mark.parametrize("htmx", [True, False])
def test_a_coach_who_leaves_the_own_team_is_told_so_and_may_read_it(htmx: bool) -> None:
    member, other = make_member(), make_member("Svea Nordmann")
    team = make_team(coach_ids=[member.id, other.id])
    client = signed_in(as_member("member", member))

    answer = open_form(client, f"/cms/teams/{team.id}/").fill(coach_ids=[other.id]).send(htmx=htmx)

    assert answer.headers["HX-Redirect" if htmx else "Location"] == f"/cms/teams/{team.id}/"
    page = client.get(f"/cms/teams/{team.id}/").content.decode()
    assert OTHER_HANDS in page
    assert "You can view this but not edit it." in page


def test_who_may_not_even_read_it_any_more_is_led_to_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RIGHTS, "cms.team.view", Right(own=is_team_staff, owners=is_named))
    member = make_member()
    team = make_team(coach_ids=[member.id])
    client = signed_in(as_member("member", member))

    answer = open_form(client, f"/cms/teams/{team.id}/").fill(coach_ids=[]).send(htmx=True)

    assert answer.headers["HX-Redirect"] == "/cms/teams/"
    assert OTHER_HANDS in client.get("/cms/teams/").content.decode()


def test_a_coach_keeps_the_staff_whom_somebody_else_chose() -> None:
    member, other = make_member(), make_member("Svea Nordmann")
    team = make_team(coach_ids=[member.id], contact_person_ids=[other.id])

    form = open_form(signed_in(as_member("member", member)), f"/cms/teams/{team.id}/").fill(league="Oberliga")

    assert form.send().status_code == 302
    changed = teams.get(team.id, strong=True)
    assert (changed.league, changed.contact_person_ids) == ("Oberliga", [other.id])


def test_an_official_who_coaches_a_team_changes_that_one() -> None:
    member = make_member("Odile Brandt", email=CAST["official"].email)
    own, other = make_team("Damen 2", coach_ids=[member.id]), make_team("Herren 1")
    client = signed_in(as_member("official", member))

    assert open_form(client, f"/cms/teams/{own.id}/").fill(age="15").send().status_code == 302
    assert client.post(f"/cms/teams/{other.id}/", {"name": "Mine", "version": "1"}).status_code == 403
    assert (teams.get(own.id).age, teams.get(other.id).name) == (15, "Herren 1")
