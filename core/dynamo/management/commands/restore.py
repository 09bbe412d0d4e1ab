"""Write a backup back into the tables."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from core.dynamo.backup import read_manifest, restore, verify
from core.dynamo.management.base import OperatorCommand, with_progress


class Command(OperatorCommand):
    help = (
        "Write a backup back into the tables. The whole backup is verified before anything is written. "
        "If it is interrupted, give the same command again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, metavar="DIR", help="Where `manage.py backup` wrote to.")
        parser.add_argument("--dry-run", action="store_true", help="Only verify the backup.")
        parser.add_argument(
            "--into-non-empty",
            action="store_true",
            help="Also write into tables that hold items: those in the backup are replaced, others stay.",
        )

    def handle(self, *, folder: Path, dry_run: bool, into_non_empty: bool, **options: Any) -> None:
        manifest = read_manifest(folder)
        verify(folder, manifest)
        self.stdout.write(f"The backup of {manifest.made_at} is whole.")
        if dry_run:
            for table in manifest.tables:
                self.stdout.write(f"Table {table.spec.name}: {table.items} items would be restored.")
            return
        for line in restore(folder, manifest, into_non_empty=into_non_empty, track=with_progress):
            self.stdout.write(line)
