"""Export a list of records: as streamed CSV, or as an Excel workbook.

Tables that are also shown on a page, such as statistics, are in `core/crud/sheets.py`.
"""

import csv
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from typing import IO, Any

from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from core.accounts.user import User
from core.crud.listing import Column, Listing
from core.crud.publication import CHANGED
from core.crud.resource import Resource
from core.crud.rows import Row, find, rows_of
from core.dynamo.deadline import request_deadline
from core.dynamo.errors import DataError, Text
from core.dynamo.paging import StartKey

MOST_ROWS = 10_000
ROWS_PER_QUERY = 100
# A filter that no index serves reads 200 records per query and may keep none of them.
MOST_QUERIES = 250
BYTE_ORDER_MARK = "\ufeff"  # Excel reads a CSV without it as Latin-1.
# The first characters of a spreadsheet formula, also in their full-width forms.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
LONGEST_CELL = 32_767
FIRST_YEAR_OF_EXCEL = 1900
COLUMN_WIDTH = 20

Line = list[Any]


def headings(user: User, resource: Resource) -> list[str]:
    return [
        _("Key"),
        *(str(column.title) for column in resource.columns_for(user)),
        *map(str, _times(resource).values()),
    ]


def lines(user: User, resource: Resource, listing: Listing) -> Iterator[Line]:
    """One line per record, read page by page; if they are not all, the last line says so."""
    start: StartKey | None = None
    keys: set[str] = set()
    for _query in range(MOST_QUERIES):
        page, start = _page(user, resource, listing, start)
        # A search may find a record again on a later page, by another of its words.
        for line in (line for line in page if line[0] not in keys):
            if len(keys) == MOST_ROWS:
                text = _("This file has only the first %(most)s rows. Narrow the filters to get the rest.")
                yield [text % {"most": f"{MOST_ROWS:,}"}]
                return
            keys.add(line[0])
            yield line
        if start is None:
            return
    yield [
        _(
            "This file is not complete because there was too much to search. Narrow the filters to "
            "get the rest."
        )
    ]


def _page(
    user: User, resource: Resource, listing: Listing, start: StartKey | None
) -> tuple[list[Line], StartKey | None]:
    """A page of lines, with a deadline of its own, because the file is streamed after that of the request."""
    with request_deadline():
        page = find(user, resource, listing, limit=ROWS_PER_QUERY, start=start)
        rows = rows_of(user, resource, page.items)
        columns = resource.columns_for(user)
        read = [_line(resource, columns, record, row) for record, row in zip(page.items, rows, strict=True)]
    return read, page.next_key


def _line(resource: Resource, columns: Sequence[Column], record: Any, row: Row) -> Line:
    cells = [_value(column, value, row) for column, value in zip(columns, row.values, strict=True)]
    times = [_local(getattr(record, name)) for name in _times(resource)]
    return [row.key, *cells, *times]


def _times(resource: Resource) -> dict[str, Text]:
    """The times that every export has, unless the list shows them anyway."""
    listed = {column.name for column in resource.columns}
    times = {"created_at": _("Created"), "updated_at": _("Changed")}
    return {name: title for name, title in times.items() if name not in listed}


def _value(column: Column, value: Any, row: Row) -> Any:
    if column.kind == "flag":
        return _("Yes") if value else _("No")
    if column.kind == "badge":
        return ", ".join(filter(None, [str(value or ""), str(CHANGED) if row.is_changed else ""]))
    return _local(value)


def _local(value: Any) -> Any:
    """Times as naive local times, because spreadsheets have no time zones."""
    return localtime(value).replace(tzinfo=None) if isinstance(value, datetime) else value


# --- CSV ---------------------------------------------------------------------------------------------------


class _Echo:
    """A file whose `write` returns the text, for csv.writer."""

    def write(self, text: str) -> str:
        return text


def csv_parts(title_line: Sequence[str], records: Iterator[Line]) -> Iterator[str]:
    """The lines of the file; an outage is reported in the last line, as the response has begun already."""
    writer = csv.writer(_Echo())
    yield BYTE_ORDER_MARK + writer.writerow(title_line)
    try:
        for line in records:
            yield writer.writerow([_csv_cell(value) for value in line])
    except DataError as error:
        yield writer.writerow([_("THIS FILE IS INCOMPLETE."), str(error)])


def _csv_cell(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M")
    if value is None or isinstance(value, date | int | float):
        return value
    text = str(value)
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA_STARTS) else text


# --- Excel -------------------------------------------------------------------------------------------------


def workbook(name: str, title_line: Sequence[str], records: Iterable[Line]) -> IO[bytes]:
    """The workbook in a temporary file, written row by row; an outage raises before anything is sent."""
    import xlsxwriter  # 10 ms that no other page needs

    # The answer that sends it closes it.
    file: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
    try:
        with xlsxwriter.Workbook(file, {"constant_memory": True}) as book:
            _fill(book, book.add_worksheet(name), title_line, records)
    except DataError:
        file.close()
        raise
    file.seek(0)
    return file


def _fill(book: Any, sheet: Any, title_line: Sequence[str], records: Iterable[Line]) -> None:
    bold = book.add_format({"bold": True})
    times = book.add_format({"num_format": "yyyy-mm-dd hh:mm"})
    days = book.add_format({"num_format": "yyyy-mm-dd"})
    sheet.freeze_panes(1, 0)
    sheet.set_column(0, len(title_line) - 1, COLUMN_WIDTH)
    for place, title in enumerate(title_line):
        sheet.write_string(0, place, title, bold)
    for number, line in enumerate(records, start=1):
        for place, value in enumerate(line):
            _write_cell(sheet, (number, place), value, times=times, days=days)


def _write_cell(sheet: Any, at: tuple[int, int], value: Any, *, times: Any, days: Any) -> None:
    """Text is always written as text, so that nothing is evaluated as a formula."""
    if isinstance(value, int | float):
        sheet.write_number(*at, value)
    elif isinstance(value, date) and value.year >= FIRST_YEAR_OF_EXCEL:
        sheet.write_datetime(*at, value, times if isinstance(value, datetime) else days)
    elif value is not None:
        sheet.write_string(*at, str(value)[:LONGEST_CELL])
