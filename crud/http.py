"""Answers that are right with and without JavaScript."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import IO, Any, TypeVar

from django.http import (
    FileResponse,
    HttpRequest,
    HttpResponse,
    HttpResponseRedirect,
    StreamingHttpResponse,
)
from django.shortcuts import render
from django.utils.timezone import localdate
from django_htmx.http import HttpResponseClientRedirect

from dynamo.prefetch import Wanted

View = TypeVar("View", bound=Callable[..., HttpResponse])
MOST_DIGITS = 18
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def is_htmx(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


def reading(reads: Callable[..., Iterable[Wanted]]) -> Callable[[View], View]:
    """Declare what a view reads first, given its request and arguments: it comes with the session."""

    def declare(view: View) -> View:
        view.reads = reads  # type: ignore[attr-defined]
        return view

    return declare


def go(request: HttpRequest, address: str) -> HttpResponse:
    """Lead to another page: a redirect would be followed inside the fragment."""
    return HttpResponseClientRedirect(address) if is_htmx(request) else HttpResponseRedirect(address)


def small_number(text: str, otherwise: int = 0) -> int:
    """A number out of a request. Python refuses to read thousands of digits, which anybody can send."""
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else otherwise


def page_or_partial(
    request: HttpRequest, template: str, partial: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """The whole page, or the part of it that HTMX asked for."""
    name = f"{template}#{partial}" if is_htmx(request) else template
    return render(request, name, context, status=status)


def with_headers(response: HttpResponse, headers: Mapping[str, str] | None) -> HttpResponse:
    """Such as those of a refusal, which say when to try again."""
    for name, value in (headers or {}).items():
        response[name] = value
    return response


def csv_file(name: str, parts: Iterator[str]) -> StreamingHttpResponse:
    """Named with the day, since what it tells may be different tomorrow; so is a workbook."""
    response = StreamingHttpResponse(parts, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{_of_today(name)}.csv"'
    return response


def xlsx_file(name: str, file: IO[bytes]) -> FileResponse:
    return FileResponse(file, as_attachment=True, filename=f"{_of_today(name)}.xlsx", content_type=XLSX)


def _of_today(name: str) -> str:
    return f"{name}-{localdate().isoformat()}"
