"""The sweep of due quests, and the audit of accounts against the ledger."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from core.dynamo.management.base import OperatorCommand, with_progress
from core.dynamo.reindex import records_of
from quests import repository
from quests.services.audit import audited
from quests.services.expiry import SweepResult, sweep

RESULT_LABELS = {
    "expired": "expired",
    "released": "released, because the claim was over",
    "completed": "completed, because both sides had confirmed",
    "stale": "held for long without a result",
    "overtaken": "changed by somebody meanwhile, left to the next run",
    "refused": "could not be changed",
}


class Command(OperatorCommand):
    help = "Keep the quest board in order."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        sweep_parser = actions.add_parser("sweep", help="End what is over. Run it every 15 minutes.")
        sweep_parser.add_argument("--dry-run", action="store_true", help="Only tell; change nothing.")
        actions.add_parser("audit", help="Compare every account, and its months, with its ledger.")

    def handle(self, *, action: str, **options: Any) -> None:
        if action == "sweep":
            self.report(sweep(is_dry_run=options["dry_run"]))
        else:
            self.audit()

    def report(self, result: SweepResult) -> None:
        self.report_outcomes(result, RESULT_LABELS, name_as="“{}”")
        if result.refused:
            raise CommandError(f"{len(result.refused)} quests could not be changed.")

    def audit(self) -> None:
        accounts = wrong = elsewhere = 0
        for account in with_progress(records_of(repository.accounts), "accounts"):
            accounts += 1
            result = audited(repository.accounts.key_of(account))
            elsewhere += result.elsewhere
            for difference in result.differences:
                wrong += 1
                self.stdout.write(difference)
        if elsewhere:
            self.stdout.write(f"Other programs have booked {elsewhere} times.")
        if wrong:
            raise CommandError(f"{wrong} figures of {accounts} accounts do not agree with the ledger.")
        self.stdout.write(f"All {accounts} accounts agree with the ledger.")
