"""An unsafe request that is sent twice is carried out once, by the key that its header or its form carries.

Where a view's effect is one transaction, `once` gives the row that becomes part of it: no further request,
and nothing can come between. Where it is not, such as a change in Cognito, `@idempotent` keeps the answer and
gives it again.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache, wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from dynamo.errors import Conflict, Invalid, KeyReused, TooLarge, Unavailable
from dynamo.idempotency import KEPT_FOR, LONGEST_KEY, Once
from stores.chosen import dedupe_store
from stores.errors import JobLost
from stores.interfaces import DedupeStore, Job

HEADER = "Idempotency-Key"
FIELD = "once"
NOT_PAYLOAD = {FIELD, "csrfmiddlewaretoken"}
KEPT_HEADERS = ("Content-Type", "Location", "HX-Redirect", "HX-Trigger")
LEASE_MS = 60_000

View = Callable[..., HttpResponse]


class StillRunning(Conflict):
    message = _("This was sent before and is still being done. Please wait a moment.")
    retry_after = 2


def key_of(request: HttpRequest) -> str | None:
    """The key of an unsafe request, None without one."""
    key: str | None = request.headers.get(HEADER) or request.POST.get(FIELD)
    if key is not None and not 1 <= len(key) <= LONGEST_KEY:
        raise Invalid
    return key


def once(request: HttpRequest, answer: Mapping[str, Any] | None = None) -> Once | None:
    """What makes this request's transaction apply once; `answer` is what a replay is told."""
    key = key_of(request)
    if key is None:
        return None
    return Once(
        sub=_sender(request), route=_route(request), key=key, payload=_payload(request), answer=answer or {}
    )


def idempotent(view: View) -> View:
    """Answer a repeated request of the same person as before; 422 for another payload, 409 while it runs."""

    @wraps(view)
    def answer_once(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        key = key_of(request)
        if key is None or not _sender(request):
            return view(request, *args, **kwargs)
        payload = _digest(_payload(request))
        hash = _digest([_sender(request), request.method, _route(request), key])
        registration = _answers().register_or_join(hash)
        if not registration.is_owner:
            return _repeated(registration.job, payload)
        try:
            response = view(request, *args, **kwargs)
        except Exception as error:
            with suppress(JobLost, Unavailable):
                _answers().fail(hash, error, job_id=registration.job_id)
            raise
        _keep(hash, registration.job_id, payload, response)
        return response

    return answer_once


@lru_cache(maxsize=1)
def _answers() -> DedupeStore:
    return dedupe_store(lease_ms=LEASE_MS, lifetime_ms=round(KEPT_FOR.total_seconds() * 1000))


def _repeated(job: Job, payload: str) -> HttpResponse:
    if job.status == "pending":
        raise StillRunning
    kept = job.result
    if kept["payload"] != payload:
        raise KeyReused
    response = HttpResponse(kept["body"].encode("latin-1"), status=kept["status"])
    for name, value in kept["headers"].items():
        response[name] = value
    return response


def _keep(hash: str, job_id: str, payload: str, response: HttpResponse) -> None:
    """Keep the answer; one that may be better next time is not kept."""
    if response.status_code >= 500:
        _answers().fail(hash, RuntimeError(str(response.status_code)), job_id=job_id)
        return
    kept = {
        "payload": payload,
        "status": response.status_code,
        "headers": {name: response[name] for name in KEPT_HEADERS if name in response},
        "body": response.content.decode("latin-1"),
    }
    # The work is done: a repeat after an outage, or of what took longer than its lease, is carried out too.
    with suppress(JobLost, TooLarge, Unavailable):
        _answers().complete(hash, kept, job_id=job_id)


def _sender(request: HttpRequest) -> str:
    return str(getattr(request.user, "sub", ""))


def _route(request: HttpRequest) -> str:
    # The whole path: a key for one record must not answer for another.
    return request.path


def _payload(request: HttpRequest) -> dict[str, Any]:
    posted = {name: request.POST.getlist(name) for name in request.POST if name not in NOT_PAYLOAD}
    files = {name: [[file.name, file.size] for file in request.FILES.getlist(name)] for name in request.FILES}
    body = "" if posted or files else hashlib.sha256(request.body).hexdigest()
    return {"posted": posted, "files": files, "body": body}


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
