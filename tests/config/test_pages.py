"""The health answers and the error pages."""

import re

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from config.engines.dynoxide import Dynoxide
from core.dynamo import metering


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
    response = client.get("/no/such-page")

    assert response.status_code == 404
    page = response.content.decode()
    assert "<title>Not found · Fieldhouse</title>" in page
    assert "This page does not exist or was removed." in page
    assert "To the home page" in page


def test_htmx_comes_without_the_debug_script_that_replaces_the_page_by_an_error(
    client: Client, settings: Settings
) -> None:
    settings.DEBUG = True
    page = client.get("/auth/signed-in-again").content.decode()

    assert re.findall(r'src="/static/(django_htmx/[^"]*)"', page) == ["django_htmx/htmx-2.min.js"]
