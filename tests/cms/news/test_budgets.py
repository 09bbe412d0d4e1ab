"""What the pages of news cost in requests to DynamoDB: the same however many articles there are."""

import re
from collections.abc import Callable

import pytest
from django.http import HttpResponse
from django.test import Client

from core.accounts import directory
from core.dynamo import metering, search
from core.dynamo.actors import SYSTEM
from tests.cast import CAST, sign_in
from tests.cms.articles import filled
from tests.cms.filling import fill, key_of
from tests.core.crud.pages import open_form
from tests.core.dynamo.filling import stop_streams

RECORD = f"/cms/news/{key_of(100)}/"
Cost = tuple[list[str], int, float]


def cost(ask: Callable[[], HttpResponse]) -> Cost:
    """The requests, the items read and the capacity units of one answer."""
    with metering.metered() as meter:
        assert ask().status_code == 200
    return meter.operations, meter.items, meter.units


def fortieth(client: Client, address: str, link: str) -> str:
    """The address of the fortieth page, reached as a person would."""
    base = address.partition("?")[0]
    for _page in range(39):
        found = re.search(rf'id="{link}"[^>]*? href="([^"]*)"', client.get(address).content.decode())
        address = base + found[1].replace("&amp;", "&")
    return address


def costs(client: Client) -> dict[str, Cost]:
    addresses = {
        "first page": "/cms/news/?limit=10",
        "fortieth page": fortieth(client, "/cms/news/?limit=10", "load-more"),
        "first page of a status": "/cms/news/?status=published",
        "mine": "/cms/news/?author=me",
        "search": "/cms/news/?q=spielb",
        "form": RECORD,
        "preview": f"{RECORD}preview",
        "first page for readers": "/news/",
        "fortieth page for readers": fortieth(client, "/news/", "older"),
        "article": "/news/spielbericht-00000100/",
    }
    return {name: cost(lambda address=address: client.get(address)) for name, address in addresses.items()}


@pytest.mark.slow
@pytest.mark.usefixtures("own_engine")
def test_pages_cost_the_same_with_500_and_5000_articles(client: Client) -> None:
    stop_streams()
    user = CAST["official"]
    directory.enter(user.sub, name=user.name, email=user.email, actor=SYSTEM)
    sign_in(client, "official")
    fill(0, 500)
    with_500 = costs(client)
    fill(500, 5000)
    with_5000 = costs(client)

    assert with_500 == with_5000
    assert with_500["first page"] == with_500["fortieth page"]
    assert with_500["first page for readers"] == with_500["fortieth page for readers"]
    assert {name: operations for name, (operations, _items, _units) in with_500.items()} == {
        "first page": ["GetItem", "Query", "BatchGetItem"],
        "fortieth page": ["GetItem", "Query", "BatchGetItem"],
        "first page of a status": ["GetItem", "Query", "BatchGetItem"],
        "mine": ["GetItem", "Query", "BatchGetItem"],
        "search": ["GetItem", "Query", "BatchGetItem", "BatchGetItem"],
        "form": ["BatchGetItem", "BatchGetItem"],
        "preview": ["GetItem", "BatchGetItem", "BatchGetItem"],
        "first page for readers": ["Query"],
        "fortieth page for readers": ["Query"],
        "article": ["Query", "BatchGetItem"],
    }
    # Ten rows, the session, the one author.
    assert with_500["first page"][1] == 12


@pytest.mark.parametrize("address", ["/cms/news/?q=spielb", "/search?q=spielb"])
def test_a_search_reads_20_articles_and_nothing_of_their_texts(as_role, address: str) -> None:
    stop_streams()
    fill(0, 60)
    client = as_role("official")

    with metering.metered() as meter:
        page = client.get(address)
    found = search.search("spielb", ["cms"], may_see=lambda _repository, _record: True).hits

    assert page.content.decode().count('href="/cms/news/0') == 20
    # With 50 of them it was 51.
    assert meter.units < 28
    assert max(call.items for call in meter.calls) == 20
    assert all(hit.item.partial and hit.item.content is None for hit in found)


@pytest.mark.parametrize("htmx", [False, True])
@pytest.mark.parametrize("then", ["save", "publish"])
def test_saving_and_publishing_cost_one_read_and_one_transaction(as_role, then: str, htmx: bool) -> None:
    client = as_role("official")
    new = filled(client)
    with metering.metered() as first:
        new.send(then, htmx=htmx)
    again = open_form(client, new.action).fill(title="Derby won")
    with metering.metered() as second:
        again.send(then, htmx=htmx)

    # Where nothing can be stored yet, only the session is read; else the record comes with it.
    assert first.operations == ["GetItem", "TransactWriteItems"]
    assert second.operations == ["BatchGetItem", "TransactWriteItems"]


@pytest.mark.parametrize("screen", ["unpublish", "archive"])
def test_changing_the_status_costs_a_read_more(as_role, screen: str) -> None:
    client = as_role("official")
    new = filled(client)
    new.send("publish")
    form = open_form(client, new.action)

    with metering.metered() as meter:
        form.send(to=screen)

    assert meter.operations == ["GetItem", "BatchGetItem", "TransactWriteItems"]
