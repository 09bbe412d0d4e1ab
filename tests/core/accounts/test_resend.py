"""Nothing typed is lost: what becomes of a form whose session or CSRF token ended while somebody typed."""

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.test import Client
from django.urls import path

from config.urls import urlpatterns as own_urls
from core.accounts.rights import requires
from tests.cast import sign_in


@requires("home.page.view")
def typed(request: HttpRequest) -> HttpResponse:
    """Shows a form, and answers with what it was sent."""
    if request.method == "POST":
        return JsonResponse(dict(request.POST.lists()))
    return HttpResponse("form")


urlpatterns = [*own_urls, path("typed", typed)]
pytestmark = [pytest.mark.urls(__name__), pytest.mark.usefixtures("db")]

SITE = "http://testserver"
TYPED = {
    "title": ["Turnier in Müllheim 🏐"],
    "body": ["First line\r\nsecond line\r\n\r\n  indented"],
    "team": ["red", "green", "red"],
    "markup": ["</form><script>alert('x')</script> & \"quoted\" 'single' &amp;"],
    "empty": [""],
    'na"me': ["1"],
}


class Form(HTMLParser):
    """The fields of the page's own form that is sent by POST, as a browser would send them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.fields: dict[str, list[str]] = {}
        self.action: str | None = None
        self._inside = False
        # The part of a page that is its own; a fragment is nothing else.
        self.feed(page.partition("<main")[2].partition("</main>")[0] or page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form":
            self._inside = given.get("method") == "post"
            self.action = given.get("action") if self._inside else self.action
        if tag == "input" and self._inside:
            self.fields.setdefault(str(given["name"]), []).append(given.get("value") or "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._inside = False


@pytest.fixture
def strict() -> Client:
    """A browser: it has a CSRF cookie, and the server checks it."""
    client = Client(enforce_csrf_checks=True)
    client.get("/auth/signed-in-again")
    return client


def token_of(client: Client) -> str:
    page = client.get("/auth/signed-in-again").content.decode()
    found = re.search(r'data-signed-in-again="(\w+)"', page)
    assert found
    return found[1]


def send(client: Client, data: dict[str, Any], **headers: str) -> HttpResponse:
    return client.post("/typed?page=2", data, headers={"Origin": SITE} | headers)  # type: ignore[return-value]


def test_a_form_sent_after_the_session_ended_is_shown_again_as_typed(strict: Client) -> None:
    response = send(strict, {"csrfmiddlewaretoken": token_of(strict), **TYPED})
    page = response.content.decode()
    form = Form(page)

    assert response.status_code == 401
    assert "You were signed out" in page
    assert form.action == "/typed?page=2"
    token = form.fields.pop("csrfmiddlewaretoken")
    assert form.fields == TYPED
    assert "<script>alert" not in page

    sign_in(strict, "member")
    again = send(strict, {"csrfmiddlewaretoken": token[0], **form.fields})
    assert (again.status_code, again.json()) == (200, {"csrfmiddlewaretoken": token} | TYPED)


def test_the_link_to_sign_in_leads_to_the_page_that_hands_over_the_new_token(strict: Client) -> None:
    page = send(strict, {"csrfmiddlewaretoken": token_of(strict)}).content.decode()

    assert 'href="/auth/login?next=/auth/signed-in-again" target="_blank"' in page


def test_a_fragment_gets_the_dialog_over_the_intact_form(strict: Client) -> None:
    response = send(strict, {"csrfmiddlewaretoken": token_of(strict), **TYPED}, **{"HX-Request": "true"})
    page = response.content.decode()

    assert response.status_code == 401
    assert response["HX-Retarget"] == "#dialogs"
    assert response["HX-Reswap"] == "innerHTML"
    assert page.lstrip().startswith("<dialog")
    assert "<html" not in page
    form = Form(page)
    form.fields.pop("csrfmiddlewaretoken")
    assert form.fields == TYPED


def test_a_stale_token_is_replaced_and_the_form_stays_as_typed(strict: Client) -> None:
    sign_in(strict, "member")
    response = send(strict, {"csrfmiddlewaretoken": "x" * 64, **TYPED})
    page = response.content.decode()
    form = Form(page)

    assert response.status_code == 403
    assert "Nothing you typed is lost" in page
    assert "You were signed out" not in page
    token = form.fields.pop("csrfmiddlewaretoken")
    assert form.fields == TYPED

    again = send(strict, {"csrfmiddlewaretoken": token[0], **form.fields})
    assert (again.status_code, again.json()["body"]) == (200, TYPED["body"])


def test_a_browser_that_lost_its_csrf_cookie_gets_a_new_one_with_the_form() -> None:
    client = sign_in(Client(enforce_csrf_checks=True), "member")
    response = send(client, {"title": "typed"})
    form = Form(response.content.decode())

    assert response.status_code == 403
    assert settings.CSRF_COOKIE_NAME in response.cookies
    assert send(client, form.fields).status_code == 200


def test_a_stale_token_and_an_ended_session_are_mended_one_after_the_other(strict: Client) -> None:
    first = send(strict, {"csrfmiddlewaretoken": "x" * 64, **TYPED})
    second = send(strict, Form(first.content.decode()).fields)
    sign_in(strict, "member")
    third = send(strict, Form(second.content.decode()).fields)

    assert [first.status_code, second.status_code, third.status_code] == [403, 401, 200]
    assert third.json()["body"] == TYPED["body"]


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "https://testserver",  # not our scheme
        "http://testserver:8000",
        "http://testserver.evil.example",
        "http://evil.example/http://testserver/",
        "null",
        "http://[",
        "\x7f",
    ],
)
@pytest.mark.parametrize("role", ["member", "stranger"])
def test_a_form_from_another_site_is_never_offered_for_sending(
    strict: Client, role: str, origin: str
) -> None:
    sign_in(strict, role)
    response = send(strict, {"csrfmiddlewaretoken": token_of(strict), **TYPED}, Origin=origin)
    page = response.content.decode()

    assert response.status_code == 403
    assert "This form came from another site" in page
    assert "send-again" not in page
    assert "Müllheim" not in page
    assert Form(page).fields == {}


def test_a_form_without_origin_is_judged_by_its_referer(strict: Client) -> None:
    sign_in(strict, "member")
    own = send(strict, {"title": "typed"}, Origin="", Referer=f"{SITE}/typed")
    foreign = send(strict, {"title": "typed"}, Origin="", Referer="http://evil.example/http://testserver/")
    unknown = send(strict, {"title": "typed"}, Origin="")

    assert "send-again" in own.content.decode()
    assert "send-again" not in foreign.content.decode()
    assert "send-again" not in unknown.content.decode()


def test_chosen_files_are_announced_as_not_kept(strict: Client) -> None:
    upload = SimpleUploadedFile("team.jpg", b"jpeg")
    with_file = send(strict, {"csrfmiddlewaretoken": token_of(strict), "title": "typed", "photo": upload})
    without = send(strict, {"csrfmiddlewaretoken": token_of(strict), "title": "typed"})

    assert with_file.status_code == 401
    assert "Selected files cannot be kept" in with_file.content.decode()
    assert "jpeg" not in with_file.content.decode()
    assert "Selected files cannot be kept" not in without.content.decode()


def test_a_form_without_an_open_session_is_not_kept_anywhere(strict: Client) -> None:
    response = send(strict, {"csrfmiddlewaretoken": token_of(strict), **TYPED})

    assert response["Cache-Control"] == "no-store"
    assert settings.SESSION_COOKIE_NAME not in response.cookies


# --- Pages and fragments that are only read


def test_a_page_leads_to_the_login_and_back_to_itself(client: Client) -> None:
    response = client.get("/typed?page=2&q=a b")

    assert response.status_code == 302
    assert response["Location"] == "/auth/login?next=%2Ftyped%3Fpage%3D2%26q%3Da%2520b"


def test_a_fragment_moves_the_whole_page_to_the_login(client: Client) -> None:
    response = client.get(
        "/typed", headers={"HX-Request": "true", "HX-Current-URL": f"{SITE}/news?status=draft"}
    )

    assert response.status_code == 401
    assert response["HX-Redirect"] == "/auth/login?next=%2Fnews%3Fstatus%3Ddraft"
    assert response.content == b""


@pytest.mark.parametrize("current", ["", "https://evil.example/news", "http://[", "http://testserver.evil/x"])
def test_a_fragment_of_a_strange_page_leads_back_to_the_first_page(client: Client, current: str) -> None:
    response = client.get("/typed", headers={"HX-Request": "true", "HX-Current-URL": current})

    assert response["HX-Redirect"] == "/auth/login?next=%2Fdesk%2F"
