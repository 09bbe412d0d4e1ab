"""Keep the quest board in order: what is due, and whether all accounts agree with the ledger."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from core.dynamo.management.base import OperatorCommand, with_progress
from core.dynamo.reindex import records_of
from quests import repository
from quests.services.auditing import differences
from quests.services.sweeping import Swept, sweep

TOLD = {
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
        sweeping = actions.add_parser("sweep", help="End what is over. Run it every 15 minutes.")
        sweeping.add_argument("--dry-run", action="store_true", help="Only tell; change nothing.")
        actions.add_parser("audit", help="Compare every account, and its months, with its ledger.")

    def handle(self, *, action: str, **options: Any) -> None:
        if action == "sweep":
            self.tell(sweep(is_dry_run=options["dry_run"]))
        else:
            self.audit()

    def tell(self, swept: Swept) -> None:
        self.report_outcomes(swept, TOLD, name_as="“{}”")
        if swept.refused:
            raise CommandError(f"{len(swept.refused)} quests could not be changed.")

    def audit(self) -> None:
        accounts = wrong = 0
        for listed in with_progress(records_of(repository.accounts), "accounts"):
            accounts += 1
            for found in differences(repository.accounts.key_of(listed)):
                wrong += 1
                self.stdout.write(found)
        if wrong:
            raise CommandError(f"{wrong} figures of {accounts} accounts do not agree with the ledger.")
        self.stdout.write(f"All {accounts} accounts agree with the ledger.")
