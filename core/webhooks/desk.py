"""Tasks of administrators on Home: webhooks that were paused, or to which something was not delivered."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.accounts.user import User
from core.crud.home import Task, home_source
from core.crud.listing import Badge
from core.webhooks import repository

WEBHOOK = gettext_lazy("webhook")
PAUSED = Badge("failed", gettext_lazy("Paused"))
UNDELIVERED = Badge("failed", gettext_lazy("Not delivered"))


@home_source("webhooks.webhook.view", requests=1)
def failing_webhooks(_user: User) -> Iterator[Task]:
    for each in repository.every_webhook():
        if each.problem:
            badge = PAUSED if each.is_paused else UNDELIVERED
            since = each.failing_since or each.created_at
            address = reverse("webhooks:webhook", args=[each.id])
            yield Task(each.label, address, WEBHOOK, since, badge, _("Check"))
