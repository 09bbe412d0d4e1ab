"""Delete the items whose time is over."""

import time
from itertools import islice
from typing import Any

from django.core.management.base import CommandError, CommandParser

from core.dynamo import tables
from core.dynamo.management.base import OperatorCommand, with_progress
from core.dynamo.sweep import delete_if_expired, expired_keys
from core.dynamo.tables import TableSpec


class Command(OperatorCommand):
    help = "Delete the items whose time is over. AWS does this itself; a local engine needs it now and then."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="Only count; delete nothing.")
        parser.add_argument("--limit", type=int, help="Take at most this many items in all.")

    def handle(self, *, dry_run: bool, limit: int | None, **options: Any) -> None:
        if limit is not None and limit < 1:
            raise CommandError("--limit must be at least 1.")
        now = int(time.time())
        left = limit
        for spec in tables.specs():
            if spec.ttl is not None:
                seen = self.sweep(spec, now=now, limit=left, dry_run=dry_run)
                left = None if left is None else left - seen

    def sweep(self, spec: TableSpec, *, now: int, limit: int | None, dry_run: bool) -> int:
        """Sweep one table; returns how many expired items were found."""
        seen = deleted = 0
        for key in with_progress(islice(expired_keys(spec, now=now), limit), spec.name):
            seen += 1
            deleted += not dry_run and delete_if_expired(spec, key, now=now)
        outcome = f"{seen} items have expired" if dry_run else f"{deleted} expired items deleted"
        self.stdout.write(f"Table {spec.name}: {outcome}.")
        return seen
