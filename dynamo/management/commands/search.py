"""`manage.py search rebuild`: write the search index anew."""

from collections.abc import Iterable
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from dynamo.errors import DataError
from dynamo.reindex import rebuild


class Command(BaseCommand):
    help = "Write the words of every record anew and remove words that lead nowhere. Safe while people work."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("action", choices=["rebuild"])
        parser.add_argument("--dry-run", action="store_true", help="Only count what would be done.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            result = rebuild(_progress, dry_run=options["dry_run"])
        except DataError as error:
            raise CommandError(str(error)) from error
        would = "would be " if options["dry_run"] else ""
        self.stdout.write(
            f"{result.records} records {would}indexed, {result.removed} stray words {would}removed."
        )


def _progress(steps: Iterable[Any], name: str) -> Iterable[Any]:
    return tqdm(steps, desc=name, unit="", disable=None)
