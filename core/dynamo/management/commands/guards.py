"""`manage.py guards repair`: release what records left behind whose end no worker saw."""

from typing import Any

from django.core.management.base import CommandParser

from core.dynamo.management.base import OperatorCommand, with_progress
from core.dynamo.repair import repair


class Command(OperatorCommand):
    help = (
        "Release unique values and references whose record is gone, and count anew how often records are "
        "used. For the time after a stream was not read for a day, once its worker has caught up. Safe "
        "while people work."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("action", choices=["repair"])
        parser.add_argument("--dry-run", action="store_true", help="Only count what would be done.")

    def handle(self, *args: Any, **options: Any) -> None:
        result = repair(with_progress, dry_run=options["dry_run"])
        would = "would be " if options["dry_run"] else ""
        self.stdout.write(
            f"{result.guards} unique values {would}released, {result.references} references {would}removed, "
            f"{result.counts} counts {would}corrected."
        )
