"""What several tests of scouting need."""

from collections.abc import Iterator
from functools import partial

import pytest

from core.stores.http import HttpClient
from core.stores.table import now_ms
from scouting.tba import client
from tests.scouting import tba_server
from tests.scouting.tba_server import Tba


@pytest.fixture
def tba(db, settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Tba]:
    """A Blue Alliance on loopback that this site is set up for."""
    with tba_server.running() as server:
        on_loopback = partial(
            HttpClient,
            may_connect=lambda address: address.is_loopback,
            clock=lambda: now_ms() + server.later_ms,
        )
        monkeypatch.setattr(client, "HttpClient", on_loopback)
        settings.TBA_BASE_URL = f"{server.origin}/api/v3"
        settings.TBA_KEY = tba_server.KEY
        yield server
        client._made.cache_clear()
