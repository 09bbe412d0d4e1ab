"""A list page against what it must contain: the bare requests to DynamoDB and its template."""

import statistics
import time
from collections.abc import Callable
from typing import Any

from django.template import Context
from django.template.loader import get_template
from django.test import Client

from accounts import directory
from dynamo import connection
from dynamo.actors import SYSTEM
from tests.cast import CAST, sign_in
from tests.cms.filling import fill

ROUNDS = 100
ADDRESS = "/cms/news/"


def ratio() -> float:
    """Medians of interleaved rounds, so that a busy machine slows both alike."""
    user = CAST["official"]
    directory.enter(user.sub, name=user.name, email=user.email, actor=SYSTEM)
    fill(0, 500)
    client = sign_in(Client(), "official")
    requests = _requests_of(lambda: client.get(ADDRESS))
    # The test client signals every rendered template, so the page's own context can be had from it.
    shown = client.get(ADDRESS).context
    context = {name: shown[name] for name in shown.keys()}  # noqa: SIM118
    template = get_template("crud/list.html").template
    pages, parts = [], []
    for _round in range(ROUNDS):
        parts.append(_seconds(lambda: _parts(requests, template, context)))
        pages.append(_seconds(lambda: client.get(ADDRESS)))
    return statistics.median(pages) / statistics.median(parts)


def _parts(requests: list[tuple[str, dict[str, Any]]], template: Any, context: dict[str, Any]) -> None:
    client = connection.connection().client
    for operation, request in requests:
        client._make_api_call(operation, dict(request))
    template.render(Context(context))


def _requests_of(work: Callable[[], object]) -> list[tuple[str, dict[str, Any]]]:
    """The requests that DynamoDB gets while the work is done."""
    sent: list[tuple[str, dict[str, Any]]] = []
    send = connection.SharedConnection._send

    def noting(shared: Any, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        sent.append((operation, dict(request)))
        return send(shared, operation, request)

    connection.SharedConnection._send = noting  # type: ignore[method-assign]
    try:
        work()
    finally:
        connection.SharedConnection._send = send  # type: ignore[method-assign]
    return sent


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
