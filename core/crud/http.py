"""Responses for requests with and without HTMX, downloads, and declared reads of views."""

from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any, TypeVar

from django.http import (
    FileResponse,
    HttpRequest,
    HttpResponse,
    StreamingHttpResponse,
)
from django.shortcuts import render
from django.utils.timezone import localdate

from core.common.http import is_htmx
from core.dynamo.prefetch import Wanted

View = TypeVar("View", bound=Callable[..., Any])
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def prefetches(reads: Callable[..., Iterable[Wanted]]) -> Callable[[View], View]:
    """Declare the items that a view reads first, so that they are fetched in one request with the session."""

    def declare(view: View) -> View:
        view.reads = reads  # type: ignore[attr-defined]
        return view

    return declare


def page_or_partial(
    request: HttpRequest, template: str, partial: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """The whole page, or for HTMX the partial if there is one."""
    name = f"{template}#{partial}" if partial and is_htmx(request) else template
    return render(request, name, context, status=status)


def csv_file(name: str, parts: Iterator[str]) -> StreamingHttpResponse:
    """A streamed CSV download whose file name contains the day."""
    response = StreamingHttpResponse(parts, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}-{localdate()}.csv"'
    return response


def xlsx_file(name: str, file: IO[bytes]) -> FileResponse:
    return FileResponse(file, as_attachment=True, filename=f"{name}-{localdate()}.xlsx", content_type=XLSX)
