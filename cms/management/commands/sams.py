"""`manage.py sams`: sync with SAMS, check its API, and import files of its older XML interface."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from tqdm import tqdm

from cms.sams import client, drift, leagues, legacy_xml, services
from cms.sams.services import FAILED, run_now
from core.dynamo.attributes import now
from core.dynamo.management.base import OperatorCommand

SYNCS = {
    f"sync-{services.CLUBS}": "Bring the clubs of the association up to date; once a week.",
    f"sync-{services.TEAMS}": "Bring our teams of this season and their results up to date; once a day.",
    f"sync-{services.RESULTS}": "Bring tables and matches of our teams up to date; as often as you like.",
}


class Command(OperatorCommand):
    help = "Sync clubs, teams and results with SAMS, or check what it answers."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(
            dest="action", required=True, metavar=" | ".join([*SYNCS, "check", "import"])
        )
        for name, about in SYNCS.items():
            action = actions.add_parser(name, help=about)
            action.add_argument("--dry-run", action="store_true", help="Ask SAMS, but write nothing.")
        actions.add_parser("check", help="Tell what differs from what we expect; exit 1 if something broke.")
        files = actions.add_parser("import", help="Store results that the older XML interface gave as files.")
        files.add_argument("league", help="The league's uuid.")
        files.add_argument("--matches", type=Path, help="A <matches> document.")
        files.add_argument("--rankings", type=Path, help="A <rankings> document.")
        files.add_argument("--dry-run", action="store_true", help="Only tell how much is in them.")

    def handle(self, *, action: str, **options: Any) -> None:
        match action:
            case "check":
                self.check_api()
            case "import":
                self.import_files(options)
            case _:
                self.sync(action.removeprefix("sync-"), dry_run=options["dry_run"])

    def sync(self, kind: str, *, dry_run: bool) -> None:
        with tqdm(desc=kind, disable=None) as bar:

            def show(done: int, total: int) -> None:
                bar.total = total
                bar.update(done - bar.n)

            run = run_now(kind, started_by="manage.py", progress=show, dry_run=dry_run)
        if run.state == FAILED:
            raise CommandError(run.message)
        if run.message:
            self.stdout.write(run.message)
        counts = ", ".join(f"{number} {name}" for name, number in run.counts.items())
        self.stdout.write(f"{kind}: {counts}{' (dry run: nothing was written)' if dry_run else ''}.")

    def check_api(self) -> None:
        found = list(drift.findings(client.current().for_sync()))
        for finding in found:
            self.stdout.write(f"{finding.state:<12}{finding.text}")
        if any(finding.state == "broken" for finding in found):
            raise CommandError("SAMS is not what this release expects.")

    def import_files(self, options: dict[str, Any]) -> None:
        matches = legacy_xml.matches(options["matches"].read_bytes()) if options["matches"] else []
        rankings = legacy_xml.rankings(options["rankings"].read_bytes()) if options["rankings"] else []
        if not options["dry_run"]:
            stored = leagues.stored_league(options["league"])
            leagues.store_results(options["league"], matches, rankings, as_of=now(), stored=stored)
        self.stdout.write(f"{len(matches)} matches and {len(rankings)} lines of the table.")
