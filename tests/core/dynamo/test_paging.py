"""Pages and their tokens."""

from base64 import urlsafe_b64decode

import pytest
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from config.urls import urlpatterns as own_urls
from core.accounts.rights import public
from core.dynamo import paging
from core.dynamo.actors import Actor
from core.dynamo.errors import InvalidToken
from tests.core.dynamo.library import Article, articles

START = {"articleId": {"S": "1"}, "kind": {"S": "article"}}


def read(token: str) -> None:
    paging.read_token(token, "alice", "articles", "status=open")


def test_a_token_leads_back_to_its_place() -> None:
    token = paging.sign(START, "alice", "articles", "status=open")

    assert paging.read_token(token, "alice", "articles", "status=open") == START
    assert paging.read_token(None, "alice") is None
    assert paging.read_token("", "alice") is None


def test_a_token_does_not_tell_its_place() -> None:
    sealed = urlsafe_b64decode(paging.sign({"word": {"S": "svea@verein.example"}}, "alice").partition(":")[0])

    assert b"svea" not in sealed
    assert b"word" not in sealed


@pytest.mark.parametrize(
    "bound_to",
    [
        ("bob", "articles", "status=open"),
        ("alice", "pictures", "status=open"),
        ("alice", "articles", "status=closed"),
        ("alice", "articlesstatus=open"),
        (),
    ],
)
def test_a_token_of_another_person_route_or_filter_is_refused(bound_to: tuple[str, ...]) -> None:
    with pytest.raises(InvalidToken):
        read(paging.sign(START, *bound_to))


@pytest.mark.parametrize(
    "token", ["x", "a:b:c", "é" * 50, "\x00", "." * 4000, "x" * 5_000_000, "eyJhIjoxfQ:1tXyZ0:forged"]
)
def test_a_forged_or_giant_token_is_refused(token: str) -> None:
    with pytest.raises(InvalidToken):
        read(token)


def test_a_changed_token_is_refused() -> None:
    token = paging.sign(START, "alice", "articles", "status=open")

    for position in range(len(token)):
        other = "A" if token[position] != "A" else "B"
        with pytest.raises(InvalidToken):
            read(token[:position] + other + token[position + 1 :])


def test_a_token_is_good_for_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.core.signing.time.time", lambda: 1_000_000.0)
    token = paging.sign(START, "alice", "articles", "status=open")

    monkeypatch.setattr("django.core.signing.time.time", lambda: 1_003_599.0)
    read(token)
    monkeypatch.setattr("django.core.signing.time.time", lambda: 1_003_601.0)
    with pytest.raises(InvalidToken):
        read(token)


def test_a_token_signed_for_something_else_is_refused() -> None:
    with pytest.raises(InvalidToken):
        read(signing.dumps(START))


def test_a_token_that_leads_nowhere_or_is_too_long_is_refused_though_we_signed_it() -> None:
    for start in ("text", [1], {"articleId": {"S": "".join(map(chr, range(256, 3000)))}}):
        with pytest.raises(InvalidToken):
            read(paging.sign(start, "alice", "articles", "status=open"))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        (None, 20),
        ("", 20),
        ("x", 20),
        ("0", 1),
        ("7", 7),
        ("100", 100),
        ("101", 100),
        ("9" * 5000, 100),
        ("-1", 20),
    ],
)
def test_the_page_size_stays_within_reason(text: str | None, limit: int) -> None:
    assert paging.limit_from(text) == limit


@public
def listing(request: HttpRequest) -> HttpResponse:
    paging.read_token(request.GET.get("after"), "anonymous", "listing")
    return HttpResponse("page")


urlpatterns = [*own_urls, path("listing", listing)]


@pytest.mark.urls(__name__)
@pytest.mark.parametrize("token", ["x", "x" * 5000, paging.sign(START, "bob", "listing")], ids="abc")
def test_a_wrong_token_is_answered_with_400(client: Client, token: str) -> None:
    response = client.get("/listing", {"after": token})

    assert response.status_code == 400
    assert "This link has expired." in response.content.decode()


@pytest.mark.usefixtures("db")
def test_pages_follow_each_other_without_gap_or_repetition(alice: Actor) -> None:
    for number in range(7):
        articles.create(Article(title=f"{number}"), actor=alice)

    first = articles.latest(limit=3)
    second = articles.latest(limit=3, start=first.next_key)
    third = articles.latest(limit=3, start=second.next_key)

    assert [item.title for page in (first, second, third) for item in page.items] == list("6543210")
    assert third.next_key is None
    assert third.next_token("alice") is None


@pytest.mark.usefixtures("db")
def test_a_full_last_page_is_followed_by_an_empty_one(alice: Actor) -> None:
    for number in range(4):
        articles.create(Article(title=f"{number}"), actor=alice)

    first = articles.latest(limit=4)
    second = articles.latest(limit=4, start=first.next_key) if first.next_key else paging.Page(items=[])

    assert (len(first.items), list(second.items), second.next_key) == (4, [], None)
