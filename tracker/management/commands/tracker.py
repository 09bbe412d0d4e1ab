"""The management command `tracker` with the actions purge and rebuild."""

from collections.abc import Iterable
from typing import Any

from django.core.management.base import CommandError, CommandParser

from core.dynamo.management.base import OperatorCommand, with_progress
from tracker import repository
from tracker.people.purge import purge
from tracker.statistics.rebuild import checks, repair, team_ids

PURGED = {
    "teams": "team purged; its figures stay",
    "people": "person purged; the figures stay without a name",
    "overtaken": "changed by somebody meanwhile, left to the next run",
    "refused": "could not be purged",
}


class Command(OperatorCommand):
    help = "Keep the tracker in order."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        purging = actions.add_parser(
            "purge", help="Remove what is personal of teams and people deleted 30 days ago. Run it every day."
        )
        purging.add_argument("--dry-run", action="store_true", help="Only tell; change nothing.")
        rebuilding = actions.add_parser(
            "rebuild",
            help="Prove that box scores and counts are what was written down, and mend those that are not.",
        )
        rebuilding.add_argument("--team", metavar="ID", help="Only the games of this team.")
        rebuilding.add_argument("--dry-run", action="store_true", help="Only tell; change nothing.")

    def handle(self, *, action: str, **options: Any) -> None:
        getattr(self, action)(**options)

    def purge(self, *, dry_run: bool, **_options: Any) -> None:
        purged = purge(is_dry_run=dry_run)
        self.report_outcomes(purged, PURGED)
        if purged.refused:
            raise CommandError(f"{len(purged.refused)} could not be purged.")

    def rebuild(self, *, team: str | None, dry_run: bool, **_options: Any) -> None:
        teams: Iterable[str] = [repository.teams.of(team).id] if team else with_progress(team_ids(), "teams")
        checked = (each for team_id in teams for each in checks(team_id))
        wrong = mended = 0
        for finding in with_progress(checked, "games, box scores and players"):
            if finding is None:
                continue
            wrong += 1
            self.stdout.write(f"{finding}.")
            if not dry_run:
                mended += repair(finding)
        if not wrong:
            self.stdout.write("Every box score and every count is what was written down.")
        elif dry_run:
            raise CommandError(f"{wrong} of them are not what was written down.")
        else:
            self.stdout.write(f"{mended} of {wrong} mended.")
            if mended < wrong:
                raise CommandError("Somebody wrote in the others meanwhile. Run it again.")
