"""What a request has to tell: on its page, beside what HTMX swaps in, or on the page it redirects to."""

from collections.abc import Callable

import pytest
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.test import Client
from django.urls import path

from config.urls import urlpatterns as own_urls
from core.accounts.rights import public
from core.crud import toasts
from core.crud.toasts import Undo

Answer = Callable[[HttpRequest], HttpResponse]
TEXT = "“Derby” was <b>deleted</b>."
SHOWN = "“Derby” was &lt;b&gt;deleted&lt;/b&gt;."
HTMX = {"HX-Request": "true"}

ANSWERS: dict[str, Answer] = {
    "fragment": lambda request: HttpResponse("<tr></tr>"),
    "refused-form": lambda request: HttpResponse("<form></form>", status=422),
    "page": lambda request: render(request, "core/accounts/signed_out.html"),
    "redirect": lambda request: HttpResponseRedirect("/page"),
    "client-redirect": lambda request: HttpResponse(headers={"HX-Redirect": "/page"}),
    "nothing": lambda request: HttpResponse(status=204),
    "error": lambda request: HttpResponse("<p id='error'>No.</p>", status=404),
    "json": lambda request: HttpResponse("{}", content_type="application/json"),
}


def view(answer: Answer) -> Answer:
    @public
    def told(request: HttpRequest) -> HttpResponse:
        if "silent" not in request.GET:
            toasts.add(request, TEXT, undo=Undo("/trash/restore", {"trash": '4"2'}))
        return answer(request)

    return told


urlpatterns = [*(path(name, view(answer)) for name, answer in ANSWERS.items()), *own_urls]
pytestmark = pytest.mark.urls(__name__)


def waits_for_the_next_page(client: Client) -> bool:
    return SHOWN in client.get("/page?silent=1").content.decode()


@pytest.mark.parametrize("address", ["/fragment", "/refused-form"])
def test_a_fragment_brings_the_toast_along_once(client: Client, address: str) -> None:
    shown = client.get(address, headers=HTMX).content.decode()

    assert shown.count(SHOWN) == 1
    assert '<div hx-swap-oob="beforeend:#toasts">' in shown
    assert not waits_for_the_next_page(client)


def test_a_whole_page_shows_it_itself_also_to_htmx(client: Client) -> None:
    for headers in ({}, HTMX):
        shown = client.get("/page", headers=headers).content.decode()

        assert shown.count(SHOWN) == 1
        assert "hx-swap-oob" not in shown


@pytest.mark.parametrize("address", ["/redirect", "/client-redirect", "/nothing", "/error", "/json"])
def test_what_is_not_swapped_in_leaves_it_to_the_next_page(client: Client, address: str) -> None:
    response = client.get(address, headers=HTMX)

    assert SHOWN not in response.content.decode()
    assert waits_for_the_next_page(client)


def test_undo_is_a_form_that_works_without_javascript_even_after_a_redirect(client: Client) -> None:
    client.get("/redirect")

    shown = client.get("/page?silent=1").content.decode()

    assert '<form method="post" action="/trash/restore" data-undo>' in shown
    assert '<input type="hidden" name="trash" value="4&quot;2">' in shown
    assert shown.count('name="csrfmiddlewaretoken"') == 1


def test_a_fragment_with_nothing_to_tell_stays_as_it_is(client: Client) -> None:
    assert client.get("/fragment?silent=1", headers=HTMX).content == b"<tr></tr>"
