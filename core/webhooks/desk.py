"""Tasks of administrators on Home: webhooks that were paused, or to which something was not delivered."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext_lazy

from core.accounts.user import User
from core.crud.listing import Badge
from core.crud.todo import Task, task_source
from core.webhooks import repository

WEBHOOK = gettext_lazy("webhook")
PAUSED = Badge("failed", gettext_lazy("Was paused"))
UNDELIVERED = Badge("failed", gettext_lazy("Could not be told"))


@task_source(requests=1, right="webhooks.webhook.view")
def failing_webhooks(_user: User) -> Iterator[Task]:
    for each in repository.every_webhook():
        if each.problem:
            badge = PAUSED if each.is_paused else UNDELIVERED
            since = each.failing_since or each.created_at
            yield Task(each.label, reverse("webhooks:webhook", args=[each.id]), WEBHOOK, since, badge)
