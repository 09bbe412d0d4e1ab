"""Tables of figures: the same on a page, as CSV and as a workbook."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.http import FileResponse, HttpRequest, QueryDict, StreamingHttpResponse
from django.utils.formats import date_format
from django.utils.text import slugify
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _

from crud.export import csv_parts, workbook
from crud.http import csv_file, xlsx_file
from dynamo.errors import Text

FILES = ("csv", "xlsx")
ASCENDING, DESCENDING = "ascending", "descending"


@dataclass(frozen=True)
class Heading:
    """A column; its title may be a link: to an `address`, or one that sorts by it.

    `meaning` is said where the title is an abbreviation; `order` is the one in which the rows are, if any.
    """

    title: Text
    meaning: Text = ""
    is_number: bool = True
    sort: str = ""
    order: str = ""
    address: str = ""
    is_beside: bool = False


@dataclass(frozen=True)
class Cell:
    """What a page shows, and the `value` that a file gets: numbers as numbers, times as times.

    `is_beside` belongs to the first cell of its row: a phone shows it there, so that figures are in sight.
    `label` is what a link is called where its text alone would not tell it from others.
    """

    text: Text
    value: Any = None
    address: str = ""
    is_number: bool = False
    is_beside: bool = False
    label: str = ""


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


def sortable(heading: Heading, key: str, sort: str, *, first: str = DESCENDING) -> Heading:
    """`sort` says in which order the rows are. One click gives the `first` order, a second one turns it."""
    order = {key: ASCENDING, f"-{key}": DESCENDING}.get(sort, "")
    descends = (first == DESCENDING) != (order == first)
    return replace(heading, sort=f"-{key}" if descends else key, order=order)


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


# --- Files --------------------------------------------------------------------------------------------------


def asked(given: QueryDict, *also_without: str) -> str:
    """What the page was asked for, without the file; other links keep it."""
    kept = given.copy()
    for name in ("as", "list", *also_without):
        kept.pop(name, None)
    return kept.urlencode()


def listed(request: HttpRequest, sheets: Mapping[str, Sheet]) -> Sheet:
    """The sheet that `?list=` names, else the first one."""
    return sheets.get(request.GET.get("list", "")) or next(iter(sheets.values()))


def as_file(request: HttpRequest, sheet: Sheet, about: str) -> FileResponse | StreamingHttpResponse | None:
    """The sheet as the file that `?as=` asks for, None for a page."""
    kind = request.GET.get("as", "")
    return file_of(sheet, about, kind) if kind in FILES else None


def file_of(sheet: Sheet, about: str, kind: str) -> FileResponse | StreamingHttpResponse:
    """`about` is the other half of its name: whose figures these are."""
    name = "-".join(filter(None, [sheet.name, slugify(about)]))
    titles = [str(heading.title) for heading in sheet.headings]
    lines = [[cell.value for cell in row] for row in (*sheet.rows, *sheet.foot)]
    if kind == "xlsx":
        return xlsx_file(name, workbook(sheet.name, titles, lines))
    return csv_file(name, csv_parts(titles, iter(lines)))
