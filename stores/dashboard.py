"""The screens on which administrators look after the stores. Everything that is changed is asked first."""

import os
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_safe

from accounts.rights import SignedInRequest, requires
from crud.http import go, page_or_partial
from crud.toasts import tell
from dynamo.errors import Text
from dynamo.paging import read_token, sign
from stores import inspection, metrics, services
from stores.http.client import CLIENTS
from stores.limits import LIMITERS, Limiter
from stores.showing import STATES, client_shown, ends_in, hits, span, use_of

VIEW, UPDATE = "stores.dashboard.view", "stores.dashboard.update"
SCREENS: list[tuple[str, Text]] = [
    ("overview", gettext_lazy("Overview")),
    ("cache", gettext_lazy("Cache")),
    ("dedupe", gettext_lazy("Jobs")),
    ("limits", gettext_lazy("Limits")),
    ("adaptive", gettext_lazy("Shared limits")),
]

Screen = Callable[..., HttpResponse]


class Question(NamedTuple):
    """What is asked before a change: what it does, to what, and where to go afterwards."""

    title: Text
    subject: str
    text: Text
    button: Text
    screen: str
    is_dangerous: bool = False


def in_the_table(screen: Screen) -> Screen:
    """A screen about what the table holds; where processes keep things to themselves it says so instead."""

    @wraps(screen)
    def shown(request: SignedInRequest, **parts: str) -> HttpResponse:
        if settings.STORES == "memory":
            return render(request, "stores/memory.html", {"screens": SCREENS})
        return screen(request, **parts)

    return shown


# --- Looking -----------------------------------------------------------------------------------------------


@requires(VIEW)
@require_safe
@in_the_table
def overview(request: SignedInRequest) -> HttpResponse:
    _values, count = inspection.values(None)
    context = {
        "health": inspection.health(),
        "count": count,
        "expired": inspection.expired_values(),
        "jobs": inspection.count_jobs(),
        "limiters": len(LIMITERS),
        "shares": inspection.shares(CLIENTS.values()),
        "refusals": metrics.total("ratelimit", "Refusals"),
        "waits": metrics.total("dedupe", "Waits") + metrics.total("cache", "Waits"),
        "failures": sum(metrics.total(store, "Failures") for store in ("cache", "ratelimit")),
        **hits(),
    }
    return _screen(request, "overview", context)


@requires(VIEW)
@require_safe
@in_the_table
def cache(request: SignedInRequest) -> HttpResponse:
    bound_to = (request.user.sub, "stores:cache")
    start = read_token(request.GET.get("after"), *bound_to)
    page, count = inspection.values(start)
    context = {
        "values": [(each, ends_in(each.expires_at)) for each in page.items],
        "next_token": page.next_token(*bound_to),
        "is_first_page": start is None,
        "count": count,
        "expired": inspection.expired_values() if start is None else 0,
        **hits(),
    }
    return _screen(request, "cache", context, {} if start is None else {"after": sign(start, *bound_to)})


@requires(VIEW)
@require_safe
@in_the_table
def value(request: SignedInRequest) -> HttpResponse:
    context = {"value": inspection.value(request.GET.get("key", "")), "screens": SCREENS}
    return page_or_partial(request, "stores/value.html", "dialog", context)


@requires(VIEW)
@require_safe
@in_the_table
def dedupe(request: SignedInRequest) -> HttpResponse:
    bound_to = (request.user.sub, "stores:dedupe")
    start = read_token(request.GET.get("after"), *bound_to)
    page, count = inspection.jobs(start)
    context = {
        "jobs": [(job, *STATES[job.state]) for job in page.items],
        "under_way": sum(job.state == "pending" for job in page.items),
        "failed": sum(job.state == "failed" for job in page.items),
        "next_token": page.next_token(*bound_to),
        "is_first_page": start is None,
        "count": count,
    }
    return _screen(request, "dedupe", context, {} if start is None else {"after": sign(start, *bound_to)})


@requires(VIEW)
@require_safe
def limits(request: SignedInRequest) -> HttpResponse:
    name, key = request.GET.get("limit", ""), request.GET.get("key", "").strip()
    limiter = LIMITERS.get(name)
    is_asked = limiter is not None and bool(key)
    context = {
        "limiters": [(each, span(each.seconds)) for each in sorted(LIMITERS.values(), key=_title)],
        "chosen": limiter,
        "key": key,
        "use": use_of(limiter.status(key)) if limiter and key else None,
    }
    return _screen(request, "limits", context, {"limit": name, "key": key} if is_asked else {})


@requires(VIEW)
@require_safe
@in_the_table
def adaptive(request: SignedInRequest) -> HttpResponse:
    clients = [client_shown(shares) for shares in inspection.shares(CLIENTS.values())]
    return _screen(request, "adaptive", {"clients": clients})


# --- Changing ----------------------------------------------------------------------------------------------


@requires(UPDATE)
@require_http_methods(["GET", "HEAD", "POST"])
def delete_value(request: SignedInRequest) -> HttpResponse:
    key = request.GET.get("key", "")
    if request.method == "POST":
        done = services.delete_value(request.user, key)
        return _told(request, "cache", _("The value was removed from the cache."), is_recorded=done)
    found = inspection.value(key)
    question = Question(
        _("Remove this value?"),
        found.hash,
        _("Whoever needs it next computes or fetches it anew. Nothing that somebody wrote is lost."),
        _("Remove"),
        "cache",
        is_dangerous=True,
    )
    return _asked(request, question)


@requires(UPDATE)
@require_http_methods(["GET", "HEAD", "POST"])
def clear_cache(request: SignedInRequest) -> HttpResponse:
    if request.method == "POST":
        removed, done = services.clear_cache(request.user)
        told = ngettext("%d value was removed.", "%d values were removed.", removed) % removed
        if removed == services.MOST_CLEARED:
            told += " " + _("There may be more: clear the cache again to remove them too.")
        return _told(request, "cache", told, is_recorded=done)
    question = Question(
        _("Clear the whole cache?"),
        "",
        _(
            "Every page that used a cached value computes it anew, so the site is slower for a moment and "
            "asks other services again. Nothing that somebody wrote is lost, and nobody is signed out."
        ),
        _("Clear the cache"),
        "cache",
        is_dangerous=True,
    )
    return _asked(request, question)


@requires(UPDATE)
@require_http_methods(["GET", "HEAD", "POST"])
def release_job(request: SignedInRequest) -> HttpResponse:
    key, job_id = request.GET.get("key", ""), request.GET.get("job", "")
    if request.method == "POST":
        done = services.release_job(request.user, key, job_id)
        return _told(request, "dedupe", _("The job was released."), is_recorded=done)
    question = Question(
        _("Release this job?"),
        key,
        _(
            "Those who wait for it are told that it failed, and the next one may begin it anew. Do this only "
            "when whoever does it hangs: otherwise it may be done twice."
        ),
        _("Release"),
        "dedupe",
        is_dangerous=True,
    )
    return _asked(request, question)


@requires(UPDATE)
@require_http_methods(["GET", "HEAD", "POST"])
def reset_limit(request: SignedInRequest) -> HttpResponse:
    name, key = request.GET.get("limit", ""), request.GET.get("key", "").strip()
    limiter = services.limiter_of(name)
    if request.method == "POST":
        done = services.reset_limit(request.user, name, key)
        return _told(request, "limits", _("The limit was reset."), is_recorded=done)
    text = _("All places are free again at once; the other processes of the server follow within %(time)s.")
    question = Question(
        _("Reset this limit?"),
        f"{limiter.about}: {key}",
        text % {"time": span(limiter.seconds)},
        _("Reset"),
        "limits",
    )
    return _asked(request, question)


@requires(UPDATE)
@require_http_methods(["GET", "HEAD", "POST"])
def recalculate(request: SignedInRequest, name: str) -> HttpResponse:
    client = services.client_of(name)
    if request.method == "POST":
        done = services.recalculate(request.user, name)
        return _told(request, "adaptive", _("The shares were calculated anew."), is_recorded=done)
    question = Question(
        _("Calculate the shares anew?"),
        client.name,
        _("People and background jobs get their shares from what happened lately, without waiting 30 s."),
        _("Calculate"),
        "adaptive",
    )
    return _asked(request, question)


@requires(UPDATE)
@require_http_methods(["GET", "HEAD", "POST"])
def reset_client(request: SignedInRequest, name: str) -> HttpResponse:
    client = services.client_of(name)
    if request.method == "POST":
        done = services.reset_client(request.user, name)
        return _told(request, "adaptive", _("The limit was reset."), is_recorded=done)
    question = Question(
        _("Reset this limit?"),
        client.name,
        _(
            "All places are free again and what happened lately is forgotten. The other service still "
            "counts: it may refuse what goes beyond its own limit."
        ),
        _("Reset"),
        "adaptive",
        is_dangerous=True,
    )
    return _asked(request, question)


# --- How it is shown ---------------------------------------------------------------------------------------


def _screen(
    request: SignedInRequest, name: str, context: dict[str, Any], query: Mapping[str, str] | None = None
) -> HttpResponse:
    """The whole screen, or for a refresh the part of it that changes."""
    here = dict(query or {})
    is_live = request.GET.get("refresh") != "off"
    context |= {
        "screens": SCREENS,
        "screen": name,
        "is_live": is_live,
        "address": f"{request.path}?{urlencode(here)}",
        "paused_address": f"{request.path}?{urlencode(here | {'refresh': 'off'})}",
        "now": timezone.now(),
        "process": os.getpid(),
        "since": metrics.SINCE,
    }
    return page_or_partial(request, f"stores/{name}.html", "live", context)


def _asked(request: SignedInRequest, question: Question) -> HttpResponse:
    """In a dialog over the page, or on a page of its own without JavaScript."""
    context = {
        "question": question,
        "back": reverse(f"stores:{question.screen}"),
        "address": request.get_full_path(),
    }
    return page_or_partial(request, "stores/confirm.html", "dialog", context)


def _told(request: SignedInRequest, screen: str, text: str, *, is_recorded: bool) -> HttpResponse:
    if is_recorded:
        tell(request, text)
    else:
        problem = _("It could not be written to the history.")
        tell(request, f"{text} {problem}", level=messages.WARNING)
    return go(request, reverse(f"stores:{screen}"))


def _title(limiter: Limiter) -> str:
    return str(limiter.about)
