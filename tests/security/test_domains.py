"""A domain that is switched off disappears everywhere, from the whole URLconf; what others have stays."""

import re
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from cms.news.models import News
from cms.news.repository import news
from core.accounts.rights import RIGHTS, may, may_to_some
from core.club.models import DOMAINS
from core.dynamo.actors import SYSTEM
from tests.cast import CAST, sign_in
from tests.security.test_routes import ROUTES, methods_of
from tests.the_club import the_club

pytestmark = pytest.mark.usefixtures("db")
# Where the addresses of each domain begin.
BEGINNINGS = {
    "cms": ("/cms/", "/api/v1/cms", "/api/v1/website"),
    "scouting": ("/scouting/", "/api/v1/scouting"),
    "quests": ("/quests/", "/api/v1/quests"),
    "tracker": ("/tracker/", "/api/v1/tracker"),
}
# Without a website, / leads to Home, and crawlers are kept out of everything.
STAYS = {"/", "/robots.txt"}


def routes_of(domain: str) -> dict[str, Any]:
    found = {each: view for each, view in ROUTES.items() if each.startswith(BEGINNINGS[domain])}
    return found | (dict(website()) if domain == "cms" else {})


def website() -> Iterator[tuple[str, Any]]:
    (public,) = (
        each
        for each in get_resolver().url_patterns
        if isinstance(each, URLResolver) and each.app_name == "public"
    )
    for pattern in public.url_patterns:
        assert isinstance(pattern, URLPattern)
        address = "/" + re.sub(r"<[^>]+>", "no-such-record", str(pattern.pattern))
        if address not in STAYS:
            yield address, pattern.callback


def test_every_route_belongs_to_a_domain_or_to_what_is_always_there() -> None:
    known = {address for domain in DOMAINS for address in routes_of(domain)} | STAYS
    others = {address.split("/")[1] for address in ROUTES.keys() - known}

    assert others == {
        *("api", "auth", "brand", "desk", "directory", "language", "people", "profile", "search", "stores"),
        *("theme", "tokens", "webhooks"),
    }


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_route_of_a_domain_that_is_off_is_not_found_whoever_asks(domain: str) -> None:
    the_club(off=[domain])
    admin, stranger = sign_in(Client(), "admin"), Client()

    statuses = {
        (address, method): {getattr(person, method)(address).status_code for person in (admin, stranger)}
        for address in routes_of(domain)
        for method in methods_of(address)
    }

    assert {place: found for place, found in statuses.items() if found != {404}} == {}
    assert len(statuses) > 20


@pytest.mark.parametrize("domain", DOMAINS)
def test_no_link_leads_to_it_and_nothing_of_it_is_offered(domain: str) -> None:
    admin = sign_in(Client(), "admin")
    addresses = {home: linked(admin, home) for home in ("/desk/", "/search", "/search?q=new", "/tokens/")}
    assert any(each.startswith(BEGINNINGS[domain]) for found in addresses.values() for each in found)

    the_club(off=[domain])
    for home in addresses:
        assert [each for each in linked(admin, home) if each.startswith(BEGINNINGS[domain])] == []
    assert f'name="{domain}"' not in admin.get("/tokens/").content.decode()


def linked(person: Client, address: str) -> list[str]:
    return re.findall(r'(?:href|action)="([^"#]+)"', person.get(address).content.decode())


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_description_of_the_api_does_not_have_it(domain: str) -> None:
    everything = Client().get("/api/v1/openapi.json").json()["paths"]
    the_club(off=[domain], name="TV Auenfeld")
    described = Client().get("/api/v1/openapi.json").json()

    assert described["info"]["title"] == "TV Auenfeld API"
    assert described["paths"].keys() == {
        path for path in everything if not path.startswith(BEGINNINGS[domain])
    }
    assert described["paths"].keys() < everything.keys()


def test_without_a_website_its_address_leads_to_the_sign_in_and_crawlers_are_kept_out() -> None:
    the_club(off=["cms"])

    assert Client().get("/")["Location"] == "/desk/"
    assert Client().get("/robots.txt").content.decode() == "User-agent: *\nDisallow: /\n"
    # No page of a website that is not there.
    assert "public-nav" not in Client().get("/nothing/").content.decode()


def test_what_was_stored_is_there_when_it_is_switched_on_again() -> None:
    article = news.create(News(title="Derby"), actor=SYSTEM)
    admin = sign_in(Client(), "admin")
    the_club(off=["cms"])
    assert admin.get(f"/cms/news/{article.id}/").status_code == 404

    the_club()
    assert admin.get(f"/cms/news/{article.id}/").status_code == 200


def test_commands_work_all_the_same() -> None:
    the_club(off=list(DOMAINS))

    for command in (["publish", "due"], ["quests", "sweep"], ["quests", "audit"], ["search", "rebuild"]):
        call_command(*command, stdout=StringIO())


@pytest.mark.parametrize("domain", DOMAINS)
def test_nobody_has_rights_in_a_domain_that_is_off(domain: str) -> None:
    the_club(off=[domain])

    own = {right for right in RIGHTS if right.startswith(f"{domain}.")}
    held = {right for right in own for user in CAST.values() if may(user, right) or may_to_some(user, right)}

    assert own
    assert held == set()
    assert all(may(CAST["admin"], right) for right in RIGHTS.keys() - own)
