"""Errors as problem details (RFC 9457)."""

import json
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import NamedTuple

from django.http import HttpResponse

from core.dynamo.errors import DataError, Text

CONTENT_TYPE = "application/problem+json"


class FieldError(NamedTuple):
    """What is wrong in a request, and where: a JSON pointer such as /body/matchNumber or /query/limit."""

    pointer: str
    detail: Text


def problem(
    status: int,
    detail: Text = "",
    *,
    errors: Iterable[FieldError] = (),
    headers: Mapping[str, str] | None = None,
) -> HttpResponse:
    title = HTTPStatus(status).phrase
    body: dict[str, object] = {"type": "about:blank", "title": title, "status": status}
    if detail:
        body["detail"] = str(detail)
    if found := [{"pointer": each.pointer, "detail": str(each.detail)} for each in errors]:
        body["errors"] = found
    return HttpResponse(
        # Escaped: a text may quote what was sent, which need not be valid Unicode.
        json.dumps(body),
        status=status,
        content_type=CONTENT_TYPE,
        headers={"Cache-Control": "no-store", **(headers or {})},
    )


def data_problem(error: DataError, *, pointer: str = "") -> HttpResponse:
    """The problem of an error of a service; `pointer` is the place of its field, if the request has that."""
    errors = [FieldError(pointer, error.message)] if pointer else []
    return problem(error.status_code, error.message, errors=errors, headers=error.headers)
