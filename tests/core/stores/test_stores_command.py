"""`manage.py stores`: numbers, clearing, checks, clean-up, and moving from another store."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from pytest_django import Settings

from cms.sams.client import OUTBOUND
from config.engines.dynoxide import Dynoxide
from core.accounts.limits import BEGUN
from core.dynamo import maintenance, tables
from core.dynamo.attributes import wrap
from core.stores.adaptive import AdaptiveRateLimitStore
from core.stores.cache import CacheStore
from core.stores.config import StoreConfig
from core.stores.dedupe import DedupeStore
from core.stores.http import HttpClient
from core.stores.interfaces import Limit
from core.stores.limits import Limiter
from core.stores.management.commands import stores as command
from core.stores.models import StoreItem
from core.stores.ratelimit import RateLimitStore
from core.stores.table import key_of, now_ms
from tests.cast import CAST, session_of

pytestmark = pytest.mark.usefixtures("db")
TABLE = StoreItem.Meta.table_name
HOUR_MS = 3_600_000


def run(*arguments: Any) -> str:
    output = StringIO()
    call_command("stores", *arguments, stdout=output)
    return output.getvalue()


@pytest.fixture
def other_table(db: Dynoxide) -> Iterator[str]:
    name = "another-store-table"
    spec = tables.spec_of(TABLE)
    if name not in tables.existing_names():
        maintenance.request("CreateTable", **(tables.create_request(spec) | {"TableName": name}))
        tables.wait_until_active(name)
    yield name
    maintenance.request("DeleteTable", TableName=name)


def test_stats_count_what_each_store_holds() -> None:
    CacheStore().set_many({"a": "x", "b": "y"}, 60)
    dedupe = DedupeStore()
    dedupe.complete("done", 1, job_id=dedupe.register("done"))
    dedupe.register("pending")
    RateLimitStore(default=Limit()).acquire("api")
    session_of(CAST["member"])

    lines = run("stats").splitlines()
    assert lines[0].startswith("Cache: 2 values, 0 of them expired, ")
    assert lines[1:] == [
        "Dedupe: 2 jobs, 1 pending, 1 completed, 0 failed, 0 expired.",
        "Rate limits: 1 resources, 0 adaptive.",
        "Sessions: 1.",
    ]


def test_stats_tell_how_much_of_each_limit_is_used() -> None:
    limiter = Limiter("test", limit=2, seconds=60)
    for key in ("ada", "ada", "ada", "bob"):
        limiter.acquire(key)
    client = HttpClient("sams", origins=["https://sams.example"], limit=Limit(10, 60_000))
    for priority in ("user", "user", "background"):
        client.limits.acquire("sams", priority)

    assert run("stats").splitlines()[2:5] == [
        "Rate limits: 3 resources, 1 adaptive.",
        "- test: 3 requests by 2, of whom 1 must wait.",
        "- sams: 3 of 10 requests, 2 by people and 1 by jobs.",
    ]


def test_stats_know_the_limits_of_the_site_in_a_process_of_their_own() -> None:
    BEGUN.acquire("192.0.2.1")
    OUTBOUND.limits.acquire("sams", "user")
    done = subprocess.run(
        [sys.executable, "manage.py", "stores", "stats"],
        cwd=settings.BASE_DIR,
        env=os.environ | {"DYNAMODB_ENDPOINT": settings.DYNAMODB_ENDPOINT},
        capture_output=True,
        text=True,
        check=False,
    )

    assert [line for line in done.stdout.splitlines() if line.startswith("-")] == [
        "- sign-in: 1 requests by 1, of whom 0 must wait.",
        "- sams: 1 of 60 requests, 1 by people and 0 by jobs.",
    ], done.stderr


def test_clear_removes_cached_values_and_nothing_else() -> None:
    store = CacheStore()
    store.set_many({"page 1": 1, "page 2": 2, "other": 3}, 60)
    session_of(CAST["member"])

    assert run("clear", "--prefix", "page", "--dry-run") == "2 cached values would be removed.\n"
    assert run("clear", "--prefix", "page") == "2 cached values removed.\n"
    assert store.get_many(["page 1", "other"]) == {"other": 3}
    assert run("clear") == "1 cached values removed.\n"
    assert "Sessions: 1." in run("stats")


def test_check_uses_each_store_and_leaves_nothing_in_the_cache() -> None:
    assert run("check").splitlines()[-1] == "All stores work."
    assert CacheStore().count() == 0


def test_check_names_what_does_not_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CacheStore, "get", lambda store, hash: None)
    monkeypatch.setattr(tables, "check_all", lambda: [f"Table {TABLE}: it has no index.", "Table x: gone."])
    output = StringIO()
    with pytest.raises(CommandError, match="not as they should be"):
        call_command("stores", "check", stdout=output)

    assert f"Table {TABLE}: it has no index." in output.getvalue()
    assert "Cache: it does not do what it should." in output.getvalue()
    assert "Table x" not in output.getvalue()


def test_without_dynamodb_there_is_one_sentence(own_engine: Dynoxide) -> None:
    own_engine.stop()
    with pytest.raises(CommandError, match="cannot be reached"):
        run("check")
    own_engine.restart()


def test_clean_removes_what_has_expired() -> None:
    earlier = now_ms() - HOUR_MS
    CacheStore(clock=lambda: earlier).set("old", 1, 60)
    DedupeStore(clock=lambda: earlier).register("old")
    CacheStore().set("new", 1, 60)

    assert run("clean") == "1 expired values and 1 expired jobs removed.\n"
    assert run("clean") == "0 expired values and 0 expired jobs removed.\n"


@pytest.mark.parametrize(("options", "seconds"), [({}, 300), ({"cleanup_interval_ms": 60_000}, 60)])
def test_clean_goes_on_for_ever_as_often_as_the_cache_is_configured_to(
    options: dict[str, Any], seconds: int, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CACHES = {"default": {"BACKEND": "core.stores.cache.DynamoDBCache", "OPTIONS": options}}
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(command.time, "sleep", pause)
    with pytest.raises(CommandError, match="Stopped"):
        run("clean", "--forever")
    assert pauses == [seconds, seconds]


def test_clean_does_not_go_on_where_regular_clean_up_is_off(settings: Settings) -> None:
    options = {"cleanup_interval_ms": 0}
    settings.CACHES = {"default": {"BACKEND": "core.stores.cache.DynamoDBCache", "OPTIONS": options}}

    with pytest.raises(CommandError, match="cleanup_interval_ms is 0"):
        run("clean", "--forever")
    assert run("clean") == "0 expired values and 0 expired jobs removed.\n"


def test_clean_looks_after_the_table_of_the_cache(other_table: str, settings: Settings) -> None:
    settings.CACHES = {"default": {"BACKEND": "core.stores.cache.DynamoDBCache", "LOCATION": other_table}}
    earlier = now_ms() - HOUR_MS
    CacheStore(StoreConfig(table_name=other_table), clock=lambda: earlier).set("old", 1, 60)
    DedupeStore(clock=lambda: earlier).register("old")

    assert run("clean") == "1 expired values and 1 expired jobs removed.\n"


# --- copy


def test_live_items_of_another_table_are_copied_and_nothing_newer_is_lost(other_table: str) -> None:
    there, here = CacheStore(StoreConfig(table_name=other_table)), CacheStore()
    there.set_many({"a": "theirs", "b": [1]}, 60)
    there.set("over", 1, 0)
    there.set("ever", 5, None)
    RateLimitStore(StoreConfig(table_name=other_table), default=Limit(1)).acquire("api")
    here.set("a", "ours", 60)

    assert run("copy", "--from-table", other_table, "--dry-run") == "4 items would be copied.\n"
    assert here.get("b") is None
    done = run("copy", "--from-table", other_table)
    assert done == "3 items copied, 1 left because there is something newer.\n"
    assert here.get_many(["a", "b", "over", "ever"]) == {"a": "ours", "b": [1], "ever": 5}
    assert RateLimitStore(default=Limit(1)).acquire("api").allowed is False
    assert here.clear() == 3, "copies are in the index too"


def test_a_table_of_the_original_package_is_understood(other_table: str) -> None:
    ends = now_ms() // 1000 + 3600
    shares = {"userRequestCount": 1, "backgroundRequestCount": 2, "lastCalculation": 1}
    shares |= {"backgroundPaused": False, "activityLevel": "low", "reason": "initial"}
    rows: dict[tuple[str, str], dict[str, Any]] = {
        ("CACHE#text", "DATA"): {"value": json.dumps({"name": "Batman"}), "createdAt": 1},
        ("CACHE#map", "DATA"): {"value": {"name": "Batman", "issues": [1, 1.5, None]}, "createdAt": 1},
        ("CACHE#number", "DATA"): {"value": 7, "createdAt": 1},
        ("CACHE#nothing", "DATA"): {"createdAt": 1},
        ("RATELIMIT#api", "REQ#1#uuid"): {"createdAt": 1},
        ("DEDUPE#abc", "JOB#1"): {"status": "pending"},
    }
    for (pk, sk), data in rows.items():
        row = key_of(pk, sk) | {"TTL": {"N": str(ends)}, "Data": wrap(data)}
        maintenance.request("PutItem", TableName=other_table, Item=row)
    meta = key_of("ADAPTIVE#sams", "META") | {"Data": wrap(shares)}
    maintenance.request("PutItem", TableName=other_table, Item=meta)

    assert run("copy", "--from-table", other_table).startswith("3 items copied")
    copied = {"text": {"name": "Batman"}, "map": {"name": "Batman", "issues": [1, 1.5, None]}, "number": 7}
    assert CacheStore().get_many([*copied, "nothing"]) == copied
    assert CacheStore(clock=lambda: ends * 1000).get_many(copied) == {}
    assert AdaptiveRateLimitStore().acquire("sams").allowed, "its shares are calculated anew"


def test_what_is_being_computed_is_not_copied(other_table: str) -> None:
    def compute() -> str:
        return run("copy", "--from-table", TABLE, "--to-table", other_table)

    assert CacheStore().get_or_compute("key", compute, 60).startswith("0 items copied")


def test_sessions_stay_where_people_are_signed_in(other_table: str) -> None:
    session_of(CAST["member"])

    assert run("copy", "--from-table", TABLE, "--to-table", other_table).startswith("0 items copied")


def test_the_sqlite_store_of_the_original_is_understood(tmp_path: Path) -> None:
    file = tmp_path / "store.sqlite"
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE cache (hash TEXT, value BLOB, expires_at INT, created_at INT)")
        rows = [
            ("blob", json.dumps({"a": 1}).encode(), now_ms() + HOUR_MS, now_ms()),
            ("text", json.dumps("x"), now_ms() + HOUR_MS, now_ms()),
            ("over", "1", now_ms() - 1, now_ms()),
        ]
        database.executemany("INSERT INTO cache VALUES (?, ?, ?, ?)", rows)
    database.close()

    assert run("copy", "--from-sqlite", file).startswith("2 items copied")
    assert CacheStore().get_many(["blob", "text", "over"]) == {"blob": {"a": 1}, "text": "x"}


def test_a_source_that_is_none_is_one_sentence(tmp_path: Path) -> None:
    no_store = tmp_path / "no-store"
    no_store.write_text("no database at all, but long enough to be looked at as one")
    for arguments, sentence in (
        (("--from-sqlite", tmp_path / "missing"), "no such file"),
        (("--from-sqlite", no_store), "not a store"),
        (("--from-table", TABLE), "same table"),
        (("--from-table", "no-such-table"), "ResourceNotFound"),
    ):
        with pytest.raises(CommandError, match=sentence):
            run("copy", *arguments)
