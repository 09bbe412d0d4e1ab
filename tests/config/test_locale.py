"""The language and the time zone of every answer, whatever its thread did before."""

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import include, path
from django.utils import timezone, translation

from config.urls import handler404  # noqa: F401 (for the tests' URLconf)
from core.accounts.rights import public, requires
from core.dynamo import preferences
from tests.cast import CAST, sign_in
from tests.the_club import the_club


def locale(request: HttpRequest) -> HttpResponse:
    return HttpResponse(f"{translation.get_language()} {timezone.get_current_timezone()}")


urlpatterns = [
    path("website", public(locale)),
    path("desk", requires("home.page.view")(lambda request: locale(request)), name="home"),
    path("auth/", include(([path("page", public(lambda request: locale(request)))], "accounts"))),
    path("api/", include(([path("thing", public(lambda request: locale(request)))], "api"))),
    path("", include("cms.site.urls")),
]
pytestmark = pytest.mark.urls(__name__)
GERMAN = "de-AT,de;q=0.9,en;q=0.5"


def language(client: Client, address: str, accepted: str = "") -> str:
    return client.get(address, headers={"Accept-Language": accepted}).content.decode().split()[0]


def test_nothing_is_left_of_what_the_thread_did_before(client: Client) -> None:
    with translation.override("de"), timezone.override("Asia/Tokyo"):
        assert client.get("/website").content == b"en Europe/Berlin"


def test_the_time_zone_is_that_of_the_club(client: Client) -> None:
    the_club(time_zone="Pacific/Auckland")

    assert client.get("/website").content == b"en Pacific/Auckland"


@pytest.mark.parametrize(("spoken", "expected"), [("de", "de"), ("de-AT", "de"), ("en", "en"), ("fr", "en")])
def test_the_website_speaks_the_language_of_the_club_whatever_the_browser_says(
    client: Client, spoken: str, expected: str
) -> None:
    the_club(language=spoken)

    assert {language(client, "/website", accepted) for accepted in ("", "en", GERMAN, "fr")} == {expected}


def test_a_page_of_the_website_does_not_differ_by_the_language_of_the_browser(client: Client) -> None:
    assert "Accept-Language" not in client.get("/website").get("Vary", "")
    assert "Accept-Language" in client.get("/auth/page")["Vary"]


@pytest.mark.parametrize(
    ("accepted", "club", "expected"),
    [
        (GERMAN, "en", "de"),
        ("en-GB,de;q=0.9", "de", "en"),
        ("fr,en;q=0.3", "de", "en"),
        ("fr", "de", "de"),
        ("*", "de", "de"),
        ("", "de", "de"),
        ("", "fr", "en"),
    ],
)
def test_other_pages_follow_the_browser_and_then_the_club(
    client: Client, accepted: str, club: str, expected: str
) -> None:
    the_club(language=club)

    assert language(client, "/auth/page", accepted) == expected


@pytest.mark.parametrize(("accepted", "expected"), [("", "en"), ("fr", "en"), (GERMAN, "de")])
def test_programs_get_the_language_that_they_ask_for_or_english(
    client: Client, accepted: str, expected: str
) -> None:
    the_club(language="de")

    assert language(client, "/api/thing", accepted) == expected


def test_an_address_that_leads_nowhere_is_of_the_website(client: Client) -> None:
    the_club(language="de")

    assert (
        '<html lang="de">' in client.get("/nothing/here/", headers={"Accept-Language": "en"}).content.decode()
    )


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize(("chosen", "expected"), [("de", "de"), ("en", "en"), ("fr", "en"), (["de"], "en")])
def test_who_is_signed_in_gets_the_language_of_their_choice(
    client: Client, chosen: object, expected: str
) -> None:
    """One that we do not have (any more) is that of the browser."""
    preferences.save(CAST["member"].sub, "language", chosen)
    sign_in(client, "member", with_preferences=True)

    assert language(client, "/desk", "en") == expected
    assert language(client, "/website", "en") == "en", "the website is the same for all"
    assert language(client, "/api/thing", "en") == "en"


@pytest.mark.usefixtures("db")
def test_who_has_chosen_none_gets_that_of_their_browser(client: Client) -> None:
    sign_in(client, "member")

    assert [language(client, "/desk", accepted) for accepted in (GERMAN, "en", "")] == ["de", "en", "en"]


@pytest.mark.usefixtures("db", "marked_german")
@pytest.mark.urls("config.urls")
def test_what_is_wrong_is_told_to_programs_in_the_language_that_they_ask_for(client: Client) -> None:
    the_club(language="de")
    sign_in(client, "scout")
    details = [
        client.get("/api/v1/scouting/stand-forms/none", headers={"Accept-Language": each}).json()["detail"]
        for each in ("de", "en", "", "de")
    ]

    assert ["«" in detail for detail in details] == [True, False, False, True]
