"""The dashboard of the stores for administrators. Every change is confirmed first."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.crud.http import page_or_partial
from core.dynamo import metering
from core.dynamo.errors import Text
from core.dynamo.paging import Page, StartKey, read_token, sign
from core.stores import metrics
from core.stores.http.client import CLIENTS
from core.stores.limits import LIMITERS
from desk.stores import display, inspection, services
from desk.stores.display import Figure
from desk.stores.inspection import Count

VIEW = "stores.dashboard.view"
SCREENS: list[tuple[str, Text]] = [
    ("overview", _("Overview")),
    ("cache", _("Cache")),
    ("dedupe", _("Jobs")),
    ("limits", _("Limits")),
    ("adaptive", _("Shared limits")),
]

Screen = Callable[..., HttpResponse]


def in_the_table(screen: Screen) -> Screen:
    """Decorator of screens about the DynamoDB table; with stores in memory they show a notice instead."""

    @wraps(screen)
    def screen_or_notice(request: SignedInRequest, **parts: str) -> HttpResponse:
        return in_memory(request) if settings.STORES == "memory" else screen(request, **parts)

    return screen_or_notice


# --- Screens -----------------------------------------------------------------------------------------------


@requires(VIEW)
@require_safe
@in_the_table
def overview(request: SignedInRequest) -> HttpResponse:
    _values, count = inspection.values(None)
    health = inspection.health()
    context = {
        "health": health,
        "health_badge": display.health_badge(health),
        "count": count,
        "expired": inspection.expired_values(),
        "jobs": inspection.count_jobs(),
        "limiters": len(LIMITERS),
        "shares": inspection.shares(CLIENTS.values()),
        "refusals": metrics.total("ratelimit", "Refusals"),
        "waits": metrics.total("dedupe", "Waits") + metrics.total("cache", "Waits"),
        "failures": sum(metrics.total(store, "Failures") for store in ("cache", "ratelimit")),
        "contentions": metering.retries("contention"),
        "breakdowns": metering.retries("breakdown"),
        **display.hits(),
    }
    return _screen(request, "overview", context)


@requires(VIEW)
@require_safe
@in_the_table
def cache(request: SignedInRequest) -> HttpResponse:
    return _list(request, "cache", inspection.values, display.value_row, display.value_figures)


@requires(VIEW)
@require_safe
@in_the_table
def value(request: SignedInRequest) -> HttpResponse:
    context = {
        "value": inspection.value(request.GET.get("key", "")),
        "screens": SCREENS,
        "may_change": services.may_change(request.user),
    }
    return page_or_partial(request, "desk/stores/value.html", "dialog", context)


@requires(VIEW)
@require_safe
@in_the_table
def dedupe(request: SignedInRequest) -> HttpResponse:
    return _list(request, "dedupe", inspection.jobs, display.job_row, display.job_figures)


@requires(VIEW)
@require_safe
def limits(request: SignedInRequest) -> HttpResponse:
    name, key = request.GET.get("limit", ""), request.GET.get("key", "").strip()
    limiter = LIMITERS.get(name)
    is_asked = limiter is not None and bool(key)
    limiters = sorted(LIMITERS.values(), key=lambda limiter: str(limiter.about))
    is_in_table = settings.STORES != "memory"
    uses = inspection.uses(limiters, CLIENTS.values(), is_in_table=is_in_table)
    context = {
        "limiters": limiters,
        "rows": [(each, display.span(each.limit.window_ms / 1000), display.fullest(each)) for each in uses],
        "figures": display.limit_figures(uses) if is_in_table else [],
        "is_in_table": is_in_table,
        "chosen": limiter,
        "key": key,
        "use": display.use_of(limiter.status(key)) if limiter and key else None,
    }
    return _screen(request, "limits", context, query={"limit": name, "key": key} if is_asked else {})


@requires(VIEW)
@require_safe
@in_the_table
def adaptive(request: SignedInRequest) -> HttpResponse:
    clients = [display.client_context(shares) for shares in inspection.shares(CLIENTS.values())]
    return _screen(request, "adaptive", {"clients": clients})


# --- Rendering ---------------------------------------------------------------------------------------------


def _screen(
    request: SignedInRequest,
    name: str,
    context: dict[str, Any],
    *,
    query: Mapping[str, str] | None = None,
) -> HttpResponse:
    """The whole screen, or for a refresh by HTMX its partial; `query` is the query string of the screen."""
    here = dict(query or {})
    context |= {
        "screens": SCREENS,
        "screen": name,
        "may_change": services.may_change(request.user),
        "is_live": request.GET.get("refresh") != "off",
        "address": f"{request.path}?{urlencode(here)}",
        "paused_address": f"{request.path}?{urlencode(here | {'refresh': 'off'})}",
        "now": timezone.now(),
        "process": os.getpid(),
        "since": metrics.SINCE,
    }
    return page_or_partial(request, f"desk/stores/{name}.html", "live", context)


def _list(
    request: SignedInRequest,
    screen: str,
    read: Callable[[StartKey | None], tuple[Page[Any], Count]],
    row: Callable[[Any], tuple[Any, ...]],
    figures: Callable[[Count, Sequence[Any]], list[Figure]],
) -> HttpResponse:
    bound_to = (request.user.sub, f"stores:{screen}")
    start = read_token(request.GET.get("after"), *bound_to)
    page, count = read(start)
    context = {
        "rows": [row(each) for each in page.items],
        "figures": figures(count, page.items) if start is None else [],
        "count": count,
        "next_token": page.next_token(*bound_to),
        "is_first_page": start is None,
        **display.hits(),
    }
    query = {} if start is None else {"after": sign(start, *bound_to)}
    return _screen(request, screen, context, query=query)


def in_memory(request: SignedInRequest) -> HttpResponse:
    status = 200 if request.method in {"GET", "HEAD"} else 409
    return render(request, "desk/stores/memory.html", {"screens": SCREENS}, status=status)
