"""What several tests of the club's content need."""

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial

import pytest

from cms.sams import client, drift, logos
from core.stores.http import HttpClient
from tests.cms.sams import server as sams_server
from tests.cms.sams.server import Sams


@pytest.fixture
def sams(db, settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sams]:
    """A SAMS on loopback that this site is set up for."""
    on_loopback = partial(HttpClient, may_connect=lambda address: address.is_loopback)
    for module in (client, logos, drift):
        monkeypatch.setattr(module, "HttpClient", on_loopback)
    with sams_server.running() as server:
        settings.SAMS_BASE_URL = f"{server.origin}/api/v2"
        settings.SAMS_API_KEY = sams_server.KEY
        settings.SAMS_CLUB = "vc-beispielstadt"
        settings.SAMS_ASSOCIATION = sams_server.ASSOCIATION_NAME
        settings.SAMS_ASSOCIATION_UUID = sams_server.ASSOCIATION
        settings.SAMS_LOGO_ORIGINS = []
        yield server
        for made in (client._made, logos._made):
            made.cache_clear()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[datetime], None]:
    """Lets the application believe that it is another moment, as far as news are concerned."""

    def set_to(moment: datetime) -> None:
        for module in ("models", "repository", "resource", "rules"):
            monkeypatch.setattr(f"cms.news.{module}.now", lambda: moment)

    return set_to
