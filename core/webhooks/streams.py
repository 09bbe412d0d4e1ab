"""Queues the changes that webhooks are told about, and sends what is due beside the worker of the streams."""

import threading
from functools import partial

from core.dynamo.streams import Change, in_background, on
from core.webhooks import services
from core.webhooks.dispatcher import Dispatcher
from core.webhooks.registry import Kind, kinds


def _is_of(kind: Kind, change: Change) -> bool:
    return kind.moment_of(change) is not None


for kind in kinds().values():
    on(kind.entity, "INSERT", "MODIFY", when=partial(_is_of, kind))(partial(services.queue, kind))


@in_background
def deliver(stop: threading.Event, *, once: bool) -> None:
    dispatcher = Dispatcher()
    try:
        if once:
            dispatcher.run_due()
        else:
            dispatcher.run(stop)
    finally:
        dispatcher.close()
