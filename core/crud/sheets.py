"""Tables of figures, for a page, as CSV and as an Excel workbook.

The files are written by `core/crud/export.py`, which also exports the lists of resources.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from html import escape
from typing import Any

from django.http import FileResponse, HttpRequest, QueryDict, StreamingHttpResponse
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.utils.timezone import localtime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.crud.export import csv_parts, workbook
from core.crud.html import icon
from core.crud.http import csv_file, xlsx_file
from core.dynamo.errors import Text

FILES = ("csv", "xlsx")
ASCENDING, DESCENDING = "ascending", "descending"
ARROWS = {ASCENDING: "arrow-up", DESCENDING: "arrow-down"}


@dataclass(frozen=True)
class Heading:
    """A column; its title may be a link: to an `address`, or one that sorts by it.

    `meaning` explains a title that is an abbreviation; `order` is the order of the rows by it, if any.
    """

    title: Text
    meaning: Text = ""
    is_number: bool = True
    sort: str = ""
    order: str = ""
    address: str = ""
    is_side: bool = False


@dataclass(frozen=True)
class Cell:
    """The text for a page, and the `value` for a file: numbers as numbers, times as times.

    With `is_side` a phone shows it in the first cell of its row, to leave room for figures. `label` is the
    accessible name of a link whose text alone would be ambiguous.
    """

    text: Text
    value: Any = None
    address: str = ""
    is_number: bool = False
    is_side: bool = False
    label: str = ""


Row = Sequence[Cell]


@dataclass(frozen=True)
class Sheet:
    """`name` is the beginning of its file name. A row begins with its heading, or its rank and that."""

    name: str
    title: Text
    headings: Sequence[Heading]
    rows: Sequence[Row]
    # Totals.
    foot: Sequence[Row] = field(default_factory=list)
    is_ranked: bool = False
    # If set, each row has a checkbox of this name in the form #compare-form, with its first value.
    ticked: str = ""

    @cached_property
    def rows_html(self) -> SafeString:
        """The rows as HTML; a template takes ten times as long for a thousand cells."""
        tick = _tick(self.ticked) if self.ticked else None
        head = int(self.is_ranked)
        lines = (
            f"<tr>{_cells_html(row[:head])}{_head_html(row[head:], tick)}{_cells_html(row[head + 1 :])}</tr>"
            for row in self.rows
        )
        return mark_safe("\n".join(lines))  # noqa: S308

    @property
    def foot_html(self) -> SafeString:
        heads = (f'<th scope="row">{escape(str(row[0].text))}</th>' for row in self.foot)
        lines = (f"<tr>{head}{_cells_html(row[1:])}</tr>" for head, row in zip(heads, self.foot, strict=True))
        return mark_safe("\n".join(lines))  # noqa: S308


def headings_html(headings: Iterable[Heading], sort_asked: str = "", swaps: str = "") -> SafeString:
    """`sort_asked` is what links that sort ask for beside it; HTMX swaps what they lead to into `swaps`."""
    cells = (
        _heading_html(heading, f"sort-{number}", sort_asked, swaps)
        for number, heading in enumerate(headings, start=1)
    )
    return mark_safe("".join(cells))  # noqa: S308


def _heading_html(heading: Heading, identity: str, sort_asked: str, swaps: str) -> str:
    title, order = escape(str(heading.title)), heading.order
    if heading.meaning:
        title = f'<abbr title="{escape(str(heading.meaning))}">{title}</abbr>'
    if order:
        title += icon(ARROWS[order], "small")
    if heading.address:
        title = f'<a href="{escape(heading.address)}">{title}</a>'
    elif heading.sort:
        to = escape(f"?{sort_asked}&sort={heading.sort}" if sort_asked else f"?sort={heading.sort}")
        swap = f' hx-get="{to}" hx-target="{escape(swaps)}" hx-swap="outerHTML" hx-push-url="true"'
        title = f'<a id="{identity}" href="{to}"{swap if swaps else ""}>{title}</a>'
    sorts = f' aria-sort="{order}"' if order else ""
    return f'<th scope="col"{_class_of(heading)}{sorts}>{title}</th>'


def _cells_html(cells: Row) -> str:
    return "".join(f"<td{_class_of(cell)}>{_text_html(cell)}</td>" for cell in cells)


def _class_of(cell: Cell | Heading) -> str:
    if cell.is_number:
        return ' class="number"'
    return ' class="figure-beside"' if cell.is_side else ""


def _text_html(cell: Cell) -> str:
    if not cell.address:
        return escape(str(cell.text))
    label = f' aria-label="{escape(cell.label)}"' if cell.label else ""
    return f'<a href="{escape(cell.address)}"{label}>{escape(str(cell.text))}</a>'


def _head_html(row: Row, tick: str | None) -> str:
    below = "".join(
        f'<span class="figure-below">{escape(str(cell.text))}</span>'
        for cell in row
        if cell.is_side and cell.value
    )
    html = f"{_text_html(row[0])}{below}"
    if tick is not None:
        html = f'<div class="figure-who">{tick % {"name": escape(str(row[0].value))}}<div>{html}</div></div>'
    return f'<th scope="row">{html}</th>'


def _tick(name: str) -> str:
    """The checkbox of a row, as a %-format with its name."""
    label = escape(gettext("Compare %(name)s"))
    return (
        f'<label class="figure-tick" for="tick-%(name)s"><input type="checkbox" form="compare-form" '
        f'name="{name}" id="tick-%(name)s" value="%(name)s">'
        f'<span class="visually-hidden">{label}</span></label>'
    )


# --- Headings and cells -------------------------------------------------------------------------------------


def text_columns(*titles: Text) -> list[Heading]:
    return [Heading(title, is_number=False) for title in titles]


def side_columns(*titles: Text) -> list[Heading]:
    return [Heading(title, is_number=False, is_side=True) for title in titles]


def numbers(*titles: Text) -> list[Heading]:
    return [Heading(title) for title in titles]


def sortable(heading: Heading, key: str, sort: str, *, first: str = DESCENDING) -> Heading:
    """`sort` is the current order. The first click gives the `first` order, a second one reverses it."""
    order = {key: ASCENDING, f"-{key}": DESCENDING}.get(sort, "")
    descends = (first == DESCENDING) != (order == first)
    return replace(heading, sort=f"-{key}" if descends else key, order=order)


def text(value: Text, address: str = "") -> Cell:
    return Cell(value, str(value), address)


def side_cell(value: Text) -> Cell:
    return Cell(value, str(value), is_side=True)


def number(value: float | None) -> Cell:
    return Cell("" if value is None else f"{value:g}", value, is_number=True)


def day(moment: datetime | None, address: str = "") -> Cell:
    if moment is None:
        return Cell(_("No date"), None, address)
    local = localtime(moment)
    return Cell(date_format(local, "SHORT_DATE_FORMAT"), local.replace(tzinfo=None), address)


# --- Files --------------------------------------------------------------------------------------------------


def asked(given: QueryDict, *also_without: str) -> str:
    """The query string without the parameters of files, for other links."""
    kept = given.copy()
    for name in ("as", "list", *also_without):
        kept.pop(name, None)
    return kept.urlencode()


def listed(request: HttpRequest, sheets: Mapping[str, Sheet]) -> Sheet:
    """The sheet that `?list=` names, else the first one."""
    return sheets.get(request.GET.get("list", "")) or next(iter(sheets.values()))


def asks_for_file(request: HttpRequest) -> bool:
    return request.GET.get("as", "") in FILES


def as_file(request: HttpRequest, sheet: Sheet, about: str) -> FileResponse | StreamingHttpResponse | None:
    """The sheet as the file that `?as=` asks for, None for a page."""
    return file_of(sheet, about, request.GET["as"]) if asks_for_file(request) else None


def file_of(sheet: Sheet, about: str, kind: str) -> FileResponse | StreamingHttpResponse:
    """`about` is the second part of the file name: whose figures these are."""
    name = "-".join(filter(None, [sheet.name, slugify(about)]))
    titles = [str(heading.title) for heading in sheet.headings]
    lines = [[cell.value for cell in row] for row in (*sheet.rows, *sheet.foot)]
    if kind == "xlsx":
        return xlsx_file(name, workbook(sheet.name, titles, lines))
    return csv_file(name, csv_parts(titles, iter(lines)))
