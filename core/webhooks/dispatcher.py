"""Sends the deliveries that are due, each webhook's one after the other, those of all webhooks side by side.

A delivery is claimed before it is sent. Whoever is killed in between leaves it to the next, who sends it once
more with the same id.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from contextlib import suppress
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from core.common.logs import events
from core.dynamo import registry as repositories
from core.dynamo import transactions
from core.dynamo.attributes import now
from core.dynamo.errors import Conflict, DataError, Invalid, NotFound
from core.stores.errors import FetchFailed, NotAllowed
from core.stores.http.bounds import Caps
from core.webhooks import outcomes, repository, rules, signatures
from core.webhooks.models import FAILED, PAUSED, PRIVATE, SENT, SLOW, UNREACHED, UNREADABLE, Delivery, Webhook
from core.webhooks.outcomes import Outcome
from core.webhooks.registry import kinds, payload

if TYPE_CHECKING:
    from core.stores.http.posting import Poster

log = logging.getLogger(__name__)

POLL_SECONDS = 2.0
# So many are looked at for the next one of a webhook: the index may still have those that were just sent.
NEXT = 3
STOP_SECONDS = 0.1
CAPS = Caps(connect_seconds=5.0, read_seconds=10.0, total_seconds=10.0)
# Longer than a request, with the half minute that looking up a name may take.
LEASE = timedelta(seconds=60)
HEADERS = {"Content-Type": "application/json", "User-Agent": "Fieldhouse-Webhooks/1"}

# Set when something was queued in this process; what others queue is found by looking.
wake = threading.Event()


class Dispatcher:
    def __init__(self, *, clock: Callable[[], datetime] = now) -> None:
        self._clock = clock
        self._pool = ThreadPoolExecutor(rules.MOST_WEBHOOKS, "webhook")
        # What is being sent, by webhook.
        self._sending: dict[str, Future[None]] = {}
        self.tried = 0

    def run(self, stop: threading.Event) -> None:
        while not stop.is_set():
            try:
                self._start_due()
            except DataError as error:
                log.warning("Deliveries to webhooks wait: %s", error)
            except Exception:
                # Whatever it is, the streams go on, and so do the deliveries of others.
                log.exception("Deliveries to webhooks wait")
            _wait(stop)

    def run_due(self) -> None:
        """Until nothing more is due."""
        while self._start_due() or self._sending:
            wait_for(self._sending.values(), return_when=FIRST_COMPLETED)

    def close(self) -> None:
        """Wait for what is being sent."""
        self._pool.shutdown()
        if "_poster" in vars(self):
            self._poster.close()

    def _start_due(self) -> int:
        """Send the next delivery of each webhook that is not busy; returns how many those are."""
        self._sending = {key: future for key, future in self._sending.items() if not future.done()}
        idle = {each.id: each for each in repository.every_webhook() if each.id not in self._sending}
        listed = [each for key in idle for each in repository.due(key, self._clock(), limit=NEXT).items]
        if not listed:
            return 0
        following: dict[str, Delivery] = {}
        for each in repository.as_stored(listed):
            if each.due_at and each.due_at <= self._clock():
                following.setdefault(each.webhook_id, each)
        claimed = self._claimed(following.values())
        for delivery in claimed:
            future = self._pool.submit(self._deliver, self._poster, delivery, idle[delivery.webhook_id])
            self._sending[delivery.webhook_id] = future
            future.add_done_callback(lambda _done: wake.set())
        self.tried += len(claimed)
        return len(claimed)

    def _claimed(self, due: Iterable[Delivery]) -> list[Delivery]:
        """Those that nobody else has claimed: all at once, or one by one where somebody was faster."""
        until, due = self._clock() + LEASE, list(due)
        claims = [repository.claim(each, until) for each in due]
        try:
            transactions.commit(*claims)
            claimed = due
        except Conflict:
            claimed = []
            for each, operation in zip(due, claims, strict=True):
                with suppress(Conflict):
                    transactions.send(operation)
                    claimed.append(each)
        for each in claimed:
            each.gsi1_sk = repository.place_in_queue(until, each.id)
        return claimed

    def _deliver(self, poster: "Poster", delivery: Delivery, webhook: Webhook) -> None:
        try:
            if not _make_body(delivery):
                transactions.send(repository.drop(delivery))
                return
            outcome = self._send(poster, delivery, webhook)
            self._conclude(delivery, webhook, outcome)
            events.info(
                "webhook", webhook=webhook.id, id=delivery.id, status=outcome.code, error=outcome.error
            )
        except (Conflict, NotFound):
            # Somebody else has claimed it since, or the webhook was deleted.
            events.info("webhook_overtaken", id=delivery.id)
        except Exception:
            # It is due again when the claim ends.
            log.exception("Delivery %s could not be concluded", delivery.id)

    def _send(self, poster: "Poster", delivery: Delivery, webhook: Webhook) -> Outcome:
        if webhook.is_paused:
            return Outcome(error=PAUSED)
        body = delivery.body.encode()
        try:
            rules.check_address(webhook.address)
            signed = signatures.headers(webhook, delivery.id, body, self._clock())
            return Outcome(code=poster.post(webhook.address, body, {**HEADERS, **signed}))
        except signatures.Unreadable:
            return Outcome(error=UNREADABLE)
        except FetchFailed as error:
            return Outcome(error=SLOW if error.reason == "too slow" else UNREACHED)
        except (NotAllowed, Invalid):
            return Outcome(error=PRIVATE)

    @cached_property
    def _poster(self) -> "Poster":
        # Not at import, because httpx takes 25 ms and few processes need it.
        from core.stores.http.posting import Poster

        return Poster(caps=CAPS, may_connect=rules.may_connect, most_connections=rules.MOST_WEBHOOKS)

    def _conclude(self, delivery: Delivery, webhook: Webhook, outcome: Outcome) -> None:
        """Store the result, and in the same transaction what it means for the webhook."""
        moment, attempts = self._clock(), int(delivery.attempts) + (outcome.error != PAUSED)
        pause = outcomes.reason_to_pause(webhook, outcome, moment)
        is_over = outcome.is_good or pause is not None or outcome.error == PAUSED
        later = None if is_over else rules.next_attempt(attempts, moment, delivery.give_up_at)
        went = [
            Delivery.attempts.set(attempts),
            Delivery.tried_at.set(moment),
            Delivery.code.remove() if outcome.code is None else Delivery.code.set(outcome.code),
            Delivery.error.remove() if outcome.error is None else Delivery.error.set(outcome.error),
        ]
        if delivery.body is not None and "body" not in delivery.stored:
            # Each attempt sends the same, whatever becomes of the record.
            went.append(Delivery.body.set(delivery.body))
        if later is not None:
            went.append(Delivery.gsi1_sk.set(repository.place_in_queue(later, delivery.id)))
        else:
            status = SENT if outcome.is_good else FAILED
            went += [Delivery.status.set(status), Delivery.gsi1_pk.remove(), Delivery.gsi1_sk.remove()]
        health = outcomes.health(webhook, outcome, moment, pause=pause, is_given_up=later is None)
        conclusion = repository.conclude(delivery, went)
        if health:
            transactions.commit(conclusion, repository.change(webhook.id, health))
        else:
            transactions.send(conclusion)


def _wait(stop: threading.Event) -> None:
    """Until there may be something to send, or the worker is to stop."""
    until = time.monotonic() + POLL_SECONDS
    while not (stop.is_set() or wake.wait(STOP_SECONDS) or time.monotonic() >= until):
        pass
    wake.clear()


def _make_body(delivery: Delivery) -> bool:
    """The body of what was still to come when it was queued; False if it did not come."""
    if delivery.body is not None:
        return True
    kind = kinds().get(delivery.kind)
    if kind is None:
        return False
    record = repositories.records_at([(kind.entity, delivery.key)], strong=True).get(
        (kind.entity, delivery.key)
    )
    if record is None or not kind.still_occurs(record, delivery.moment):
        return False
    delivery.body = payload(kind.name, delivery.moment, kind.data(record))
    return True
