"""What the pages of events cost in requests to DynamoDB: the same however many events there are."""

from datetime import timedelta

import pytest
from django.test import Client

from cms.events.models import Event
from core.accounts import directory
from core.content.slugs import slugify
from core.dynamo import changeset, maintenance, metering
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now, to_iso
from tests.cast import CAST, sign_in
from tests.cms.news.test_budgets import Cost, cost
from tests.cms.occasions import filled
from tests.core.crud.pages import open_form
from tests.core.dynamo.filling import stop_streams

START = now() + timedelta(days=1)
ADDRESSES = {
    "all": "/cms/events/?limit=10",
    "upcoming": "/cms/events/?status=upcoming",
    "past": "/cms/events/?status=past",
    "drafts": "/cms/events/?status=draft",
    "form": "/cms/events/00000000-0000-7000-8000-000000000100/",
    "event": "/events/event-00000100/",
    "this month": f"/cms/calendar/?kind=event&month={START:%Y-%m}",
}


def fill(first: int, last: int) -> None:
    """Published events, one every second day from tomorrow on, straight into the table."""
    item = Event(title="", author_ids=["official-sub"], status="published", version=1)
    item.created_at = item.updated_at = START
    same = dict(changeset.with_derived(Event, item.serialize()).stored)
    for begin in range(first, last, 25):
        puts = [{"PutRequest": {"Item": same | _own(number)}} for number in range(begin, begin + 25)]
        maintenance.request("BatchWriteItem", RequestItems={Event.Meta.table_name: puts})


def _own(number: int) -> dict[str, dict[str, str]]:
    title = f"Event {number:08}"
    values = {
        "id": f"00000000-0000-7000-8000-{number:012}",
        "title": title,
        "slug": slugify(title),
        "startDate": to_iso(START + timedelta(days=2 * number)),
        "createdAt": to_iso(START + timedelta(seconds=number)),
    }
    return {name: {"S": value} for name, value in values.items()}


def costs(client: Client) -> dict[str, Cost]:
    return {name: cost(lambda address=address: client.get(address)) for name, address in ADDRESSES.items()}


@pytest.mark.usefixtures("own_engine")
def test_pages_cost_the_same_with_300_and_2000_events(client: Client) -> None:
    stop_streams()
    user = CAST["official"]
    directory.enter(user.sub, name=user.name, email=user.email, actor=SYSTEM)
    sign_in(client, "official")
    fill(0, 300)
    with_300 = costs(client)
    fill(300, 2000)

    assert costs(client) == with_300
    assert {name: operations for name, (operations, _items, _units) in with_300.items()} == {
        "all": ["GetItem", "Query", "BatchGetItem"],
        "upcoming": ["GetItem", "Query", "BatchGetItem"],
        "past": ["GetItem", "Query"],
        "drafts": ["GetItem", "Query"],
        "form": ["BatchGetItem", "BatchGetItem"],
        "event": ["Query", "BatchGetItem"],
        # The teams for the filter, and the events.
        "this month": ["GetItem", "Query", "Query"],
    }


@pytest.mark.parametrize("then", ["save", "publish"])
def test_saving_and_publishing_cost_one_read_and_one_transaction(as_role, then: str) -> None:
    client = as_role("official")
    new = filled(client, address__city="Müllheim")
    with metering.metered() as first:
        new.send(then)
    again = open_form(client, new.action).fill(title="Winter party")
    with metering.metered() as second:
        again.send(then)

    # Where nothing can be stored yet, only the session is read; else the record comes with it.
    assert first.operations == ["GetItem", "TransactWriteItems"]
    assert second.operations == ["BatchGetItem", "TransactWriteItems"]
