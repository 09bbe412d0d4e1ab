"""Tables of figures: the same cells as a page, as CSV and as a workbook."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.http import FileResponse, HttpRequest, StreamingHttpResponse
from django.template.defaultfilters import floatformat
from django.utils.timezone import localdate

from crud.export import csv_parts, workbook
from crud.views.export import XLSX
from dynamo.errors import Text

NOTHING = "\N{EN DASH}"
Value = str | int | float | None


@dataclass(frozen=True)
class Heading:
    """A column; with a `sort`, its title is a link that sorts by it."""

    title: Text
    is_number: bool = True
    sort: str = ""
    # Whether the rows are in its order: "ascending", "descending", or not.
    order: str = ""


@dataclass(frozen=True)
class Cell:
    value: Value
    address: str = ""
    is_share: bool = False

    @property
    def is_number(self) -> bool:
        return self.value is None or isinstance(self.value, int | float)

    @property
    def text(self) -> str:
        """For a page: one decimal, shares in per cent."""
        if self.value is None or self.value == "":
            return NOTHING
        if isinstance(self.value, str):
            return self.value
        if self.is_share:
            return f"{floatformat(100 * self.value, 0)} %"
        # Rounds half up, as people do; number_format would cut off.
        return floatformat(self.value, 0 if isinstance(self.value, int) else 1)


@dataclass(frozen=True)
class Sheet:
    """`name` is the name of its file. The first cell of a row says whose it is."""

    name: str
    title: Text
    headings: Sequence[Heading]
    rows: Sequence[Sequence[Cell]] = field(default_factory=list)


def cells(*values: Value) -> list[Cell]:
    return [Cell(value) for value in values]


def words(*titles: Text) -> list[Heading]:
    return [Heading(title, is_number=False) for title in titles]


def numbers(*titles: Text) -> list[Heading]:
    return [Heading(title) for title in titles]


def as_file(request: HttpRequest, sheet: Sheet, event: str) -> FileResponse | StreamingHttpResponse | None:
    """The sheet as the file that `?as=` asks for, None for a page."""
    kind = request.GET.get("as", "")
    if kind not in ("csv", "xlsx"):
        return None
    name = f"{sheet.name}-{event}-{localdate().isoformat()}.{kind}"
    titles = [str(heading.title) for heading in sheet.headings]
    lines = [[cell.value for cell in row] for row in sheet.rows]
    if kind == "xlsx":
        return FileResponse(
            workbook(sheet.name, titles, lines), as_attachment=True, filename=name, content_type=XLSX
        )
    response = StreamingHttpResponse(csv_parts(titles, iter(lines)), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
