"""`manage.py media check`: files without a record, and records without a file."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from cms.media import checking
from dynamo.management.base import OperatorCommand, with_progress


class Command(OperatorCommand):
    help = (
        "Find files in the bucket that belong to no record, and records whose files are missing. Files "
        "younger than a day are left alone. Safe while people work."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("action", choices=["check"])
        parser.add_argument(
            "--repair",
            action="store_true",
            help="Delete files that belong to no record, and take missing copies out of records.",
        )
        parser.add_argument("--dry-run", action="store_true", help="With --repair: only tell what is wrong.")

    def handle(self, *args: Any, **options: Any) -> None:
        is_repairing = options["repair"] and not options["dry_run"]
        found = repaired = 0
        for problem in checking.problems(with_progress):
            found += 1
            is_repaired = is_repairing and problem.repair()
            repaired += is_repaired
            self.stdout.write(f"{problem}{': repaired' if is_repaired else ''}.")
        if found == 0:
            self.stdout.write("All files and records belong together.")
        elif repaired < found:
            raise CommandError(f"{found - repaired} of {found} problems are left.")
        else:
            self.stdout.write(f"{repaired} problems were repaired.")
