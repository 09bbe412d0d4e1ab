"""Presentation of the stores' numbers as text, badges and charts."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.dynamo.errors import Text
from core.stores import metrics
from core.stores.http.client import CLIENTS
from core.stores.interfaces import Health, LimitStatus
from desk.stores import charts, inspection
from desk.stores.inspection import Count, LimitUse, Shares, ShownJob, Value

# The kind and text of the badge for each state of a job.
STATES: dict[str, tuple[str, Text]] = {
    "pending": ("waiting", gettext_lazy("In progress")),
    "abandoned": ("disabled", gettext_lazy("Abandoned")),
    "completed": ("done", gettext_lazy("Completed")),
    "failed": ("failed", gettext_lazy("Failed")),
}
LEVELS: dict[str, Text] = {
    "low": gettext_lazy("Low"),
    "moderate": gettext_lazy("Moderate"),
    "high": gettext_lazy("High"),
}
NEARLY_FULL, FULL = 80, 100
# A read from DynamoDB in the same region takes a tenth of this.
SLOW_MS = 100


class Figure(NamedTuple):
    title: Text
    number: str
    about: Text


class Use(NamedTuple):
    """How much of a limit is used."""

    used: int
    limit: int
    percent: int
    badge: str
    free_at: datetime


def span(seconds: float) -> str:
    """A duration in its largest unit."""
    for size, unit in ((86400, _("%d d")), (3600, _("%d h")), (60, _("%d min"))):
        if seconds >= size:
            return unit % (seconds // size)
    return _("%d s") % seconds


def ends_in(moment: datetime | None) -> str:
    if moment is None:
        return _("Never")
    left = (moment - timezone.now()).total_seconds()
    return span(left) if left > 0 else _("Expired")


def use_of(status: LimitStatus) -> Use:
    used = status.limit - status.remaining
    percent = 100 * used // status.limit if status.limit else FULL
    badge = "failed" if percent >= FULL else "waiting" if percent >= NEARLY_FULL else "done"
    return Use(used, status.limit, percent, badge, status.reset_time)


def fullest(use: LimitUse) -> Use | None:
    """The key with the highest use of a limit; None without recent use."""
    return use_of(use.by_key[0]) if use.by_key else None


def limit_figures(uses: Sequence[LimitUse]) -> list[Figure]:
    statuses = [status for use in uses for status in use.by_key]
    requests = sum(status.limit - status.remaining for status in statuses)
    at_limit = sum(status.remaining == 0 for status in statuses)
    return [
        Figure(gettext_lazy("Requests"), str(requests), gettext_lazy("counted towards a limit")),
        Figure(
            gettext_lazy("Counted"),
            str(len(statuses)),
            gettext_lazy("addresses, accounts and services recently seen by this process"),
        ),
        Figure(gettext_lazy("At their limit"), str(at_limit), gettext_lazy("of these have to wait")),
    ]


def value_row(value: Value) -> tuple[Value, str]:
    return value, ends_in(value.expires_at)


def value_figures(count: Count, _values: Sequence[Value]) -> list[Figure]:
    more = "+" if count.is_more else ""
    expired = inspection.expired_values()
    return [
        Figure(_("Values"), f"{count.number}{more}", _("available now")),
        Figure(_("Size"), f"{filesizeformat(count.size)}{more}", _("including their keys")),
        Figure(_("Expired"), str(expired), _("expired and about to be removed")),
    ]


def job_row(job: ShownJob) -> tuple[ShownJob, str, Text]:
    return job, *STATES[job.state]


def job_figures(count: Count, jobs: Sequence[ShownJob]) -> list[Figure]:
    states = [job.state for job in jobs]
    finished = metrics.total("dedupe", "Completed") + metrics.total("dedupe", "Failed")
    failed = _("on this page; the next request tries again")
    return [
        Figure(_("Jobs"), f"{count.number}{'+' if count.is_more else ''}", _("in progress or remembered")),
        Figure(_("In progress"), str(states.count("pending")), _("on this page")),
        Figure(_("Failed"), str(states.count("failed")), failed),
        Figure(_("Finished"), str(finished), _("by this server process since it started")),
    ]


def health_badge(health: Health) -> tuple[str, str]:
    """The kind and text of the badge."""
    if not health.success:
        return "failed", _("Not responding")
    return ("waiting", _("Slow")) if health.duration_ms >= SLOW_MS else ("done", _("Healthy"))


def hits() -> dict[str, Any]:
    """The cache hits and misses of this process."""
    found, missed = metrics.total("cache", "Hits"), metrics.total("cache", "Misses")
    label = _("%(found)d found, %(missed)d not found") % {"found": found, "missed": missed}
    return {
        "hits": found,
        "misses": missed,
        "hit_percent": round(100 * found / (found + missed)) if found + missed else None,
        "hits_chart": charts.bar(label, [("hits", found), ("misses", missed)], whole=found + missed),
    }


def client_context(shares: Shares) -> dict[str, Any]:
    """The context about how the limit of one client is shared, with charts."""
    share = {"people": shares.capacity.user_reserved, "background": shares.capacity.background_max}
    share_label = _("%(people)d for people, %(background)d for background jobs") % share
    use = {"people": shares.used_by_people, "background": shares.used_by_background}
    use_label = _("%(by_people)d used by people, %(by_background)d by background jobs, of %(limit)d") % {
        "by_people": shares.used_by_people,
        "by_background": shares.used_by_background,
        "limit": shares.limit,
    }
    looked_back = CLIENTS[shares.name].shares.monitoring_window_ms / 1000
    return {
        "shares": shares,
        "level": LEVELS[shares.capacity.activity_level],
        "window": span(shares.window_ms / 1000),
        "looked_back": span(looked_back),
        "share_chart": charts.bar(share_label, list(share.items()), whole=shares.limit),
        "use_chart": charts.bar(use_label, list(use.items()), whole=shares.limit),
        "activity_chart": charts.columns(
            _("Recent requests, newest on the right"), shares.activity, ("people", "background")
        ),
        "activity": [
            (span(looked_back / inspection.MINUTES * place), by_people, by_background)
            for place, (by_people, by_background) in enumerate(reversed(shares.activity))
        ],
    }
