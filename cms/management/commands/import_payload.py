"""`manage.py import_payload`: import an export of Payload CMS."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from cms.payload.importer import Importer
from cms.payload.kinds import KINDS
from cms.payload.plan import plan_of
from cms.payload.report import Report
from cms.payload.source import Export, Unreadable
from cms.payload.verification import verify
from core.club import queries as club
from core.dynamo.errors import DataError
from core.dynamo.management.base import OperatorCommand, with_progress

REPORT = "import-report.txt"


class Command(OperatorCommand):
    help = (
        "Import an export of Payload: a file of JSON for each collection and the folder “media”. Whatever is "
        "there already is left alone, so an import that was interrupted is simply run again. What could not "
        "be carried is listed for each document. docs/migration.md tells how to make an export."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, metavar="DIR", help="The folder with the export.")
        parser.add_argument("--dry-run", action="store_true", help="Only tell what would be done.")
        parser.add_argument(
            "--verify-only", action="store_true", help="Only compare what is here with the export."
        )
        parser.add_argument(
            "--only",
            nargs="+",
            metavar="COLLECTION",
            choices=[kind.collection for kind in KINDS],
            help="These collections only; those that they refer to should be there.",
        )
        parser.add_argument(
            "--report", type=Path, metavar="FILE", help=f"Where the report goes, instead of DIR/{REPORT}."
        )
        parser.add_argument(
            "--sample", type=int, default=20, help="How many records of each collection are compared (20)."
        )
        parser.add_argument("--seed", type=int, help="Compare the same records again.")

    def handle(self, *, folder: Path, **options: Any) -> None:
        # The times of an export are in UTC; training and bookings are in the club's time zone.
        timezone.activate(club.current().zone)
        report = Report(is_dry_run=options["dry_run"])
        try:
            self._import(Export(folder), report, options)
        except Unreadable as error:
            raise CommandError(str(error)) from error
        except (DataError, KeyboardInterrupt):
            report.problems.append(
                "It was stopped before the end. Run it again: it goes on where it stopped."
            )
            self._tell(report, folder, options)
            raise
        self._tell(report, folder, options)
        if report.problems:
            raise CommandError("Not everything is here as it was there; see the problems above.")

    def _import(self, export: Export, report: Report, options: dict[str, Any]) -> None:
        kinds = [kind for kind in KINDS if not options["only"] or kind.collection in options["only"]]
        plan = plan_of(export, report)
        importer = Importer(
            plan,
            report,
            may_write=not options["dry_run"] and not options["verify_only"],
            absent="missing" if options["verify_only"] else "imported",
        )
        importer.run(kinds, with_progress)
        if not options["dry_run"]:
            verify(plan, kinds, report, sample=options["sample"], seed=options["seed"])

    def _tell(self, report: Report, folder: Path, options: dict[str, Any]) -> None:
        # A lone surrogate, which JSON allows but UTF-8 cannot encode, must not break the report.
        text = "\n".join(report.lines()).encode("utf-8", "backslashreplace").decode()
        self.stdout.write(text)
        path: Path | None = options["report"] or (None if options["dry_run"] else folder / REPORT)
        if path is not None:
            path.write_text(text + "\n", encoding="utf-8")
            self.stdout.write(f"\nThe report is in {path}.")
