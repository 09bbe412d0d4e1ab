"""Webhooks and their deliveries as the pages tell them."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.crud.listing import Badge
from core.dynamo.errors import Text
from core.webhooks.models import (
    FAILED,
    FAILING,
    GONE,
    PAUSED,
    PRIVATE,
    SENT,
    SLOW,
    UNDELIVERED,
    UNREACHED,
    UNREADABLE,
    WAITING,
    Delivery,
    Webhook,
)
from core.webhooks.registry import kinds
from core.webhooks.services import TEST

PROBLEMS: dict[str, Text] = {
    GONE: gettext_lazy("Paused: the address answered that it is gone for good (410)."),
    FAILING: gettext_lazy("Paused: nothing could be delivered for three days."),
    UNDELIVERED: gettext_lazy("Some deliveries were given up after a day. See below."),
    UNREADABLE: gettext_lazy("Paused: the key of the site was changed. Make a new secret, then resume."),
}
ERRORS: dict[str, Text] = {
    PAUSED: gettext_lazy("The webhook was paused."),
    PRIVATE: gettext_lazy("The address leads into a private network."),
    SLOW: gettext_lazy("No answer in time."),
    UNREACHED: gettext_lazy("The address could not be reached."),
    UNREADABLE: gettext_lazy("The secret could not be read."),
}
STATES: dict[str, Badge] = {
    WAITING: Badge("waiting", gettext_lazy("Waits")),
    SENT: Badge("published", gettext_lazy("Delivered")),
    FAILED: Badge("failed", gettext_lazy("Failed")),
}


class DeliveryRow(NamedTuple):
    """A line of the log."""

    sort_key: str
    title: Text
    id: str
    moment: datetime
    badge: Badge
    attempts: int
    result: Text
    tried_at: datetime | None
    due_at: datetime | None
    is_over: bool


def delivery_rows(deliveries: Iterable[Delivery]) -> list[DeliveryRow]:
    return [
        DeliveryRow(
            sort_key=each.sk,
            title=title_of(each.kind),
            id=each.id,
            moment=each.moment,
            badge=STATES[each.status],
            attempts=int(each.attempts),
            result=_result(each),
            tried_at=each.tried_at,
            due_at=each.due_at,
            is_over=each.status != WAITING,
        )
        for each in deliveries
    ]


def title_of(kind: str) -> Text:
    if kind == TEST:
        return _("Test")
    known = kinds().get(kind)
    return known.title if known else kind


def state_of(webhook: Webhook) -> Badge:
    if webhook.is_paused:
        return Badge("archived", _("Paused"))
    return Badge("failed", _("Failing")) if webhook.problem else Badge("published", _("Active"))


def summary_of(webhook: Webhook) -> dict[str, Any]:
    """A webhook in a list."""
    return {
        "webhook": webhook,
        "badge": state_of(webhook),
        "kinds": [title_of(kind) for kind in webhook.kinds],
        "problem": PROBLEMS.get(webhook.problem or ""),
    }


def _result(delivery: Delivery) -> Text:
    if delivery.code is not None:
        return _("Answered %(code)d") % {"code": delivery.code}
    return ERRORS.get(delivery.error or "", "")
