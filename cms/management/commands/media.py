"""`manage.py media check`: files without a record, and records without a file."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from cms.media import check
from core.dynamo.management.base import OperatorCommand, with_progress


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

        parser.add_argument(
            "--yes", action="store_true", help="With --repair: delete also when it is suspiciously much."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        checked = check.check(with_progress)
        found, repaired = len(checked.problems), 0
        is_refused = options["repair"] and checked.is_suspicious and not options["yes"]
        is_repairing = options["repair"] and not options["dry_run"] and not is_refused
        for problem in checked.problems:
            is_repaired = is_repairing and problem.repair()
            repaired += is_repaired
            self.stdout.write(f"{problem}{': repaired' if is_repaired else ''}.")
        if is_refused:
            raise CommandError(
                f"Nothing was repaired: of {checked.files} files, suspiciously many belong to no record. Do "
                "these tables belong to this bucket? If they do, say --yes."
            )
        if found == 0:
            self.stdout.write("All files and records belong together.")
        elif repaired < found:
            raise CommandError(f"{found - repaired} of {found} problems are left.")
        else:
            self.stdout.write(f"{repaired} problems were repaired.")
