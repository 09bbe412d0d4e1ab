"""Signing in and out in a real browser, through the login pages of a real user pool."""

from collections.abc import Callable, Iterator

import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.urls import path
from playwright.sync_api import Browser, Page, expect
from pytest_django import Settings

from config.engines.dynoxide import Dynoxide
from config.engines.ministack import Ministack
from config.engines.provision import provision_user_pool
from config.urls import urlpatterns as own_urls
from core.accounts import cast
from core.accounts.rights import requires
from core.stores.sessions import SessionStore, end_all_of
from tests.browser.conftest import OpenPage
from tests.browser.signing_in import fill_in, use_user_pool
from tests.user_pool import Pool

Check = Callable[[Page], None]

MAYA = next(person for person in cast.CAST if person.given_name == "Maya")
ODILE = next(person for person in cast.CAST if person.given_name == "Odile")
FORM = """{% extends "base.html" %}{% block content %}
  <h1>Typing</h1>
  <form id="typing" method="post" action="/typed" hx-post="/typed" hx-target="#saved">
    {% csrf_token %}
    <label>Title <input name="title"></label>
    <label>Text <textarea name="text"></textarea></label>
    <label><input type="checkbox" name="team" value="red">Red</label>
    <label><input type="checkbox" name="team" value="green">Green</label>
    <button id="save">Save</button>
  </form>
  <button id="clear" hx-post="/cleared" hx-target="#saved">Clear</button>
  <pre id="saved">{{ saved }}</pre>
{% endblock %}"""


@requires("home.page.view")
def typed(request: HttpRequest) -> HttpResponse:
    """A form as every app will have them: sent by HTMX, or plainly without JavaScript."""
    saved = ""
    if request.method == "POST":
        given = request.POST
        saved = repr([given["title"], given["text"].splitlines(), given.getlist("team")])
        if request.headers.get("HX-Request") == "true":
            return HttpResponse(saved.replace("<", "&lt;"))
    return HttpResponse(engines["django"].from_string(FORM).render({"saved": saved}, request))


@requires("home.page.view")
def cleared(request: HttpRequest) -> HttpResponse:
    return HttpResponse("cleared")


urlpatterns = [*own_urls, path("typed", typed), path("cleared", cleared)]
pytestmark = pytest.mark.urls(__name__)


@pytest.fixture(scope="module")
def login_pages(tmp_path_factory: pytest.TempPathFactory, live_server: object) -> Iterator[Pool]:
    """A user pool that sends people back to the live server."""
    with Ministack(data=tmp_path_factory.mktemp("ministack"), region=settings.AWS_REGION) as running:
        made = provision_user_pool(running.endpoint, settings.AWS_REGION, str(live_server))
        yield Pool(running, made.pool_id, made.client_id)


@pytest.fixture
def pool(db: Dynoxide, login_pages: Pool, settings: Settings) -> Pool:
    """That pool as the application's own."""
    use_user_pool(settings, login_pages.engine.endpoint, login_pages.pool_id, login_pages.client_id)
    login_pages.restore()
    return login_pages


def sign_in(page: Page, person: cast.Person, address: str = "/desk/") -> None:
    page.goto(address)
    fill_in(page, person)


def sign_out(page: Page) -> None:
    page.locator("#account-menu summary").click()
    page.locator("#sign-out").click()


def session_of(page: Page) -> SessionStore:
    cookies = {str(cookie["name"]): cookie for cookie in page.context.cookies()}
    return SessionStore(cookies[settings.SESSION_COOKIE_NAME]["value"])


# --- In and out


@pytest.mark.journey
def test_one_click_and_a_password_lead_to_the_page_that_was_wanted(pool: Pool, desktop: Page) -> None:
    sign_in(desktop, MAYA, "/typed?page=2")

    expect(desktop.get_by_role("heading", level=1)).to_have_text("Typing")
    assert desktop.url.endswith("/typed?page=2")
    expect(desktop.locator(".account-name")).to_have_text("Maya Rosenthal")


def test_a_wrong_password_is_told_and_the_right_one_still_works(pool: Pool, desktop: Page) -> None:
    desktop.goto("/desk/")
    fill_in(desktop, MAYA, "Wrong-Password-1")
    expect(desktop.get_by_text("Incorrect username or password.")).to_be_visible()
    fill_in(desktop, MAYA)

    expect(desktop.locator(".account-name")).to_have_text("Maya Rosenthal")


def test_a_temporary_password_must_be_changed_first(pool: Pool, desktop: Page) -> None:
    newcomer = cast.Person("Nele", "Neumann")
    pool.ask(
        "admin_create_user",
        Username=newcomer.email,
        TemporaryPassword="Temporary-Word-1",
        MessageAction="SUPPRESS",
        UserAttributes=[
            {"Name": "email", "Value": newcomer.email},
            {"Name": "email_verified", "Value": "true"},
            {"Name": "name", "Value": newcomer.name},
        ],
    )
    desktop.goto("/desk/")
    fill_in(desktop, newcomer, "Temporary-Word-1")
    desktop.get_by_label("New password", exact=True).fill("My-Own-Password-2")
    desktop.get_by_label("Confirm new password").fill("My-Own-Password-2")
    desktop.get_by_role("button", name="Update password").click()
    expect(desktop.locator(".account-name")).to_have_text("Nele Neumann")

    sign_out(desktop)
    expect(desktop.get_by_role("heading", level=1)).to_have_text("You are signed out")
    desktop.get_by_role("link", name="Sign in").click()
    fill_in(desktop, newcomer, "My-Own-Password-2")
    expect(desktop.locator(".account-name")).to_have_text("Nele Neumann")


def test_an_unverified_address_is_not_let_in(pool: Pool, desktop: Page, assert_accessible: Check) -> None:
    pool.ask(
        "admin_update_user_attributes",
        Username=MAYA.email,
        UserAttributes=[{"Name": "email_verified", "Value": "false"}],
    )
    sign_in(desktop, MAYA)
    expect(desktop.get_by_role("heading", level=1)).to_have_text("You are not signed in")
    pool.ask(
        "admin_update_user_attributes",
        Username=MAYA.email,
        UserAttributes=[{"Name": "email_verified", "Value": "true"}],
    )
    desktop.get_by_role("link", name="Try again").click()
    fill_in(desktop, MAYA)
    expect(desktop.locator(".account-name")).to_have_text("Maya Rosenthal")


def test_after_signing_out_the_back_button_shows_nothing_private(pool: Pool, desktop: Page) -> None:
    sign_in(desktop, MAYA)
    expect(desktop.locator(".account-name")).to_have_text("Maya Rosenthal")
    desktop.goto("/typed")
    sign_out(desktop)
    expect(desktop.get_by_role("heading", level=1)).to_have_text("You are signed out")

    for _page in range(2):
        desktop.go_back()
        expect(desktop.get_by_label("Username")).to_be_visible()
        assert "Maya" not in desktop.content()


def test_signing_out_on_a_phone(pool: Pool, phone: Page) -> None:
    sign_in(phone, MAYA)
    key = session_of(phone).session_key
    sign_out(phone)

    expect(phone.get_by_role("heading", level=1)).to_have_text("You are signed out")
    assert SessionStore(key).load() == {}
    phone.goto("/desk/")
    expect(phone.get_by_label("Username")).to_be_visible()


# --- What Cognito decides later


def let_15_minutes_pass(page: Page) -> None:
    session = session_of(page)
    session["renew_at"] = 0
    session.save()


def test_groups_change_at_the_next_renewal(pool: Pool, desktop: Page) -> None:
    sign_in(desktop, ODILE)
    expect(desktop.locator(".account-name")).to_have_text("Odile Brandt")
    assert session_of(desktop)["user"]["groups"] == ["official"]

    pool.ask("admin_remove_user_from_group", Username=ODILE.email, GroupName="official")
    pool.ask("admin_add_user_to_group", Username=ODILE.email, GroupName="scout")
    desktop.reload()
    assert session_of(desktop)["user"]["groups"] == ["official"]

    let_15_minutes_pass(desktop)
    desktop.reload()
    assert session_of(desktop)["user"]["groups"] == ["scout"]

    pool.ask("admin_remove_user_from_group", Username=ODILE.email, GroupName="scout")
    let_15_minutes_pass(desktop)
    desktop.reload()
    assert session_of(desktop)["user"]["groups"] == []


def test_a_disabled_persons_session_ends_at_the_next_renewal(pool: Pool, desktop: Page) -> None:
    sign_in(desktop, MAYA)
    expect(desktop.locator(".account-name")).to_have_text("Maya Rosenthal")
    pool.ask("admin_disable_user", Username=MAYA.email)
    let_15_minutes_pass(desktop)
    desktop.reload()

    expect(desktop.get_by_label("Username")).to_be_visible()
    fill_in(desktop, MAYA)
    expect(desktop.get_by_text("User is disabled.")).to_be_visible()


def test_without_cognito_people_go_on_and_the_login_says_what_is_wrong(
    pool: Pool, desktop: Page, open_page: OpenPage, settings: Settings, assert_accessible: Check
) -> None:
    sign_in(desktop, MAYA)
    expect(desktop.locator(".account-name")).to_have_text("Maya Rosenthal")
    settings.COGNITO_ENDPOINT = settings.COGNITO_DOMAIN = "http://127.0.0.1:9"
    settings.COGNITO_DOCUMENTS = "http://127.0.0.1:9/pool"
    let_15_minutes_pass(desktop)
    desktop.reload()
    expect(desktop.locator(".account-name")).to_have_text("Maya Rosenthal")

    stranger = open_page("phone", "dark")
    answer = stranger.goto("/desk/")
    assert answer is not None
    assert answer.status == 503
    expect(stranger.get_by_role("heading", level=1)).to_have_text("You cannot sign in right now")
    assert_accessible(stranger)


# --- The session ends while somebody is typing


def type_something(page: Page) -> None:
    page.get_by_label("Title").fill('Müllheim <b>"gegen"</b> Ötigheim')
    # Before its scripts are there a form is sent as without them.
    page.wait_for_load_state()
    page.get_by_label("Text").fill("first line\nsecond line")
    page.get_by_label("Red").check()
    page.get_by_label("Green").check()


SAVED = repr(['Müllheim <b>"gegen"</b> Ötigheim', ["first line", "second line"], ["red", "green"]])


@pytest.fixture
def typing(pool: Pool, desktop: Page) -> Page:
    """Somebody has filled in a form, and their session has ended meanwhile."""
    sign_in(desktop, MAYA, "/typed")
    type_something(desktop)
    assert end_all_of(pool["member"].sub) == 1
    return desktop


def sign_in_again(page: Page) -> Page:
    """Sign in in the second tab, which hands its token over to the first."""
    token = page.locator("#send-again").locator("..").locator("[name=csrfmiddlewaretoken]")
    before = token.input_value()
    tab = sign_in_beside(page)
    expect(token).not_to_have_value(before)
    return tab


def sign_in_beside(page: Page) -> Page:
    with page.context.expect_page() as opened:
        page.locator("#sign-in-again").click()
    fill_in(opened.value, MAYA)
    return opened.value


def test_a_dialog_opens_over_the_intact_form_and_sending_again_works(
    typing: Page, assert_accessible: Check
) -> None:
    typing.locator("#save").click()
    expect(typing.locator("#resend-dialog")).to_be_visible()
    expect(typing.get_by_label("Title")).to_have_value('Müllheim <b>"gegen"</b> Ötigheim')
    expect(typing.get_by_label("Text")).to_have_value("first line\nsecond line")
    assert_accessible(typing)

    tab = sign_in_again(typing)
    if not tab.is_closed():
        tab.wait_for_event("close")
    typing.locator("#send-again").click()
    expect(typing.locator("#saved")).to_have_text(SAVED)


def test_the_form_beneath_the_dialog_can_be_sent_as_well(typing: Page) -> None:
    typing.locator("#save").click()
    sign_in_again(typing)
    typing.locator("#close-resend").click()
    expect(typing.locator("#resend-dialog")).to_be_hidden()
    typing.locator("#save").click()

    expect(typing.locator("#saved")).to_have_text(SAVED)


def test_sending_before_signing_in_again_loses_nothing(typing: Page) -> None:
    typing.locator("#save").click()
    typing.locator("#send-again").click()
    expect(typing.get_by_role("heading", level=1)).to_have_text("Not sent yet")
    sign_in_again(typing)
    typing.locator("#send-again").click()

    expect(typing.locator("#saved")).to_have_text(SAVED)


def test_without_javascript_the_form_waits_on_a_page_of_its_own(
    pool: Pool, browser: Browser, live_server: object
) -> None:
    context = browser.new_context(base_url=str(live_server), java_script_enabled=False, locale="en-GB")
    page = context.new_page()
    sign_in(page, MAYA, "/typed")
    type_something(page)
    end_all_of(pool["member"].sub)
    page.locator("#save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Not sent yet")
    expect(page.get_by_text("Nothing you typed is lost.")).to_be_visible()

    sign_in_beside(page).wait_for_url("**/auth/signed-in-again")
    page.locator("#send-again").click()
    # Signing in changed the token, and no script handed over the new one: one more click.
    expect(page.get_by_text("or you signed in again")).to_be_visible()
    page.locator("#send-again").click()
    expect(page.locator("#saved")).to_have_text(SAVED)
    context.close()


def test_the_second_tab_hands_over_its_token_to_a_page_that_waits(pool: Pool, desktop: Page) -> None:
    """Signing in elsewhere changes the token; a form that was open before is still sent at the first try."""
    sign_in(desktop, MAYA, "/typed")
    type_something(desktop)
    token = desktop.locator("#typing [name=csrfmiddlewaretoken]")
    before = token.input_value()
    other = desktop.context.new_page()
    sign_in(other, MAYA, "/auth/login?next=/auth/signed-in-again")
    expect(token).not_to_have_value(before)
    desktop.locator("#save").click()
    expect(desktop.locator("#saved")).to_have_text(SAVED)

    # A button outside of any form sends the token as a header.
    desktop.locator("#clear").click()
    expect(desktop.locator("#saved")).to_have_text("cleared")


# --- How our pages look


def test_the_first_page_and_the_account_menu_are_accessible_on_every_screen(
    pool: Pool, every_look: Page, assert_accessible: Check
) -> None:
    sign_in(every_look, MAYA)
    every_look.locator("#account-menu summary").click()

    expect(every_look.get_by_text(MAYA.email)).to_be_visible()
    assert_accessible(every_look)


@pytest.mark.parametrize("address", ["/auth/signed-out", "/auth/callback?code=x&state=y"])
def test_our_pages_are_accessible_on_every_screen(
    pool: Pool, every_look: Page, address: str, assert_accessible: Check
) -> None:
    every_look.goto(address)

    expect(every_look.get_by_role("heading", level=1)).to_be_visible()
    assert_accessible(every_look)


def test_an_unsent_form_is_accessible_on_every_screen(
    pool: Pool, every_look: Page, assert_accessible: Check
) -> None:
    sign_in(every_look, MAYA, "/typed")
    type_something(every_look)
    end_all_of(pool["member"].sub)
    every_look.locator("#save").click()
    expect(every_look.locator("#resend-dialog")).to_be_visible()
    assert_accessible(every_look)

    every_look.locator("#send-again").click()
    expect(every_look.get_by_role("heading", level=1)).to_have_text("Not sent yet")
    assert_accessible(every_look)
