"""Look after the stores: numbers, clearing, checking, cleaning up, moving from another store."""

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from sqlite3 import DatabaseError
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.core.cache import caches
from django.core.management.base import CommandError, CommandParser

from core.dynamo import tables
from core.dynamo.items import RawItem
from core.dynamo.maintenance import scan_items
from core.dynamo.management.base import ActionsCommand, with_progress
from core.stores import migrate
from core.stores.adaptive import AdaptiveRateLimitStore
from core.stores.cache import CacheStore, DynamoDBCache
from core.stores.config import StoreConfig
from core.stores.dedupe import DedupeStore
from core.stores.http.client import CLIENTS
from core.stores.interfaces import Limit
from core.stores.limits import LIMITERS
from core.stores.models import StoreItem
from core.stores.ratelimit import RateLimitStore
from core.stores.table import now_ms


class Command(ActionsCommand):
    help = "Numbers, clearing, checks and clean-up of the stores in DynamoDB, and moving from another store."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(
            dest="action", required=True, metavar="stats | clear | check | clean | copy"
        )
        actions.add_parser("stats", help="Count what the stores hold. Reads the whole table once.")
        clear = actions.add_parser("clear", help="Remove all cached values.")
        clear.add_argument("--prefix", default="", help="Only those whose key begins so.")
        clear.add_argument("--dry-run", action="store_true", help="Only tell how many there are.")
        actions.add_parser("check", help="Use each store once; exit 1 if one does not do what it should.")
        clean = actions.add_parser("clean", help="Remove what has expired; AWS does this itself.")
        clean.add_argument(
            "--forever", action="store_true", help="Again at each cleanup_interval_ms of the cache."
        )
        copy = actions.add_parser("copy", help="Copy what is live from another store.")
        source = copy.add_mutually_exclusive_group(required=True)
        source.add_argument("--from-table", help="Another store table.")
        source.add_argument("--from-sqlite", type=Path, help="The file of the original's SQLite store.")
        copy.add_argument("--to-table", default=StoreItem.Meta.table_name, help="Default: %(default)s")
        copy.add_argument("--dry-run", action="store_true", help="Only tell how many there are.")

    def do_stats(self, **_options: Any) -> None:
        cache, dedupe = CacheStore().stats(), DedupeStore().stats()
        self.stdout.write(
            f"Cache: {cache.total_items} values, {cache.expired_items} of them expired, "
            f"{cache.estimated_size_bytes:,} bytes."
        )
        self.stdout.write(
            f"Dedupe: {dedupe.total_jobs} jobs, {dedupe.pending_jobs} pending, {dedupe.completed_jobs} "
            f"completed, {dedupe.failed_jobs} failed, {dedupe.expired_jobs} expired."
        )
        kinds: defaultdict[str, list[str]] = defaultdict(list)
        for item in scan_items(TableName=StoreItem.Meta.table_name, ProjectionExpression="PK"):
            kind, _sign, name = item["PK"]["S"].partition("#")
            kinds[kind].append(name)
        # Limits are made where views use them, and nothing else has loaded those.
        import_module(settings.ROOT_URLCONF)
        limited = kinds["RATELIMIT"]
        self.stdout.write(f"Rate limits: {len(limited)} resources, {len(kinds['ADAPTIVE'])} adaptive.")
        for line in [*_limiter_lines(limited), *_client_lines(limited)]:
            self.stdout.write(line)
        self.stdout.write(f"Sessions: {len(kinds['SESSION'])}.")

    def do_clear(self, *, prefix: str, dry_run: bool, **_options: Any) -> None:
        store = CacheStore()
        count = store.count(prefix) if dry_run else store.clear(prefix)
        self.stdout.write(f"{count} cached values {'would be ' if dry_run else ''}removed.")

    def do_check(self, **_options: Any) -> None:
        spec = tables.spec_of(StoreItem.Meta.table_name)
        drifts = [line for line in tables.check_all() if line.startswith(f"Table {spec.name}:")]
        for name, works in [("Cache", _cache_works), ("Dedupe", _dedupe_works), ("Limits", _limits_work)]:
            started = time.monotonic()
            if not works():
                drifts.append(f"{name}: it does not do what it should.")
            self.stdout.write(f"{name}: {(time.monotonic() - started) * 1000:.0f} ms.")
        for drift in drifts:
            self.stdout.write(drift)
        if drifts:
            raise CommandError("The stores are not as they should be; see the lines above.")
        self.stdout.write("All stores work.")

    def do_clean(self, *, forever: bool, **_options: Any) -> None:
        of_django = _config_of_the_cache()
        if forever and of_django.cleanup_interval_ms == 0:
            raise CommandError("Regular clean-up is switched off: cleanup_interval_ms is 0.")
        while True:
            values = sum(CacheStore(config).clean_up() for config in {StoreConfig(), of_django})
            jobs = DedupeStore().clean_up()
            self.stdout.write(f"{values} expired values and {jobs} expired jobs removed.")
            if not forever:
                return
            time.sleep(of_django.cleanup_interval_ms / 1000)

    def do_copy(
        self,
        *,
        from_table: str | None,
        from_sqlite: Path | None,
        to_table: str,
        dry_run: bool,
        **_options: Any,
    ) -> None:
        items: Iterator[RawItem]
        if from_sqlite is not None:
            if not from_sqlite.is_file():
                raise CommandError(f"{from_sqlite}: there is no such file.")
            items = migrate.from_sqlite(from_sqlite, now=now_ms())
        else:
            if from_table == to_table:
                raise CommandError("Source and destination are the same table.")
            items = migrate.from_table(str(from_table), now=now_ms())
        try:
            found, copied = self.copy_items(items, to_table, dry_run=dry_run)
        except DatabaseError as error:
            raise CommandError(f"{from_sqlite}: this is not a store of the original ({error}).") from error
        self.stdout.write(
            f"{found} items would be copied."
            if dry_run
            else f"{copied} items copied, {found - copied} left because there is something newer."
        )

    def copy_items(self, items: Iterator[RawItem], to_table: str, *, dry_run: bool) -> tuple[int, int]:
        found = copied = 0
        for item in with_progress(items, to_table):
            found += 1
            copied += not dry_run and migrate.write_unless_live(item, to_table)
        return found, copied


def _limiter_lines(resources: Sequence[str]) -> Iterator[str]:
    for name, limiter in sorted(LIMITERS.items()):
        used = limiter.stats(resources)
        if used.active_resources:
            yield (
                f"- {name}: {used.total_requests} requests by {used.active_resources}, "
                f"of whom {used.rate_limited_resources} must wait."
            )


def _client_lines(resources: Sequence[str]) -> Iterator[str]:
    for name, client in sorted(CLIENTS.items()):
        if name in resources:
            used = client.limits.stats([name])
            yield (
                f"- {name}: {used.total_requests} of {client.limit.requests} requests, "
                f"{used.user_requests} by people and {used.background_requests} by jobs."
            )


def _config_of_the_cache() -> StoreConfig:
    """As CACHES configures Django's cache, which may lie in another table."""
    cache = caches["default"]
    return cache.config if isinstance(cache, DynamoDBCache) else StoreConfig()


def _cache_works() -> bool:
    store, key = CacheStore(), f"check {uuid4()}"
    store.set(key, [1, "two"], 60)
    found = store.get(key)
    return bool(found == [1, "two"] and store.delete(key) and store.get(key) is None)


def _dedupe_works() -> bool:
    store, hash = DedupeStore(lifetime_ms=1000, lease_ms=1000), f"check {uuid4()}"
    return bool(store.run(hash, lambda: "done") == "done" and store.wait_for(hash) == "done")


def _limits_work() -> bool:
    resource = f"check {uuid4()}"
    plain = RateLimitStore(default=Limit(1, 60_000))
    shared = AdaptiveRateLimitStore(default=Limit(10, 60_000))
    allowed = [plain.acquire(resource).allowed for _try in range(2)]
    # One name for every check: this item has no end.
    works = allowed == [True, False] and shared.recalculate("check").background_max == 5
    plain.reset(resource)
    return works
