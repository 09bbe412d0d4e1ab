"""The headers of every answer, judged by the ten tests of MDN HTTP Observatory under production settings."""

import re

import pytest
from django.conf import settings
from django.core import checks
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.test import Client
from django.urls import path
from django.views.decorators.http import require_POST
from pytest_django import Settings

from config.engines.dynoxide import Dynoxide
from config.urls import handler400, handler403, handler404, handler500  # noqa: F401 (for the tests' URLconf)
from config.urls import urlpatterns as own_urls
from core.accounts.rights import public
from core.common import env
from core.dynamo.errors import Unavailable
from tests.cast import sign_in
from tests.security import observatory


@public
def failing(request: HttpRequest, status: int) -> HttpResponse:
    match status:
        case 400:
            raise SuspiciousOperation
        case 403:
            raise PermissionDenied
        case 503:
            raise Unavailable
    raise RuntimeError


@public
@require_POST
def form(request: HttpRequest) -> HttpResponse:
    return HttpResponse("saved")


@public
def with_cookies(request: HttpRequest) -> HttpResponse:
    """Both of our cookies at once, as after signing in."""
    get_token(request)
    request.session["seen"] = True
    return HttpResponse("<p>page")


urlpatterns = [
    *own_urls,
    path("failing/<int:status>", failing),
    path("form", form),
    path("with-cookies", with_cookies),
]
pytestmark = pytest.mark.urls(__name__)

ANSWERS = {
    "/": 200,
    "/desk/": 200,
    "/healthz": 200,
    "/readyz": 200,
    "/with-cookies": 200,
    "/static/core/fieldhouse.css": 200,
    "/failing/400": 400,
    "/failing/403": 403,
    "/no/such-page": 404,
    "/form": 405,
    "/failing/500": 500,
    "/failing/503": 503,
}


@pytest.fixture
def browser(db: Dynoxide, settings: Settings) -> Client:
    """Signed in, asks over https and from a page of another site; errors become pages as in production."""
    settings.SECURE_SSL_REDIRECT = True
    client = Client(raise_request_exception=False, headers={"Origin": observatory.FOREIGN_ORIGIN})
    return sign_in(client, "admin")


def get(browser: Client, address: str) -> HttpResponse:
    response = browser.get(address, secure=True)
    if response.streaming:
        whole = HttpResponse(b"".join(response), headers=dict(response.items()))
        response.close()
        return whole
    return response  # type: ignore[return-value]


@pytest.mark.parametrize(("address", "status"), ANSWERS.items())
def test_observatory_gives_every_answer_an_a_plus(browser: Client, address: str, status: int) -> None:
    response = get(browser, address)

    assert response.status_code == status
    assert observatory.failures(response) == []
    assert observatory.score(response) >= 130


@pytest.mark.parametrize(("method", "status"), [("get", 302), ("post", 401)])
def test_observatory_gives_an_a_plus_to_what_strangers_see(browser: Client, method: str, status: int) -> None:
    browser.cookies.clear()
    response = getattr(browser, method)("/desk/", secure=True)

    assert response.status_code == status
    assert observatory.failures(response) == []


def test_observatory_gives_extra_credit_for_the_cookies(browser: Client) -> None:
    response = get(browser, "/with-cookies")

    assert observatory.score(response) == 135
    assert set(response.cookies) == {"__Host-session", "__Host-csrf"}
    for cookie in response.cookies.values():
        assert (cookie["path"], cookie["domain"], cookie["secure"]) == ("/", "", True)
        assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")


@pytest.mark.parametrize("address", [*ANSWERS, "/with?a=b&c=d"])
def test_plain_http_is_sent_to_https_on_the_same_host(browser: Client, address: str) -> None:
    if address in {"/healthz", "/readyz"}:
        assert browser.get(address).status_code == 200, "load balancers ask over plain http"
        return
    response = browser.get(address)

    assert observatory.redirection(f"http://testserver{address}", response) == "redirection-to-https"  # type: ignore[arg-type]
    assert observatory.content_security_policy(response) in observatory.SCORES  # type: ignore[arg-type]


@pytest.mark.parametrize("secure", [True, False])
def test_a_request_for_another_host_is_refused_with_the_same_headers(browser: Client, secure: bool) -> None:
    response = browser.get("/", secure=secure, headers={"Host": "evil.example"})

    assert response.status_code == 400
    # Browsers ignore this header over plain http, so it is not sent there.
    assert observatory.failures(response) == ([] if secure else ["hsts-not-implemented"])  # type: ignore[arg-type]


@pytest.mark.parametrize("address", ANSWERS)
def test_every_answer_has_the_other_protecting_headers(browser: Client, address: str) -> None:
    response = get(browser, address)

    assert response["Cross-Origin-Opener-Policy"] == "same-origin"
    assert response["Referrer-Policy"] == "same-origin"
    assert response["Permissions-Policy"].startswith("camera=(self), geolocation=()")
    assert response["Strict-Transport-Security"] == "max-age=63072000"


@pytest.mark.parametrize("address", ANSWERS)
def test_the_policy_is_exactly_this(browser: Client, address: str) -> None:
    policy = observatory.policy_of(get(browser, address))

    assert policy == {
        "default-src": {"'none'"},
        "script-src": {"'self'"},
        "style-src": {"'self'"},
        "img-src": {"'self'"},
        "connect-src": {"'self'"},
        "font-src": {"'self'"},
        "manifest-src": {"'self'"},
        "worker-src": {"'self'"},
        "form-action": {"'self'", "https://login.fieldhouse.example"},
        "frame-ancestors": {"'none'"},
        "base-uri": {"'none'"},
        "object-src": {"'none'"},
        "upgrade-insecure-requests": set(),
    }


def test_pages_hold_nothing_that_the_policy_blocks(browser: Client) -> None:
    pages = [get(browser, address) for address in ANSWERS]
    html = [page for page in pages if page["Content-Type"].startswith("text/html")]

    assert len(html) >= 8
    assert [observatory.Page(page).inline for page in html] == [[]] * len(html)


def test_every_script_of_a_template_is_a_file_of_ours() -> None:
    """So the policy needs no nonce, which could also be had by a script that somebody put in."""
    templates = [file.read_text() for file in (settings.BASE_DIR / "templates").rglob("*.html")]
    scripts = [script for template in templates for script in re.findall("<script.*", template)]

    assert len(scripts) >= 5
    for script in scripts:
        assert re.fullmatch(
            r"""<script src="{% static '[\w./-]+\.js' %}" (defer|type="module")></script>""", script
        )


def test_the_bucket_is_reached_at_its_own_host_or_at_the_local_engine() -> None:
    local = env.bucket_address("club-media", "http://127.0.0.1:8104", "eu-central-1")

    assert env.bucket_address("", "http://127.0.0.1:8104", "eu-central-1") == ""
    assert env.bucket_address("club-media", None, "eu-central-1") == (
        "https://club-media.s3.eu-central-1.amazonaws.com"
    )
    assert (local, env.origin(local)) == ("http://127.0.0.1:8104/club-media", "http://127.0.0.1:8104")


@pytest.mark.parametrize("address", ["/desk/", "/with-cookies"])
def test_a_page_that_depends_on_who_asks_is_kept_nowhere(browser: Client, address: str) -> None:
    response = get(browser, address)

    assert response["Cache-Control"] == "no-store"
    assert {part.strip() for part in response["Vary"].split(",")} >= {"Cookie", "HX-Request"}


def test_static_files_and_health_answers_are_nobodys_secret(browser: Client) -> None:
    get(browser, "/with-cookies")

    for address in ("/static/core/fieldhouse.css", "/healthz", "/readyz"):
        response = get(browser, address)
        assert "no-store" not in response.get("Cache-Control", "")
        assert "Cookie" not in response.get("Vary", "")


def test_what_a_bearer_token_opens_is_kept_nowhere(browser: Client) -> None:
    response = browser.get("/healthz", secure=True, headers={"Authorization": "Bearer x"})

    assert response["Cache-Control"] == "no-store"


def test_a_form_of_our_own_passes_the_csrf_check_under_our_referrer_policy(browser: Client) -> None:
    """Over https Django wants an Origin or Referer of our own; `same-origin` lets browsers send both."""
    strict = Client(enforce_csrf_checks=True)
    token = strict.get("/with-cookies", secure=True).cookies["__Host-csrf"].value
    headers = {"X-CSRFToken": token}

    def post(**more: str) -> int:
        return strict.post("/form", secure=True, headers=headers | more).status_code

    assert post(Referer="https://testserver/with-cookies") == 200
    assert post(Origin="https://testserver") == 200
    assert post(Origin="https://evil.example") == 403
    assert post(Referer="https://evil.example/") == 403
    assert post() == 403


def test_the_settings_pass_djangos_own_check(settings: Settings) -> None:
    settings.SECURE_SSL_REDIRECT = True

    found = checks.run_checks(include_deployment_checks=True)
    assert [each for each in found if not each.is_silenced()] == []
