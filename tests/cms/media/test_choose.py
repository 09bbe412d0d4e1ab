"""The library in a dialog over another form."""

import html
import re

import pytest
from django.http import HttpResponse
from django.test import Client

from cms.media.resource import media as resource
from core.dynamo import metering
from tests.cms.files import document, picture

pytestmark = pytest.mark.usefixtures("db", "bucket")
CHOOSE = "/cms/media/choose"


def ask(client: Client, **asked: str) -> HttpResponse:
    return client.get(CHOOSE, asked, headers={"HX-Request": "true"})


def names(page: HttpResponse) -> list[str]:
    return re.findall(r'data-label="([^"]*)"', page.content.decode())


def address_of_more(page: HttpResponse) -> str:
    (address,) = re.findall(r'id="choose-load-more" href="([^"]*)"', page.content.decode())
    return html.unescape(address)


def test_it_offers_files_of_the_wanted_kind_for_the_session_and_one_query(as_role) -> None:
    picture("Finale.jpg")
    document()
    client = as_role("official")

    with metering.metered() as meter:
        page = ask(client, kind="image")

    assert names(page) == ["Finale.jpg"]
    assert meter.operations == ["GetItem", "Query"]


def test_a_search_answers_with_the_results_alone(as_role) -> None:
    picture("Finale.jpg", colour="red")
    picture("Sommerfest.jpg", colour="navy")

    page = ask(as_role("official"), q="somm", kind="image")

    assert names(page) == ["Sommerfest.jpg"]
    assert "choose-search" not in page.content.decode()


def test_more_are_loaded_by_a_signed_address(as_role, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cms.media.views.PER_PAGE", 2)
    for colour in ("red", "navy", "teal"):
        picture(f"{colour}.jpg", colour=colour)
    client = as_role("official")
    first = ask(client)

    more = client.get(address_of_more(first), headers={"HX-Request": "true"})

    assert (names(first), names(more)) == (["teal.jpg", "navy.jpg"], ["red.jpg"])
    assert "choose-title" not in more.content.decode()


def test_several_are_ticked_and_one_is_pressed(as_role) -> None:
    media = picture()
    client = as_role("official")

    one, several = ask(client).content.decode(), ask(client, many="yes").content.decode()

    assert f'type="button" id="choose-{media.id}" value="{media.id}"' in one
    assert f'type="checkbox" id="choose-{media.id}" value="{media.id}"' in several


def test_without_javascript_it_is_the_library(as_role) -> None:
    assert as_role("official").get(CHOOSE)["Location"] == "/cms/media/"


@pytest.mark.parametrize(
    ("role", "asked", "can_upload"),
    [
        ("official", {"folder": "news"}, True),
        ("official", {"folder": "private"}, False),
        ("official", {}, False),
    ],
)
def test_it_takes_a_new_picture_where_the_form_names_a_folder_for_it(
    as_role, role: str, asked: dict[str, str], can_upload: bool
) -> None:
    page = ask(as_role(role), kind="image", **asked).content.decode()

    assert ('id="choose-upload" data-folder="news"' in page) is can_upload
    assert ('type="file"' in page) is can_upload


def test_only_who_may_upload_is_offered_it(as_role, monkeypatch: pytest.MonkeyPatch) -> None:
    may = resource.may
    monkeypatch.setattr(
        resource, "may", lambda user, verb, record=None: verb != "create" and may(user, verb, record)
    )

    page = ask(as_role("official"), kind="image", folder="news").content.decode()

    assert 'id="choose-search"' in page
    assert 'type="file"' not in page
