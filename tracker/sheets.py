"""Tables of figures: the same on a page, as CSV and as a workbook."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.http import FileResponse, HttpRequest, StreamingHttpResponse
from django.utils.formats import date_format
from django.utils.text import slugify
from django.utils.timezone import localdate, localtime
from django.utils.translation import gettext_lazy as _

from crud.export import csv_parts, workbook
from crud.views.export import XLSX
from dynamo.errors import Text
from tracker.batting import NOTHING_TO_DIVIDE, Line
from tracker.statistics import COLUMNS, Column, Total

ASCENDING, DESCENDING = "ascending", "descending"


@dataclass(frozen=True)
class Heading:
    """A column; `meaning` is said where the title is an abbreviation. With `sort`, its title is a link."""

    title: Text
    meaning: Text = ""
    is_number: bool = True
    sort: str = ""
    order: str = ""
    is_beside: bool = False


@dataclass(frozen=True)
class Cell:
    """What a page shows, and the `value` that a file gets: numbers as numbers, times as times.

    `is_beside` belongs to the first cell of its row: a phone shows it there, so that figures are in sight.
    """

    text: Text
    value: Any = None
    address: str = ""
    is_number: bool = False
    is_beside: bool = False


Row = Sequence[Cell]


@dataclass(frozen=True)
class Sheet:
    """`name` is the beginning of its file's name. The first cell of a row says whose it is."""

    name: str
    title: Text
    headings: Sequence[Heading]
    rows: Sequence[Row]
    # What the rows come to.
    foot: Sequence[Row] = field(default_factory=list)


# --- What tables are made of --------------------------------------------------------------------------------


def words(*titles: Text) -> list[Heading]:
    return [Heading(title, is_number=False) for title in titles]


def besides(*titles: Text) -> list[Heading]:
    return [Heading(title, is_number=False, is_beside=True) for title in titles]


def numbers(*titles: Text) -> list[Heading]:
    return [Heading(title) for title in titles]


def text(value: Text, address: str = "") -> Cell:
    return Cell(value, str(value), address)


def beside(value: Text) -> Cell:
    return Cell(value, str(value), is_beside=True)


def number(value: float | None) -> Cell:
    return Cell("" if value is None else f"{value:g}", value, is_number=True)


def day(moment: datetime | None, address: str = "") -> Cell:
    if moment is None:
        return Cell(_("No date"), None, address)
    local = localtime(moment)
    return Cell(date_format(local, "SHORT_DATE_FORMAT"), local.replace(tzinfo=None), address)


def figure(column: Column, line: Line) -> Cell:
    """In a file, what is rounded on the page is a number as well; what cannot be divided is empty."""
    shown = column.text(line)
    if shown == NOTHING_TO_DIVIDE:
        return Cell(shown, None, is_number=True)
    return Cell(shown, float(shown) if "." in shown else int(shown), is_number=True)


def figure_headings(sort: str = "", *, sortable: bool = False) -> list[Heading]:
    games = Heading("G", _("Games"))
    return [*(_heading(column, sort, sortable=sortable) for column in COLUMNS), games]


def figures(total: Total) -> list[Cell]:
    """One cell for each of `figure_headings`."""
    return [*(figure(column, total.line) for column in COLUMNS), number(total.games)]


def _heading(column: Column, sort: str, *, sortable: bool) -> Heading:
    """The first click begins with the most, a second one turns the order."""
    order = {column.key: ASCENDING, f"-{column.key}": DESCENDING}.get(sort, "")
    other = column.key if order == DESCENDING else f"-{column.key}"
    return Heading(column.title, column.name, sort=other if sortable else "", order=order)


# --- Files --------------------------------------------------------------------------------------------------


def as_file(
    request: HttpRequest, about: str, sheets: Mapping[str, Sheet]
) -> FileResponse | StreamingHttpResponse | None:
    """The sheet that `?list=` names, as the file that `?as=` asks for; None for a page."""
    kind = request.GET.get("as", "")
    sheet = sheets.get(request.GET.get("list", "")) or next(iter(sheets.values()))
    return file_of(sheet, about, kind) if kind in ("csv", "xlsx") else None


def file_of(sheet: Sheet, about: str, kind: str) -> FileResponse | StreamingHttpResponse:
    name = f"{sheet.name}-{slugify(about) or 'team'}-{localdate().isoformat()}.{kind}"
    titles = [str(heading.title) for heading in sheet.headings]
    lines = [[cell.value for cell in row] for row in (*sheet.rows, *sheet.foot)]
    if kind == "xlsx":
        return FileResponse(
            workbook(sheet.name, titles, lines), as_attachment=True, filename=name, content_type=XLSX
        )
    response = StreamingHttpResponse(csv_parts(titles, iter(lines)), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
