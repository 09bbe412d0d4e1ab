"""`manage.py webhooks deliver`: send what is due, where the streams run on Lambda."""

from functools import partial
from typing import Any

from django.core.management.base import CommandParser

from core.dynamo import queries
from core.dynamo.attributes import now
from core.dynamo.management.base import OperatorCommand
from core.webhooks import repository
from core.webhooks.dispatcher import Dispatcher
from core.webhooks.models import Delivery, Webhook


class Command(OperatorCommand):
    help = (
        "Send the deliveries to webhooks that are due. `manage.py streams` does it by itself; where a Lambda "
        "function handles the streams, run this every minute."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        deliver = actions.add_parser("deliver", help="Send what is due.")
        deliver.add_argument("--dry-run", action="store_true", help="Only tell how many are due.")

    def handle(self, *, action: str, **options: Any) -> None:
        if options["dry_run"]:
            due = sum(len(_due(each)) for each in repository.every_webhook())
            self.stdout.write(f"{due} deliveries are due.")
            return
        dispatcher = Dispatcher()
        try:
            dispatcher.run_due()
        finally:
            dispatcher.close()
        self.stdout.write(f"{dispatcher.tried} deliveries were tried.")


def _due(webhook: Webhook) -> list[Delivery]:
    return queries.every(partial(repository.due, webhook.id, now()))
