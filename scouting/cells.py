"""Builders of table cells: scores with one decimal, shares in per cent, answers in words."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.template.defaultfilters import floatformat
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext

from core.crud.sheets import Cell
from scouting.forms.presenters import NOTHING, in_words
from scouting.games.definition import PHASES, Question
from scouting.revision_cache import cached_by_language

Value = str | int | float | None


def cell(
    value: Value, address: str = "", *, is_share: bool = False, is_side: bool = False, label: str = ""
) -> Cell:
    """A cell for one value. None is a dash on a page and empty in a file."""
    is_number = value is None or isinstance(value, int | float)
    text = value if isinstance(value, str) else "" if value is None else _number_text(value, is_share)
    return Cell(text or NOTHING, value, address, is_number, is_side, label)


# Cached, because most figures repeat from view to view, and Django's rounding is slow.
@cached_by_language(4096)
def _number_text(value: float, is_share: bool) -> str:
    if is_share:
        return f"{floatformat(100 * value, 0)} %"
    # floatformat rounds half up; number_format would truncate.
    return floatformat(value, 0 if isinstance(value, int) else 1)


def cells(*values: Value) -> list[Cell]:
    return [cell(value) for value in values]


def compared(label: str, values: Sequence[Value]) -> list[Cell]:
    """One cell for each team or report in a row of a comparison; values that differ are marked.

    Only the page shows the mark: in a file it would give one value two names.
    """
    mark = " \N{NOT EQUAL TO}" if len(set(values)) > 1 else ""
    return [Cell(f"{label}{mark}", label), *cells(*values)]


def question_title(question: Question) -> str:
    """The title with its phase or section, since autonomous and teleop ask the same questions."""
    return f"{PHASES.get(question.phase, question.phase)}: {question.label}"


def moment(value: datetime) -> str:
    """A point in time, in the same format in every language, so that files sort by it."""
    return date_format(localtime(value), "Y-m-d H:i")


def yes_no(value: bool | None) -> str:
    return gettext("Yes") if value else gettext("No")


def answers(questions: Iterable[Question], values: Mapping[str, Any]) -> list[Cell]:
    """One cell for each question: numbers as numbers, the rest in words; empty if there is no answer."""
    return [cell(answer(question, values.get(question.key))) for question in questions]


def answer(question: Question, value: Any) -> Value:
    if value is None or value == "" or value == []:
        return None
    return value if question.is_number else in_words(question, value)
