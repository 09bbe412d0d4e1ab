"""One real DynamoDB engine per test worker, with tables that are empty at the start of every test."""

import os
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import hypothesis
import pytest
from django.test import Client
from django.utils import translation

from cms.site.menu import own_pages
from config import messages
from config.engines.dynoxide import Dynoxide
from core.club import queries as club
from core.dynamo import connection, maintenance, tables
from core.dynamo.actors import Actor
from core.dynamo.faults import FaultProxy
from core.stores.http.client import CLIENTS
from core.stores.limits import LIMITERS
from core.stores.refusal_cache import RefusalCache
from scouting.events.directory import team_directory
from scouting.settings import services as season
from tests import engine_tables
from tests.cast import sign_in
from tests.connecting import close_all, connected_to
from tests.marked_german import _marked_texts, marked_german  # noqa: F401
from tests.media_bucket import bucket, bucket_engine  # noqa: F401
from tests.the_club import the_club

T = TypeVar("T")

# Linux keeps what is in this folder in memory.
IN_MEMORY = Path("/dev/shm")  # noqa: S108

# New examples are tried in every run, so fewer of them in each still find what there is to find.
hypothesis.settings.register_profile("quick", max_examples=50, deadline=None)
hypothesis.settings.load_profile("quick")

messages.compile_stale()


def pytest_unconfigure() -> None:
    close_all()
    engine_tables.close_all()


@pytest.fixture(scope="session")
def memory_folder() -> Iterator[Path]:
    """For the files of engines: what is written there costs no disk."""
    with TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def engine(memory_folder: Path) -> Iterator[Dynoxide]:
    """A real engine in which every table exists."""
    if os.environ.get("TEST_ON_AWS"):
        pytest.skip("This test needs a local engine.")
    with Dynoxide(db_path=memory_folder / "dynamodb.sqlite") as running, connected_to(running.endpoint):
        engine_tables.make(running)
        yield running


@pytest.fixture(scope="session")
def _file_with_tables(memory_folder: Path) -> Path:
    """What an engine of a test's own begins with: making the tables takes longer than most tests."""
    with Dynoxide(db_path=memory_folder / "making.sqlite") as maker:
        engine_tables.make(maker)
        return engine_tables.copy_to(memory_folder / "made.sqlite", maker)


@pytest.fixture(scope="session")
def _kept_engine(memory_folder: Path) -> Iterator[Dynoxide]:
    """It keeps its port from test to test, so that clients of its address are made once."""
    with Dynoxide(db_path=memory_folder / "own.sqlite") as running:
        yield running


@pytest.fixture(scope="session")
def _other_kept_engine(memory_folder: Path) -> Iterator[Dynoxide]:
    with Dynoxide(db_path=memory_folder / "other.sqlite") as running:
        yield running


@pytest.fixture(scope="session")
def _kept_streaming_engine(memory_folder: Path) -> Iterator[Dynoxide]:
    with Dynoxide(db_path=memory_folder / "streaming.sqlite", can_sweep=True) as running:
        yield running


@pytest.fixture(scope="session")
def aws() -> Iterator[None]:
    """Tables in real AWS, removed at the end: `make test-aws`."""
    list(tables.ensure_tables(tables.specs()))
    yield
    for spec in tables.specs():
        maintenance.request("UpdateTable", TableName=spec.name, DeletionProtectionEnabled=False)
        tables.wait_until_active(spec.name)
        maintenance.request("DeleteTable", TableName=spec.name)


@pytest.fixture
def db(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Dynoxide | None]:
    """Empty tables in the engine, or in real AWS; what a test leaves is removed after it."""
    if os.environ.get("TEST_ON_AWS"):
        request.getfixturevalue("aws")
        monkeypatch.setattr(connection.SharedConnection, "_send", _send_strongly)
        yield None
        _empty_tables_on_aws()
    else:
        engine = request.getfixturevalue("engine")
        with connected_to(engine.endpoint):
            yield engine
        engine_tables.empty(engine)


_send = connection.SharedConnection._send


def _send_strongly(
    shared: connection.SharedConnection, operation: str, request: dict[str, Any]
) -> dict[str, Any]:
    """Tests look at what they have just written, so in AWS their reads of tables must not lag."""
    if operation == "GetItem" or (operation == "Query" and "IndexName" not in request):
        request = request | {"ConsistentRead": True}
    return _send(shared, operation, request)


@pytest.fixture
def own_engine(_kept_engine: Dynoxide, _file_with_tables: Path) -> Iterator[Dynoxide]:
    """A durable engine of one test's own, to be stopped, killed or filled."""
    engine_tables.restart_with(_file_with_tables, _kept_engine)
    with connected_to(_kept_engine.endpoint):
        connection.warm()
        yield _kept_engine


@pytest.fixture
def bare_engine(_kept_engine: Dynoxide) -> Dynoxide:
    """One without tables."""
    engine_tables.restart_with(None, _kept_engine)
    return _kept_engine


@pytest.fixture
def other_bare_engine(_other_kept_engine: Dynoxide) -> Dynoxide:
    engine_tables.restart_with(None, _other_kept_engine)
    return _other_kept_engine


@pytest.fixture
def streaming(_kept_streaming_engine: Dynoxide, _file_with_tables: Path) -> Iterator[Dynoxide]:
    """An engine whose streams begin with the test, and that removes what has expired when it is told to."""
    engine_tables.restart_with(_file_with_tables, _kept_streaming_engine)
    with connected_to(_kept_streaming_engine.endpoint):
        yield _kept_streaming_engine


@pytest.fixture
def proxy(db: Dynoxide) -> Iterator[FaultProxy]:
    """The engine behind a fault proxy that at first lets everything through."""
    with FaultProxy(db.endpoint, seed=7) as running, connected_to(running.endpoint):
        connection.warm()
        yield running


def _empty_tables_on_aws() -> None:
    for spec in tables.specs():
        names = [key.name for key in spec.keys]
        while items := maintenance.request("Scan", TableName=spec.name)["Items"]:
            for item in items:
                key = {name: item[name] for name in names}
                maintenance.request("DeleteItem", TableName=spec.name, Key=key)


@pytest.fixture(autouse=True)
def _only_the_sites_own_limits_and_clients() -> Iterator[None]:
    """The dashboard lists what was made in the process; a test must not find what another made or used up."""
    # The site's own are made when its views are first imported, which may be within a test.
    import_module("config.urls")
    registries: list[dict[str, Any]] = [LIMITERS, CLIENTS]
    before = [dict(registry) for registry in registries]
    yield
    for registry, kept in zip(registries, before, strict=True):
        registry.clear()
        registry.update(kept)
    for limiter in LIMITERS.values():
        limiter._store._refusals = RefusalCache()


@pytest.fixture(autouse=True)
def _no_season_of_another_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the process keeps for half a minute lasts for one test, however slow the machine is."""
    for kept in (season._season, team_directory, own_pages):
        monkeypatch.setattr(kept, "_seconds", 3600)
        kept.forget()


@pytest.fixture(autouse=True)
def _no_club_of_another_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(club._kept, "_seconds", 3600)
    the_club()


@pytest.fixture(autouse=True)
def _no_language_of_another_test() -> None:
    """A request leaves its language to the thread."""
    translation.activate("en")


@pytest.fixture(scope="session")
def _fillings() -> dict[Callable[[], Any], tuple[Path, Any]]:
    return {}


@pytest.fixture
def filled_once(
    db: Dynoxide, memory_folder: Path, _fillings: dict[Callable[[], Any], tuple[Path, Any]]
) -> Callable[[Callable[[], T]], T]:
    """`filled_once(make)` calls `make` with empty tables the first time; later its records are copied back.

    What it answers is the same each time, so a test must not change that.
    """

    def fill(make: Callable[[], T]) -> T:
        if make in _fillings:
            engine_tables.fill_from(_fillings[make][0], db)
        else:
            made = make()
            path = engine_tables.copy_to(memory_folder / f"filling-{len(_fillings)}.sqlite", db)
            _fillings[make] = path, made
        answer: T = _fillings[make][1]
        return answer

    return fill


@pytest.fixture(scope="session")
def alice() -> Actor:
    return Actor(sub="alice-sub", name="Alice Ahrens")


@pytest.fixture(scope="session")
def bob() -> Actor:
    return Actor(sub="bob-sub", name="Bob Brandt")


@pytest.fixture
def as_role(db: Dynoxide | None, client: Client) -> Callable[[str], Client]:
    """The test client, signed in as one of the cast: `as_role("admin").get("/desk/")`."""
    return lambda role: sign_in(client, role)
