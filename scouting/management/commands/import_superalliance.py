"""`manage.py import_superalliance`: import the forms of SuperAlliance."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from core.dynamo.management.base import OperatorCommand, with_progress
from scouting.superalliance.documents import COLLECTIONS, Unreadable, files
from scouting.superalliance.importer import Importer

# The current names of the collections in SuperAlliance.
FILES = ", ".join(f"{names[0]}.json" for names in COLLECTIONS.values())


class Command(OperatorCommand):
    help = (
        f"Import exports of SuperAlliance's MongoDB, made with mongoexport: {FILES}; those that are missing "
        "are left out. Whatever is there already is left alone, so it can be repeated. It ends with 1 if a "
        "document could not be converted, or is not as it was sent."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, metavar="DIR", help="The folder with the exports.")
        parser.add_argument(
            "--year", type=int, help="The year of all event codes; otherwise that in which a form was sent."
        )
        parser.add_argument("--dry-run", action="store_true", help="Only tell what would be done.")

    def handle(self, *, folder: Path, year: int | None, dry_run: bool, **_options: Any) -> None:
        if not any(files(folder, collection) for collection in COLLECTIONS):
            raise CommandError(f"{folder} has none of {FILES}.")
        try:
            report = Importer(folder, year=year, may_write=not dry_run, progress=with_progress).run()
        except Unreadable as error:
            raise CommandError(str(error)) from error
        self.stdout.write("\n".join(report.lines()))
        if report.problems:
            raise CommandError("Not everything is here as it was there; see the problems above.")
        if report.refused:
            raise CommandError(f"Documents that could not be converted: {len(report.refused)}; see above.")
