"""Tables of figures: the same cells as a page, as CSV and as a workbook."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.http import FileResponse, HttpRequest, StreamingHttpResponse
from django.template.defaultfilters import floatformat
from django.utils.formats import date_format
from django.utils.timezone import localdate, localtime
from django.utils.translation import gettext

from crud.export import csv_parts, workbook
from crud.views.export import XLSX
from dynamo.errors import Text
from scouting.forms.showing import in_words
from scouting.game import PHASES, Question

NOTHING = "\N{EN DASH}"
Value = str | int | float | None


@dataclass(frozen=True)
class Heading:
    """A column; its title may be a link: to an `address`, or one that sorts by it."""

    title: Text
    is_number: bool = True
    sort: str = ""
    # Whether the rows are in its order: "ascending", "descending", or not.
    order: str = ""
    address: str = ""
    is_name: bool = False


@dataclass(frozen=True)
class Cell:
    """`is_name` is the name of what the first cell of the row has the number of.

    `label` is what a link is called where its text alone would not tell it from others. A `mark` is for the
    page: in a file it would make two names of one thing.
    """

    value: Value
    address: str = ""
    is_share: bool = False
    is_name: bool = False
    label: str = ""
    mark: str = ""

    @property
    def is_number(self) -> bool:
        return self.value is None or isinstance(self.value, int | float)

    @property
    def text(self) -> str:
        """For a page: one decimal, shares in per cent."""
        if self.value is None or self.value == "":
            return NOTHING
        if isinstance(self.value, str):
            return f"{self.value} {self.mark}".rstrip()
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


def compared(label: str, values: Sequence[Value]) -> list[Cell]:
    """What several say about one thing; marked if they differ, which is what somebody looks for."""
    mark = "\N{NOT EQUAL TO}" if len(set(values)) > 1 else ""
    return [Cell(label, mark=mark), *cells(*values)]


def question_title(question: Question) -> str:
    """With its phase or section: the same is asked of autonomous and teleop."""
    return f"{PHASES.get(question.phase, question.phase)}: {question.label}"


def moment(value: datetime) -> str:
    """The same in every language, so that files sort by it."""
    return date_format(localtime(value), "Y-m-d H:i")


def yes_no(value: bool | None) -> str:
    return gettext("yes") if value else gettext("no")


def answers(questions: Iterable[Question], values: Mapping[str, Any]) -> list[Cell]:
    """One cell for each question: numbers as numbers, the rest in words; empty if it was not answered."""
    return [Cell(answer(question, values.get(question.key))) for question in questions]


def answer(question: Question, value: Any) -> Value:
    if value is None or value == "" or value == []:
        return None
    return value if question.is_number else in_words(question, value)


def words(*titles: Text) -> list[Heading]:
    return [Heading(title, is_number=False) for title in titles]


def numbers(*titles: Text) -> list[Heading]:
    return [Heading(title) for title in titles]


def as_file(request: HttpRequest, sheet: Sheet, event: str) -> FileResponse | StreamingHttpResponse | None:
    """The sheet as the file that `?as=` asks for, None for a page."""
    kind = request.GET.get("as", "")
    return file_of(sheet, event, kind) if kind in ("csv", "xlsx") else None


def file_of(sheet: Sheet, event: str, kind: str) -> FileResponse | StreamingHttpResponse:
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
