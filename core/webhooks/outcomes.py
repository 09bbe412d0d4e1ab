"""How an attempt to deliver went, and what that means for its webhook."""

from datetime import datetime
from typing import NamedTuple

from pynamodb.expressions.update import Action

from core.webhooks.models import FAILING, GONE, PAUSED, UNDELIVERED, UNREADABLE, Webhook
from core.webhooks.rules import FAILING_FOR

NO_LONGER_THERE = 410


class Outcome(NamedTuple):
    """The status of the answer, or why there was none."""

    code: int | None = None
    error: str | None = None

    @property
    def is_good(self) -> bool:
        return self.code is not None and 200 <= self.code < 300


def reason_to_pause(webhook: Webhook, outcome: Outcome, moment: datetime) -> str | None:
    """Why nothing more is to be sent until an administrator has looked at it."""
    if outcome.is_good or outcome.error == PAUSED:
        return None
    if outcome.code == NO_LONGER_THERE:
        return GONE
    if outcome.error == UNREADABLE:
        return UNREADABLE
    has_failed_long = webhook.failing_since and moment - webhook.failing_since >= FAILING_FOR
    return FAILING if has_failed_long else None


def health(
    webhook: Webhook, outcome: Outcome, moment: datetime, *, pause: str | None, is_given_up: bool
) -> list[Action]:
    """What changes at the webhook; nothing for most outcomes."""
    if outcome.error == PAUSED:
        return []
    if outcome.is_good:
        is_healthy = webhook.failing_since is None and webhook.problem is None
        return [] if is_healthy else [Webhook.failing_since.remove(), Webhook.problem.remove()]
    actions: list[Action] = []
    if webhook.failing_since is None:
        actions.append(Webhook.failing_since.set(moment))
    if pause is not None:
        actions.append(Webhook.is_paused.set(True))
    problem = pause or (UNDELIVERED if is_given_up else None)
    if problem is not None and problem != webhook.problem:
        actions.append(Webhook.problem.set(problem))
    return actions
