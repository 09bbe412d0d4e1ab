"""Tables, proxies and engines that one test may spoil, and records for a search."""

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from config.engines.dynoxide import Dynoxide
from core.dynamo import tables
from core.dynamo.actors import Actor
from core.dynamo.faults import FaultProxy
from core.dynamo.streams import failures, handlers
from core.dynamo.support_table import SupportItem
from tests.core.dynamo.fault_clients import connect, make_table_of_pages
from tests.core.dynamo.library import Article, Picture, articles, pictures


@pytest.fixture(scope="module")
def direct(engine: Dynoxide) -> Any:
    return connect(engine.endpoint)


@pytest.fixture
def table(direct: Any) -> Iterator[str]:
    """A table of pages by id, listed by status in an index."""
    name = f"faults-{uuid.uuid4().hex}"
    make_table_of_pages(direct, name)
    yield name
    direct.delete_table(TableName=name)


@pytest.fixture
def fault_proxy(engine: Dynoxide) -> Iterator[FaultProxy]:
    with FaultProxy(engine.endpoint, seed=1) as fault_proxy:
        yield fault_proxy


@pytest.fixture
def faulty_client(fault_proxy: FaultProxy) -> Any:
    return connect(fault_proxy.endpoint)


@pytest.fixture
def engine_to_back_up(bare_engine: Dynoxide, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Dynoxide:
    """An engine of its own with empty tables."""
    monkeypatch.setattr(tables, "all_models", lambda: iter([SupportItem, Article]))
    settings.DYNAMODB_ENDPOINT = bare_engine.endpoint
    list(tables.ensure_tables(tables.specs()))
    return bare_engine


@pytest.fixture
def folder(tmp_path: Path, engine_to_back_up: Dynoxide) -> Path:
    return tmp_path / "backup"


@pytest.fixture
def empty_engine(folder: Path, other_bare_engine: Dynoxide, settings: Any) -> Callable[[], Dynoxide]:
    """Switches to another engine that has no tables."""

    def switch() -> Dynoxide:
        settings.DYNAMODB_ENDPOINT = other_bare_engine.endpoint
        return other_bare_engine

    return switch


@pytest.fixture
def no_other_handlers(monkeypatch: pytest.MonkeyPatch) -> None:
    handlers.discover()
    monkeypatch.setattr(handlers, "_on", {})
    monkeypatch.setattr(handlers, "_when_gone", {})
    monkeypatch.setattr(failures, "FIRST_PAUSE", 0.001)


@pytest.fixture
def shelf(db: object, alice: Actor) -> None:
    for title in ("Sommerfest in Müllheim", "Sommercamp der Jugend", "Straßenfest", "Łódź grüßt São Paulo"):
        articles.create(Article(title=title), actor=alice)
    pictures.create(Picture(album="2026", number="1", caption="Sommer am See"), actor=alice)
