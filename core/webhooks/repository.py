"""Access patterns of webhooks and of their deliveries."""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from pynamodb.expressions.update import Action

from core.dynamo import queries, transactions
from core.dynamo.attributes import to_iso
from core.dynamo.errors import AlreadyExists, Conflict, NotFound
from core.dynamo.items import RawItem, target_of
from core.dynamo.paging import DEFAULT_LIMIT, Page, StartKey
from core.dynamo.transactions import Operation
from core.webhooks.models import (
    COUNT,
    DELIVERIES,
    HOOK,
    WAITING,
    WEBHOOKS,
    Delivery,
    Webhook,
    WebhookCount,
)
from core.webhooks.rules import MOST_WEBHOOKS, RETRIED_FOR

KEPT_FOR = timedelta(days=30)
COUNT_KEY: RawItem = {"PK": {"S": WEBHOOKS}, "SK": {"S": COUNT}}

# --- Webhooks -----------------------------------------------------------------------------------------------


def every_webhook() -> list[Webhook]:
    """All of them, which are thirty at most, the oldest first."""
    return queries.every(partial(queries.query, Webhook, WEBHOOKS, prefix=HOOK, strong=True))


def webhook(webhook_id: str) -> Webhook:
    found = queries.get(Webhook, webhook_key(webhook_id), strong=True)
    if found is None:
        raise NotFound
    return found


def webhook_key(webhook_id: str) -> RawItem:
    return {"PK": {"S": WEBHOOKS}, "SK": {"S": HOOK + webhook_id}}


def count_one_more(refusal: Exception) -> Operation:
    is_free = WebhookCount.n.does_not_exist() | (WebhookCount.n < MOST_WEBHOOKS)
    actions = [WebhookCount.n.add(1)]
    return transactions.update(
        WebhookCount, COUNT_KEY, actions, condition=is_free, refused=lambda _stored: refusal
    )


def count_one_less() -> Operation:
    return transactions.update(WebhookCount, COUNT_KEY, [WebhookCount.n.add(-1)])


def change(
    webhook_id: str, actions: Collection[Action], *, seen: Webhook | None = None, seen_version: int = 0
) -> Operation:
    """A change of a webhook that is there, of the version or with the secret that was seen."""
    key = webhook_key(webhook_id)
    if not queries.sendable(key):
        raise NotFound
    condition = transactions.exists(Webhook)
    if seen_version:
        condition &= Webhook.version == seen_version
    if seen is not None:
        condition &= Webhook.secret == seen.secret

    def refused(stored: RawItem | None) -> Exception:
        return Conflict() if stored else NotFound()

    return transactions.update(Webhook, key, actions, condition=condition, refused=refused)


# --- Deliveries ---------------------------------------------------------------------------------------------


def new_delivery(
    webhook: Webhook, kind: str, key: str, moment: datetime, body: str | None, *, due: datetime, change: str
) -> Delivery:
    """`change` names the change, which may be handled twice: its delivery always has the same id."""
    delivery_id = f"msg_{uuid5(NAMESPACE_URL, f'{webhook.id} {kind} {change}').hex}"
    return Delivery(
        pk=DELIVERIES + webhook.id,
        sk=f"{to_iso(moment)}#{delivery_id}",
        gsi1_pk=DELIVERIES + webhook.id,
        gsi1_sk=place_in_queue(due, delivery_id),
        ttl=due + KEPT_FOR,
        kind=kind,
        key=key,
        body=body,
        give_up_at=due + RETRIED_FOR,
    )


def add(deliveries: Iterable[Delivery]) -> None:
    """Those of one change, all or nothing: `AlreadyExists` if it was handled before."""
    is_new = transactions.absent(Delivery)
    transactions.commit(
        *(
            transactions.put(each, condition=is_new, refused=lambda _stored: AlreadyExists())
            for each in deliveries
        )
    )


def delivered(
    webhook_id: str, *, limit: int = DEFAULT_LIMIT, start: StartKey | None = None
) -> Page[Delivery]:
    """The deliveries of a webhook, the newest first."""
    return queries.query(
        Delivery, DELIVERIES + webhook_id, newest_first=True, limit=limit, start=start, strong=True
    )


def delivery_key(webhook_id: str, sort_key: str) -> RawItem:
    return {"PK": {"S": DELIVERIES + webhook_id}, "SK": {"S": sort_key}}


def place_in_queue(due: datetime, delivery_id: str) -> str:
    return f"{to_iso(due)}#{delivery_id}"


def due(
    webhook_id: str, moment: datetime, *, limit: int = DEFAULT_LIMIT, start: StartKey | None = None
) -> Page[Delivery]:
    """The keys of what is due for a webhook, the longest first."""
    return queries.query(
        Delivery,
        DELIVERIES + webhook_id,
        index="GSI1",
        at_most=to_iso(moment) + "~",
        limit=limit,
        start=start,
    )


def as_stored(listed: Iterable[Delivery]) -> list[Delivery]:
    """These deliveries, whole and as they are now, in the same order; one BatchGet per hundred."""
    keys = [each.raw_key() for each in listed]
    found = queries.get_by_target(((Delivery, key) for key in keys), strong=True)
    targets = (target_of(Delivery.Meta.table_name, key) for key in keys)
    return [each for target in targets if isinstance(each := found.get(target), Delivery)]


def claim(delivery: Delivery, until: datetime) -> Operation:
    """Reserve it for one sender until then; without a result it is due again after that."""
    later = Delivery.gsi1_sk.set(place_in_queue(until, delivery.id))
    return transactions.update(Delivery, delivery.raw_key(), [later], condition=_is_held(delivery))


def conclude(delivery: Delivery, actions: Collection[Action]) -> Operation:
    """Store the result, unless somebody else has claimed it since."""
    return transactions.update(Delivery, delivery.raw_key(), actions, condition=_is_held(delivery))


def drop(delivery: Delivery) -> Operation:
    return transactions.delete(Delivery, delivery.raw_key(), condition=_is_held(delivery))


def send_again(webhook_id: str, sort_key: str, moment: datetime) -> Operation:
    """Put a delivery that is over into the queue once more, with its id."""
    delivery_id = sort_key.rpartition("#")[2]
    actions = [
        Delivery.status.set(WAITING),
        Delivery.gsi1_pk.set(DELIVERIES + webhook_id),
        Delivery.gsi1_sk.set(place_in_queue(moment, delivery_id)),
        Delivery.give_up_at.set(moment + RETRIED_FOR),
        Delivery.ttl.set(moment + KEPT_FOR),
    ]
    is_over = transactions.exists(Delivery) & (Delivery.status != WAITING)

    def refused(stored: RawItem | None) -> Exception:
        return Conflict() if stored else NotFound()

    key = delivery_key(webhook_id, sort_key)
    if not queries.sendable(key):
        raise NotFound
    return transactions.update(Delivery, key, actions, condition=is_over, refused=refused)


def _is_held(delivery: Delivery) -> Any:
    return Delivery.gsi1_sk == delivery.gsi1_sk
