"""Write every table into a folder."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from core.dynamo.backup import write_backup
from core.dynamo.management.base import OperatorCommand, with_progress


class Command(OperatorCommand):
    help = (
        "Write every table into a folder: one compressed file of JSON lines each, and a manifest with counts "
        "and checksums. For an exact moment stop the web servers first, or use point-in-time recovery."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, metavar="DIR", help="Where to; made if it is missing.")
        parser.add_argument("--overwrite", action="store_true", help="Replace the backup that is there.")

    def handle(self, *, folder: Path, overwrite: bool, **options: Any) -> None:
        manifest = write_backup(folder, overwrite=overwrite, track=with_progress)
        for table in manifest.tables:
            self.stdout.write(f"Table {table.spec.name}: {table.items} items.")
        self.stdout.write(f"{len(manifest.tables)} tables are in {folder}.")
