"""`manage.py publish`: apply the scheduled changes that are due."""

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.urls import get_resolver

from core.crud.scheduling import apply_due
from core.dynamo.management.base import OperatorCommand

OUTCOMES = {
    "applied": "published",
    "overtaken": "changed by somebody at this moment, left to the next run",
    "refused": "its editors have to publish it",
}


def load_resources() -> None:
    """Load the URLconf, and with it all resources."""
    get_resolver().check()


class Command(OperatorCommand):
    help = "Publish the changes that editors scheduled."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        due = actions.add_parser("due", help="Publish what is due. Run it every minute.")
        due.add_argument("--dry-run", action="store_true", help="Only tell; change nothing.")

    def handle(self, *, action: str, **options: Any) -> None:
        load_resources()
        done = apply_due(is_dry_run=options["dry_run"])
        self.report_outcomes(done, OUTCOMES, name_as="“{}”")
        if done.refused:
            raise CommandError(f"{len(done.refused)} changes could not be published.")
