"""One real DynamoDB engine per test worker, with tables that are empty at the start of every test."""

from collections.abc import Iterator

import pytest
from config.engines.dynoxide import Dynoxide
from django.conf import settings

from dynamo import connection, control, tables
from dynamo.history import Actor


@pytest.fixture(scope="session")
def engine() -> Iterator[Dynoxide]:
    """A real engine in memory; every table exists."""
    with Dynoxide() as running:
        settings.DYNAMODB_ENDPOINT = running.endpoint
        connection.reset()
        list(tables.create_all())
        yield running


@pytest.fixture
def db(engine: Dynoxide) -> Iterator[Dynoxide]:
    """The engine with empty tables; what a test leaves is removed after it."""
    settings.DYNAMODB_ENDPOINT = engine.endpoint
    connection.reset()
    yield engine
    settings.DYNAMODB_ENDPOINT = engine.endpoint
    connection.reset()
    for spec in tables.specs():
        _empty(spec.name, [key.name for key in spec.keys])


def _empty(table_name: str, key_names: list[str]) -> None:
    while items := control.request("Scan", TableName=table_name)["Items"]:
        for first in range(0, len(items), 25):
            deletes = [
                {"DeleteRequest": {"Key": {name: item[name] for name in key_names}}}
                for item in items[first : first + 25]
            ]
            control.request("BatchWriteItem", RequestItems={table_name: deletes})


@pytest.fixture(scope="session")
def alice() -> Actor:
    return Actor(sub="alice-sub", name="Alice Ahrens")


@pytest.fixture(scope="session")
def bob() -> Actor:
    return Actor(sub="bob-sub", name="Bob Brandt")
