"""The page of a team: only while it is published, with the people and places that it names."""

import pytest
from django.test import Client

from cms.teams.repository import teams
from core.dynamo import metering
from core.dynamo.faults import FaultProxy, Faults
from tests.cms.club import MAKER, make_location, make_member, make_team, training
from tests.core.crud.pages import open_form

pytestmark = pytest.mark.usefixtures("db")


def published(**fields):
    coach = make_member("Ruben Achterberg", email="ruben@verein.example", phone="07999 1")
    hall = make_location("Mühlenhalle", street="Am Mühlbach 4", postal="79999", city="Auenfeld")
    return make_team(
        status="published",
        league="Landesliga",
        coach_ids=[coach.id],
        contact_person_ids=[coach.id],
        schedules=[training(hall, "montags", "donnerstags")],
        **fields,
    )


def test_it_tells_who_trains_when_and_where_in_two_requests(client: Client) -> None:
    published(description="Wir suchen <b>eine Mitte</b>.")

    with metering.metered() as meter:
        answer = client.get("/teams/herren1/")

    page = answer.content.decode()
    assert meter.operations == ["Query", "BatchGetItem"]
    assert answer["Cache-Control"] == "public, max-age=60"
    assert "Mondays, Thursdays 18:00–20:00: Mühlenhalle" in page  # noqa: RUF001
    assert "Am Mühlbach 4, 79999 Auenfeld" in page
    assert '<a href="mailto:ruben@verein.example">Ruben Achterberg</a>' in page
    assert "07999 1" not in page
    assert "&lt;b&gt;eine Mitte&lt;/b&gt;" in page


@pytest.mark.parametrize("status", ["draft", "archived"])
def test_a_team_that_is_not_published_is_not_there(client: Client, status: str) -> None:
    team = published()
    teams.update(team, {"status": status}, actor=MAKER)

    assert client.get("/teams/herren1/").status_code == 404


def test_also_not_while_the_index_still_says_so(proxy: FaultProxy, client: Client) -> None:
    team = published()
    proxy.faults = Faults(stale_index=1)
    teams.update(team, {"status": "draft"}, actor=MAKER)
    assert teams.at_slug("herren1").status == "published"

    assert client.get("/teams/herren1/").status_code == 404


def test_an_earlier_address_leads_to_the_new_one(client: Client) -> None:
    teams.update(published(), {"slug": "herreneins"}, actor=MAKER)

    answer = client.get("/teams/herren1/")

    assert (answer.status_code, answer["Location"]) == (301, "/teams/herreneins/")


def test_what_is_kept_for_later_is_seen_in_the_preview_only(client: Client, as_role) -> None:
    team = published()
    moderator = as_role("moderator")
    open_form(moderator, f"/cms/teams/{team.id}/").fill(description="Neu dabei.").send()

    assert "Neu dabei." in moderator.get(f"/cms/teams/{team.id}/preview").content.decode()
    assert "Neu dabei." not in Client().get("/teams/herren1/").content.decode()
