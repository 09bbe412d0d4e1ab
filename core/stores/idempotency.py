"""Idempotency keys of requests: an unsafe request that is sent twice is carried out once.

The key is in a header or a form field. If the effect of a view is one transaction, `once` returns the key for
that transaction. If not, such as for a change in Cognito, `@idempotent` stores the response and repeats it.
The response is encrypted with the key, of which the table has only a digest.
"""

import hashlib
import json
import re
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache, wraps
from typing import Any, cast

from django.contrib import messages
from django.contrib.messages.storage.base import BaseStorage
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import get_token
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.dynamo.encryption import decrypt, encrypt
from core.dynamo.errors import Conflict, Invalid, KeyReused, Unavailable
from core.dynamo.idempotency import KEPT_FOR, LONGEST_KEY, IdempotencyKey
from core.stores.codecs import SignedPickleCodec
from core.stores.dedupe import LARGEST_RESULT, DedupeStore
from core.stores.errors import JobLost
from core.stores.factory import dedupe_store
from core.stores.interfaces import Job

HEADER = "Idempotency-Key"
FIELD = "once"
NOT_PAYLOAD = {FIELD, "csrfmiddlewaretoken"}
SAFE_METHODS = {"GET", "HEAD", "OPTIONS", "TRACE"}
FORMS = {"application/x-www-form-urlencoded", "multipart/form-data"}
# The beginnings of their names.
KEPT_HEADERS = ("content-disposition", "content-language", "content-type", "location", "hx-")
LEASE_MS = 60_000
# Beside its signature and whatever else comes with it.
LARGEST_KEPT = LARGEST_RESULT - 1024
# The CSRF tokens in a page: of its forms and of HTMX.
CSRF_TOKEN = re.compile(rb'(name="csrfmiddlewaretoken" value="|"x-csrftoken": ")\w{64}')

View = Callable[..., HttpResponseBase]


class StillRunning(Conflict):
    message = _("This is still being processed. Wait a moment.")
    retry_after = 2


def key_of(request: HttpRequest) -> str | None:
    """The key of an unsafe request of somebody who is signed in, None without one."""
    if request.method in SAFE_METHODS or not _sender(request):
        return None
    sent: str | None = request.headers.get(HEADER)
    if sent is not None and not 1 <= len(sent) <= LONGEST_KEY:
        raise Invalid(_("An Idempotency-Key has 1 to 255 characters."))
    key: str = sent or request.POST.get(FIELD, "")
    if len(key) > LONGEST_KEY:
        raise Invalid
    return key or None


def once(
    request: HttpRequest,
    *,
    route: str | None = None,
    payload: Mapping[str, Any] | None = None,
    answer: Mapping[str, Any] | None = None,
) -> IdempotencyKey | None:
    """The idempotency key of this request, for its transaction; `answer` is stored for repetitions.

    By default `route` and `payload` are the address and everything that was sent.
    """
    key = key_of(request)
    if key is None:
        return None
    return IdempotencyKey(
        sub=_sender(request),
        route=_route(request) if route is None else route,
        key=key,
        payload=_payload(request) if payload is None else payload,
        answer=answer or {},
    )


def idempotent(view: View) -> Callable[..., HttpResponse]:
    """Repeat the response to a repeated request; 422 for another payload, 409 while the first one runs."""

    @wraps(view)
    def answer_once(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        key = key_of(request)
        if key is None:
            return cast(HttpResponse, view(request, *args, **kwargs))
        payload = _digest(_payload(request))
        hash = _digest([_sender(request), _route(request), key])
        registration = _answers().register_or_join(hash)
        if not registration.is_owner:
            return _repeated(request, _decrypted(key, registration.job), payload)
        try:
            response = cast(HttpResponse, view(request, *args, **kwargs))
        except Exception as error:
            _forget(hash, registration.job_id, error)
            raise
        if response.status_code >= 400:
            # Refused or failed: nothing was done, so it may be tried again.
            _forget(hash, registration.job_id, RuntimeError(str(response.status_code)))
        else:
            _keep(hash, registration.job_id, _encrypted(key, _as_kept(request, response, payload)))
        return response

    return answer_once


def files_of(request: HttpRequest) -> dict[str, list[tuple[str | None, str]]]:
    """The files of a request for its payload: names and digests."""
    return {name: [(file.name, _digest_of(file)) for file in files] for name, files in request.FILES.lists()}


@lru_cache(maxsize=1)
def _answers() -> DedupeStore:
    lifetime_ms = round(KEPT_FOR.total_seconds() * 1000)
    # Signed, because it is sent to browsers unchecked.
    return dedupe_store(lease_ms=LEASE_MS, lifetime_ms=lifetime_ms, codec=SignedPickleCodec())


def _forget(hash: str, job_id: str, error: Exception) -> None:
    with suppress(JobLost, Unavailable):
        _answers().fail(hash, error, job_id=job_id)


def _keep(hash: str, job_id: str, encrypted: bytes) -> None:
    # The work is done, so this is no error; a repeated request would be carried out again.
    with suppress(JobLost, Unavailable):
        _answers().complete(hash, encrypted, job_id=job_id)


def _encrypted(key: str, kept: dict[str, Any]) -> bytes:
    """The response encrypted with the key; a too large one is replaced by a short text."""
    encrypted = encrypt(_secret(key), zlib.compress(json.dumps(kept).encode()))
    if len(encrypted) <= LARGEST_KEPT:
        return encrypted
    done = HttpResponse(gettext("This was already done."), content_type="text/plain; charset=utf-8")
    return _encrypted(key, kept | {"headers": dict(done.items()), "body": _text(done), "messages": []})


def _decrypted(key: str, job: Job) -> dict[str, Any]:
    if job.status == "pending":
        raise StillRunning
    kept: dict[str, Any] = json.loads(zlib.decompress(decrypt(_secret(key), job.result)))
    return kept


def _secret(key: str) -> str:
    return f"kept answer:{key}"


def _as_kept(request: HttpRequest, response: HttpResponse, payload: str) -> dict[str, Any]:
    return {
        "payload": payload,
        "status": response.status_code,
        "headers": {name: value for name, value in response.items() if name.lower().startswith(KEPT_HEADERS)},
        "body": _text(response),
        "messages": _messages_left(request),
    }


def _text(response: HttpResponse) -> str:
    """Any bytes as text for JSON."""
    return response.content.decode("latin-1")


def _messages_left(request: HttpRequest) -> list[tuple[int, str, str]]:
    """The messages that this page does not show itself, but the next one, or the toasts for HTMX."""
    waiting = messages.get_messages(request)
    if not isinstance(waiting, BaseStorage) or waiting.used:
        return []
    left = [(message.level, str(message.message), message.extra_tags) for message in waiting]
    waiting.used = False
    return left


def _repeated(request: HttpRequest, kept: dict[str, Any], payload: str) -> HttpResponse:
    if kept["payload"] != payload:
        raise KeyReused
    body = kept["body"].encode("latin-1")
    # The token is another one after a new sign-in.
    body = CSRF_TOKEN.sub(lambda found: found[1] + get_token(request).encode(), body)
    for level, text, tags in kept["messages"]:
        messages.add_message(request, level, text, extra_tags=tags)
    return HttpResponse(body, status=kept["status"], headers=kept["headers"])


def _sender(request: HttpRequest) -> str:
    return str(getattr(request.user, "sub", ""))


def _route(request: HttpRequest) -> str:
    # The whole address: a key for one record must not answer for another.
    return f"{request.method} {request.get_full_path()}"


def _payload(request: HttpRequest) -> dict[str, Any]:
    if request.method != "POST" or request.content_type not in FORMS:
        return {"body": hashlib.sha256(request.body).hexdigest()}
    posted = {name: values for name, values in request.POST.lists() if name not in NOT_PAYLOAD}
    return {"posted": posted, "files": files_of(request)}


def _digest_of(file: "UploadedFile[Any]") -> str:
    digest = hashlib.sha256()
    for chunk in file.chunks():
        digest.update(chunk)
    file.seek(0)
    return digest.hexdigest()


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
