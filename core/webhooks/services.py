"""What administrators do with webhooks, and what the streams add to their deliveries."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.update import Action

from core.accounts.rights import ensure
from core.accounts.user import User
from core.common.logs import events
from core.dynamo import registry as repositories
from core.dynamo import transactions
from core.dynamo.attributes import now
from core.dynamo.errors import AlreadyExists, Conflict, Invalid
from core.dynamo.idempotency import IdempotencyKey
from core.dynamo.items import new_id
from core.dynamo.streams import Change
from core.dynamo.transactions import Transaction
from core.webhooks import repository, rules, signatures
from core.webhooks.dispatcher import wake
from core.webhooks.limits import BY_HAND
from core.webhooks.models import Webhook
from core.webhooks.registry import Kind, kinds, payload

RIGHT = "webhooks.webhook.update"
TEST = "webhook.test"


class Made(NamedTuple):
    """A webhook with its new secret, which is shown this once."""

    webhook: Webhook
    secret: str


def create(user: User, values: Mapping[str, Any], *, once: IdempotencyKey | None = None) -> Made:
    ensure(user, RIGHT)
    _check(values)
    webhook = Webhook.new(
        label=values["label"],
        address=values["address"],
        kinds=sorted(values["kinds"]),
        created_at=now(),
        created_by=user.name,
    )
    secret = signatures.new_secret()
    webhook.secret = signatures.seal(webhook.id, secret)
    too_many = Conflict(_("You have reached the maximum number of webhooks. Delete one first."))
    transaction = Transaction()
    transaction.add(
        transactions.put(webhook, condition=transactions.absent(Webhook)),
        repository.count_one_more(too_many),
    )
    if once is not None:
        transaction.add(once.operation())
    transaction.commit()
    _log("webhook_made", user, webhook.id)
    return Made(webhook, secret)


def edit(
    user: User,
    webhook_id: str,
    values: Mapping[str, Any],
    *,
    seen_version: int,
    once: IdempotencyKey | None = None,
) -> None:
    ensure(user, RIGHT)
    _check(values)
    actions = [
        Webhook.label.set(values["label"]),
        Webhook.address.set(values["address"]),
        Webhook.kinds.set(sorted(values["kinds"])),
        Webhook.version.add(1),
    ]
    transaction = Transaction()
    # No page can have shown version 0.
    transaction.add(repository.change(webhook_id, actions, seen_version=seen_version or -1))
    if once is not None:
        transaction.add(once.operation())
    transaction.commit()
    _log("webhook_changed", user, webhook_id)


def pause(user: User, webhook_id: str) -> None:
    """Send nothing until it is resumed: what happens meanwhile is not told later."""
    _change(user, webhook_id, [Webhook.is_paused.set(True)], "webhook_paused")


def resume(user: User, webhook_id: str) -> None:
    actions: list[Action] = [
        Webhook.is_paused.set(False),
        Webhook.problem.remove(),
        Webhook.failing_since.remove(),
    ]
    _change(user, webhook_id, actions, "webhook_resumed")


def delete(user: User, webhook_id: str) -> None:
    """Deliveries that still wait are not sent; TTL deletes the log."""
    ensure(user, RIGHT)
    webhook = repository.webhook(webhook_id)
    is_there = transactions.exists(Webhook)
    transactions.commit(
        transactions.delete(Webhook, webhook.raw_key(), condition=is_there), repository.count_one_less()
    )
    _log("webhook_deleted", user, webhook_id)


def change_secret(user: User, webhook_id: str, *, once: IdempotencyKey | None = None) -> Made:
    """A new secret; for a day the former one signs as well."""
    ensure(user, RIGHT)
    webhook, secret = repository.webhook(webhook_id), signatures.new_secret()
    actions = [
        Webhook.secret.set(signatures.seal(webhook_id, secret)),
        Webhook.former_secret.set(webhook.secret),
        Webhook.former_until.set(now() + rules.FORMER_SECRET_FOR),
    ]
    transaction = Transaction()
    transaction.add(repository.change(webhook_id, actions, seen=webhook))
    if once is not None:
        transaction.add(once.operation())
    transaction.commit()
    _log("webhook_secret_changed", user, webhook_id)
    return Made(webhook, secret)


def send_test(user: User, webhook_id: str) -> None:
    ensure(user, RIGHT)
    webhook, moment = _ready(webhook_id), now()
    body = payload(TEST, moment, {"webhook": webhook.id})
    test = repository.new_delivery(webhook, TEST, "", moment, body, due=moment, change=new_id())
    repository.add([test])
    _log("webhook_tested", user, webhook_id)


def send_again(user: User, webhook_id: str, sort_key: str) -> None:
    """Send once more what was delivered or given up; its id stays the same."""
    ensure(user, RIGHT)
    _ready(webhook_id)
    transactions.send(repository.send_again(webhook_id, sort_key, now()))
    _log("webhook_sent_again", user, webhook_id)


def queue(kind: Kind, change: Change) -> None:
    """Add a delivery for each webhook with this kind of change; called by the streams."""
    moment = kind.moment_of(change)
    if moment is None or change.after is None:
        return
    webhooks = [each for each in repository.every_webhook() if kind.name in each.kinds and not each.is_paused]
    if not webhooks:
        return
    source = repositories.repository_for(kind.entity)
    record = source.model.from_raw_data(change.after)
    # What is still to come is sent as it is by then.
    body = payload(kind.name, moment, kind.data(record)) if moment <= now() else None
    key, due = source.key_of(record), max(moment, change.at)
    name = f"{change.table} {change.sequence_number}"
    # A change that was handled before has been queued for all of them.
    with suppress(AlreadyExists):
        repository.add(
            repository.new_delivery(each, kind.name, key, moment, body, due=due, change=name)
            for each in webhooks
        )
    wake.set()


def _check(values: Mapping[str, Any]) -> None:
    rules.check_address(values["address"])
    if not values["kinds"] or not kinds().keys() >= set(values["kinds"]):
        raise Invalid(_("Choose at least one event."), field="kinds")


def _ready(webhook_id: str) -> Webhook:
    """The webhook, for something to be sent to it by hand."""
    webhook = repository.webhook(webhook_id)
    if webhook.is_paused:
        raise Conflict(_("Nothing is sent while the webhook is paused."))
    BY_HAND.ensure(webhook_id)
    return webhook


def _change(user: User, webhook_id: str, actions: list[Action], event: str) -> None:
    ensure(user, RIGHT)
    transactions.send(repository.change(webhook_id, actions))
    _log(event, user, webhook_id)


def _log(event: str, user: User, webhook_id: str) -> None:
    events.info(event, sub=user.sub, webhook=webhook_id)
