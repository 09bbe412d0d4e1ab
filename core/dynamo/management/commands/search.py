"""`manage.py search rebuild`: write the search index anew."""

from typing import Any

from django.core.management.base import CommandParser

from core.dynamo.management.base import OperatorCommand, with_progress
from core.dynamo.reindex import rebuild


class Command(OperatorCommand):
    help = "Write the words of every record anew and remove words that lead nowhere. Safe while people work."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("action", choices=["rebuild"])
        parser.add_argument("--dry-run", action="store_true", help="Only count what would be done.")

    def handle(self, *args: Any, **options: Any) -> None:
        result = rebuild(with_progress, dry_run=options["dry_run"])
        would = "would be " if options["dry_run"] else ""
        self.stdout.write(
            f"{result.records} records {would}indexed, {result.removed} stray words {would}removed."
        )
