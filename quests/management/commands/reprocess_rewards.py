"""Retry failed rewards."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from core.dynamo.management.base import OperatorCommand
from quests.models import PENDING
from quests.repository import failed_rewards
from quests.services.rewards import MOST_AT_ONCE, reprocess


class Command(OperatorCommand):
    help = "Try the oldest failed rewards again, as far as it is time for them. Run it every 15 minutes."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="Only list them; book nothing.")

    def handle(self, *, dry_run: bool, **options: Any) -> None:
        if dry_run:
            for record in failed_rewards.with_status(PENDING, limit=MOST_AT_ONCE).items:
                self.stdout.write(f"{record.created_at:%Y-%m-%d %H:%M} {record.xp} XP: {record.error}")
            return
        outcome = reprocess()
        self.stdout.write(
            f"{outcome.processed} tried: {outcome.succeeded} booked, {outcome.failed} failed again, "
            f"{outcome.abandoned} given up. {outcome.skipped} are not due or in other hands."
        )
        if outcome.broken:
            raise CommandError(f"{outcome.broken} of them could not be written.")
