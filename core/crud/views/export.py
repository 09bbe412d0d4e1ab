"""The filtered list as a file download."""

from collections.abc import Iterator
from itertools import chain, islice

from django.http import FileResponse, StreamingHttpResponse
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest
from core.crud import export
from core.crud.export import Line
from core.crud.http import csv_file, xlsx_file
from core.crud.resource import Resource
from core.crud.rows import listing_from


@require_safe
def as_csv(request: SignedInRequest, resource: Resource) -> StreamingHttpResponse:
    parts = export.csv_parts(export.headings(request.user, resource), _begun(_lines(request, resource)))
    return csv_file(resource.slug, parts)


@require_safe
def as_xlsx(request: SignedInRequest, resource: Resource) -> FileResponse:
    file = export.workbook(resource.slug, export.headings(request.user, resource), _lines(request, resource))
    return xlsx_file(resource.slug, file)


def _lines(request: SignedInRequest, resource: Resource) -> Iterator[Line]:
    return export.lines(request.user, resource, listing_from(resource, request.GET))


def _begun(lines: Iterator[Line]) -> Iterator[Line]:
    """Read the first page before the response starts, so that an outage is an error page, not a file."""
    return chain(list(islice(lines, 1)), lines)
