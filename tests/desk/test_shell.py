"""The shell around every page is kept for those who see the same, and for nobody else."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template import Context, engines
from django.template.loader import render_to_string
from django.test import Client
from django.urls import path
from django.utils import translation
from django.utils.html import escape

from config.urls import handler404, handler500  # noqa: F401 (for the tests' URLconf)
from config.urls import urlpatterns as own_urls
from core.accounts.rights import requires
from core.accounts.user import User
from core.crud import frames
from desk import shell
from desk.menu import addresses_for
from tests.cast import CAST, session_of, sign_in

LINK = re.compile(r'<a href="([^"]+)"( aria-current="page")?><svg')
TOKEN = re.compile(r'"x-csrftoken": "(\w{64})"')
TOKENS = re.compile(r'name="csrfmiddlewaretoken" value="(\w{64})"')
COACH = replace(CAST["member"], member_ids=frozenset({"m1"}))


@requires("home.page.view")
def empty(request: HttpRequest) -> HttpResponse:
    return HttpResponse(engines["django"].from_string('{% extends "base.html" %}').render({}, request))


urlpatterns = [path("empty", empty), *own_urls]
pytestmark = [pytest.mark.urls(__name__), pytest.mark.usefixtures("db")]


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    shell._frame.cache_clear()
    yield
    shell._frame.cache_clear()


def browser_of(user: User, theme: str = "") -> Client:
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = str(session_of(user).session_key)
    if theme:
        client.cookies[settings.THEME_COOKIE_NAME] = theme
    return client


def page_of(user: User, address: str = "/empty", theme: str = "") -> str:
    return browser_of(user, theme).get(address).content.decode()


def menu_in(page: str) -> list[str]:
    nav = page.partition('<nav class="menu"')[2].partition("</nav>")[0]
    return [address for address, _current in LINK.findall(nav)]


def current_in(page: str) -> list[str]:
    return [address for address, current in LINK.findall(page) if current]


def test_people_who_may_open_the_same_pages_share_what_is_kept_and_nothing_personal() -> None:
    pages = {role: page_of(CAST[role]) for role in ("member", "other-member")}

    assert shell._frame.cache_info().misses == 1
    for role, other in (("member", "other-member"), ("other-member", "member")):
        person, stranger = CAST[role], CAST[other]
        assert pages[role].count(person.name) == 2
        assert f'aria-hidden="true">{person.initials}</span>' in pages[role]
        assert f'<span class="quiet">{person.email}</span>' in pages[role]
        assert stranger.name not in pages[role]
        assert f">{stranger.email}<" not in pages[role]
    owners = {re.findall(r'data-owner="(\w{32})"', page)[0] for page in pages.values()}
    assert len(owners) == 2


@pytest.mark.parametrize("users", [[CAST["member"], COACH], [COACH, CAST["member"]]])
def test_people_of_the_same_groups_see_what_each_may_open(users: list[User]) -> None:
    """A coach may open the teams, a member of the same groups may not."""
    pages = {user: page_of(user) for user in users}

    assert "/cms/teams/" in menu_in(pages[COACH])
    assert "/cms/teams/" not in menu_in(pages[CAST["member"]])


def test_every_role_sees_its_own_menu() -> None:
    for user in (*CAST.values(), COACH):
        assert menu_in(page_of(user)) == list(addresses_for(user))


def test_rights_that_somebody_loses_are_gone_from_the_next_page() -> None:
    assert "/people/" in menu_in(page_of(CAST["admin"]))
    assert "/people/" not in menu_in(page_of(replace(CAST["admin"], groups=frozenset())))


def test_each_page_has_the_token_of_its_own_browser() -> None:
    browsers = [browser_of(CAST["member"]), browser_of(CAST["other-member"])]
    for browser in browsers:
        browser.handler.enforce_csrf_checks = True
    pages = [browser.get("/empty").content.decode() for browser in browsers]
    tokens = [TOKEN.findall(page)[0] for page in pages]

    assert [TOKENS.findall(page) for page in pages] == [[token] * 3 for token in tokens]

    def status(browser: Client, token: str) -> int:
        return browser.post("/theme", {"theme": "dark", "csrfmiddlewaretoken": token}).status_code

    assert [status(browser, token) for browser, token in zip(browsers, tokens, strict=True)] == [302, 302]
    assert status(browsers[0], tokens[1]) != 302


@pytest.mark.parametrize(
    "name",
    [
        '<script>alert("x")</script>',
        "{csrf_token} {name} {0} {} {{name}} %(name)s {name.__class__}",
        f"{frames.OPEN}csrf_token{frames.CLOSE}",
        "\"onload='x' &amp;",
    ],
)
def test_a_hostile_name_is_only_a_name(name: str) -> None:
    page = page_of(replace(CAST["member"], name=name, email=f"{name}@fieldhouse.example"))

    assert page.count(f">{escape(name)}<") == 2
    assert f'<span class="quiet">{escape(name)}@fieldhouse.example</span>' in page
    assert "alert(" not in page.replace(escape(name), "")
    # The next one has nothing of it.
    assert escape(name) not in page_of(CAST["other-member"])


@pytest.mark.parametrize(
    ("address", "entry"),
    [("/desk/", "/desk/"), ("/cms/news/", "/cms/news/"), ("/cms/news/new", "/cms/news/"), ("/empty", None)],
)
def test_the_entry_to_which_a_page_belongs_is_marked_and_no_other(address: str, entry: str | None) -> None:
    assert current_in(page_of(CAST["admin"], "/cms/teams/")) == ["/cms/teams/"]
    assert current_in(page_of(CAST["admin"], address)) == ([entry] if entry else [])


@pytest.mark.parametrize("themes", [("light", "dark", "system"), ("system", "dark", "light")])
def test_each_has_the_own_colours(themes: tuple[str, ...]) -> None:
    for theme in themes:
        page = page_of(CAST["member"], theme=theme)
        assert re.findall(r'data-theme="(\w+)"', page) == [theme]
        assert re.findall(r'value="(\w+)" aria-pressed="true"', page) == [theme]


@pytest.mark.usefixtures("marked_german")
def test_a_page_after_one_in_another_language_is_in_its_own() -> None:
    client = browser_of(CAST["admin"])
    pages = [
        client.get("/empty", headers={"Accept-Language": language}).content.decode()
        for language in ("de", "en", "de")
    ]

    assert ["«Sign out»" in page for page in pages] == [True, False, True]
    assert ["«" in page for page in pages] == [True, False, True]


def test_the_chosen_language_is_pressed_on_the_pages_of_who_chose_it() -> None:
    chose, other = browser_of(CAST["member"]), browser_of(CAST["other-member"])
    chose.post("/language", {"language": "en"})

    pressed = [
        re.findall(
            r'name="language" value="(\w*)"[^>]*aria-pressed="true"', page.get("/empty").content.decode()
        )
        for page in (other, chose, other)
    ]
    assert pressed == [[""], ["en"], [""]]


def test_each_language_has_its_own_shell() -> None:
    languages = []
    for language in ("en", "de", "en"):
        with translation.override(language):
            languages += re.findall('<html lang="(.+?)"', render_to_string("core/errors/page.html"))

    assert languages == ["en", "de", "en"]


def test_an_error_page_shows_nobody_and_needs_no_request() -> None:
    page_of(CAST["admin"])
    page = render_to_string("core/errors/page.html", {"heading": "That did not work"})

    assert "<h1>That did not work</h1>" in page
    assert '<a class="brand" href="/desk/">' in page
    assert 'id="failed-toast"' in page
    for part in (CAST["admin"].name, 'id="menu"', 'id="account-menu"', 'id="palette"', "csrfmiddlewaretoken"):
        assert part not in page


def test_what_htmx_swaps_in_does_not_pay_for_the_shell(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[object] = []

    def shell_for(context: Context) -> shell.Shell:
        made.append(context)
        return real(context)

    real = shell.shell_for
    monkeypatch.setattr("desk.templatetags.shell.shell_for", shell_for)
    sign_in(client, "admin").get("/cms/news/", headers={"HX-Request": "true"})
    assert len(made) == 0

    client.get("/cms/news/")
    assert len(made) == 1


def test_the_shell_of_somebody_who_may_do_everything_stays_small() -> None:
    assert len(page_of(CAST["admin"])) <= 14_000


def test_what_is_kept_follows_changed_settings(settings: pytest.FixtureRequest) -> None:
    assert 'src="/static/core/app.js"' in page_of(CAST["member"])
    settings.STATIC_URL = "/elsewhere/"  # type: ignore[attr-defined]
    assert 'src="/elsewhere/core/app.js"' in page_of(CAST["member"])
