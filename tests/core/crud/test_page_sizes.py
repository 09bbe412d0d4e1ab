"""How many bytes a list and a search send in production, before compression."""

from pathlib import Path

import pytest
from django.test import Client

from core.accounts import directory
from core.dynamo.actors import SYSTEM
from tests.cast import CAST
from tests.cms.filling import fill
from tests.core.dynamo.filling import stop_streams
from tests.static_files import collected  # noqa: F401

MOST_OF_A_LIST = 30_000
MOST_OF_A_SEARCH = 35_000


@pytest.fixture
def client_with_articles(as_role, collected: Path) -> Client:  # noqa: F811
    stop_streams()
    user = CAST["official"]
    directory.enter(user.sub, name=user.name, email=user.email, actor=SYSTEM)
    fill(0, 40)
    return as_role("admin")


@pytest.mark.parametrize(("address", "rows"), [("/cms/news/", 25), ("/cms/news/?q=spielbericht", 20)])
def test_a_full_list_is_small(client_with_articles: Client, address: str, rows: int) -> None:
    page = client_with_articles.get(address).content

    assert page.count(b'name="selected"') == rows
    assert len(page) <= MOST_OF_A_LIST


def test_a_search_with_20_hits_is_small(client_with_articles: Client) -> None:
    page = client_with_articles.get("/search?q=spielbericht").content

    assert page.count(b'id="records-') == 20
    assert len(page) <= MOST_OF_A_SEARCH
