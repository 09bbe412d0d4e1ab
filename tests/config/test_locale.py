"""Every request is answered in the language and the time zone of the club, whatever its thread did before."""

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path
from django.utils import timezone, translation

from core.accounts.rights import public
from tests.the_club import the_club


@public
def locale(request: HttpRequest) -> HttpResponse:
    return HttpResponse(f"{translation.get_language()} {timezone.get_current_timezone()}")


urlpatterns = [path("locale", locale)]


@pytest.mark.urls(__name__)
def test_nothing_is_left_of_what_the_thread_did_before(client: Client) -> None:
    with translation.override("de"), timezone.override("Asia/Tokyo"):
        assert client.get("/locale").content == b"en Europe/Berlin"


@pytest.mark.urls(__name__)
def test_the_time_zone_is_that_of_the_club(client: Client) -> None:
    the_club(time_zone="Pacific/Auckland")

    assert client.get("/locale").content == b"en Pacific/Auckland"
