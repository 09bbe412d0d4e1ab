"""`manage.py streams`: handle what follows from changes; show and retry what could not be handled."""

import signal
import threading
from datetime import timedelta
from typing import Any

from django.core.management.base import CommandError, CommandParser

from core.dynamo.attributes import now
from core.dynamo.management.base import ActionsCommand
from core.dynamo.streams import background, failures, losses, source, status
from core.dynamo.streams.worker import Worker

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Command(ActionsCommand):
    help = (
        "Read the tables' streams and do what follows from the changes: delete the files of removed media, "
        "clean up after records that have expired. It goes on from where it was left; several may run. "
        "`status` tells how old the oldest change is that was not handled, `failed` lists what was put "
        "aside, `retry` handles that again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("action", nargs="?", choices=["run", "status", "failed", "retry"], default="run")
        parser.add_argument("--once", action="store_true", help="End when there is nothing more to read.")
        parser.add_argument("--tables", nargs="+", default=[], metavar="TABLE", help="Only these tables.")

    def do_run(self, *, tables: list[str], once: bool, **_options: Any) -> None:
        stop = threading.Event()
        worker = Worker(tables, stop=stop)
        earlier = {
            number: signal.signal(number, lambda _number, _frame: stop.set()) for number in STOP_SIGNALS
        }
        try:
            with background.running(stop, once=once):
                worker.run(once=once)
        finally:
            for number, handler in earlier.items():
                signal.signal(number, handler)

    def do_status(self, *, tables: list[str], **_options: Any) -> None:
        chosen = source.streamed_tables(tables)
        moment = now().replace(microsecond=0)
        ages = []
        for change in status.waiting(chosen):
            ages.append(max(moment - change.at, timedelta(0)))
            self.stdout.write(
                f"{change.table} {change.number}: {change.event} of {change.at} waits for {ages[-1]}."
            )
        for position in status.lost(chosen):
            self.stdout.write(
                f"{position.table}: changes of shard {position.shard_id} may be lost, as was noticed at "
                f"{position.lost}. {losses.HOW_TO_MEND}"
            )
        self.stdout.write(f"The oldest change waits for {max(ages)}." if ages else "No change waits.")
        self.stdout.write(f"{sum(1 for _failure in failures.failed(chosen))} changes were put aside.")

    def do_failed(self, *, tables: list[str], **_options: Any) -> None:
        count = 0
        for failure in failures.failed(source.streamed_tables(tables)):
            count += 1
            self.stdout.write(
                f"{failure.table} {failure.sk}: {failure.event} of {failure.at}: {failure.reason}"
            )
        self.stdout.write(f"{count} changes were put aside.")

    def do_retry(self, *, tables: list[str], **_options: Any) -> None:
        handled = left = 0
        for failure in failures.failed(source.streamed_tables(tables)):
            try:
                failures.retry(failure)
                handled += 1
            except Exception as error:  # noqa: BLE001 - the others are tried all the same
                left += 1
                self.stderr.write(f"{failure.table} {failure.sk}: {failures.reason_of(error)}")
        self.stdout.write(f"{handled} changes were handled.")
        if left:
            raise CommandError(f"{left} changes still cannot be handled; see the lines above.")
