"""The first page, the health answers and the error pages."""

from collections.abc import Callable

import pytest
from django.test import Client

from config.engines.dynoxide import Dynoxide
from dynamo import metering
from dynamo.actors import SYSTEM
from dynamo.attributes import now
from dynamo.history import entry
from dynamo.transactions import Transaction


def test_the_first_page_shows_what_happened_lately(as_role: Callable[[str], Client]) -> None:
    client = as_role("admin")
    transaction = Transaction()
    transaction.add(
        entry(
            entity="user",
            key="1",
            scope="admin",
            label="Ada Lind",
            verb="invite",
            actor=SYSTEM,
            at=now(),
            fields=[],
            before={},
        )
    )
    transaction.commit()

    with metering.metered() as meter:
        response = client.get("/")

    assert response.status_code == 200
    assert "Fieldhouse · invite · Ada Lind" in response.content.decode()
    assert meter.operations == ["GetItem", "Query"]


def test_the_first_page_says_so_when_nothing_happened(as_role: Callable[[str], Client]) -> None:
    assert "Nothing yet." in as_role("member").get("/").content.decode()


def test_what_administrators_did_is_shown_to_administrators_only(as_role: Callable[[str], Client]) -> None:
    client = as_role("member")

    with metering.metered() as meter:
        client.get("/")

    assert meter.operations == ["GetItem"]


def test_healthz_answers_without_dynamodb(client: Client) -> None:
    with metering.metered() as meter:
        response = client.get("/healthz")

    assert (response.status_code, response.content, meter.requests) == (200, b"ok\n", 0)


def test_readyz_answers_after_one_read(client: Client, db: Dynoxide) -> None:
    with metering.metered() as meter:
        response = client.get("/readyz")

    assert (response.status_code, response.content) == (200, b"ready\n")
    assert meter.operations == ["GetItem"]


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize("address", ["/healthz", "/readyz"])
def test_load_balancers_that_ask_by_ip_address_are_answered(client: Client, address: str) -> None:
    by_ip = {"Host": "10.0.3.7:8000"}

    assert client.get(address, headers=by_ip).status_code == 200
    assert client.post(address, headers=by_ip).status_code == 405
    assert client.get("/", headers=by_ip).status_code == 400


def test_an_unknown_address_is_a_plain_page(client: Client) -> None:
    response = client.get("/no-such-page")

    assert response.status_code == 404
    assert "There is no such page" in response.content.decode()
