"""Bodies of stand and pit forms through the Django forms of the screens, so that both obey the same rules."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from pydantic import BaseModel

from api.fields import whole
from api.forms import valid
from api.operations import InvalidFields
from api.problems import FieldError
from api.scouting.documents import FormDocument
from scouting.forms.forms import Entry
from scouting.forms.questions import PREFIX
from scouting.games.definition import COUNTER, MULTI, TIMER, YES_NO, Question

# Far above every limit of a question; what is beyond no float may be no number for Django.
LARGEST_NUMBER = 10**9
TYPES: Mapping[str, type | tuple[type, ...]] = {COUNTER: int, TIMER: (int, float), YES_NO: bool, MULTI: list}


def posted(
    document: FormDocument, questions: tuple[Question, ...], body: BaseModel, stored: Any = None
) -> dict[str, Any]:
    """What was sent as the Django form takes it. Raises InvalidFields.

    An item may be sent back as it was read: what the server computes is ignored, and so is what a
    `stored` form has already. But its place cannot be changed in passing.
    """
    asked = {question.key: question for question in questions}
    sent = body.model_dump(exclude_unset=True)
    declared = type(body).model_fields
    data: dict[str, Any] = {document.names[name]: sent.pop(name) for name in declared if name in sent}
    known = document.of(stored) if stored else {}
    errors: list[FieldError] = []
    for name, value in sent.items():
        if name in known and known[name] == value:
            # Another program may have stored what is no answer here.
            continue
        if name in asked:
            value = whole(value)
            errors += list(_problems(asked[name], value))
            data[PREFIX + name] = value
        elif name in PLACE or name not in {*document.names, "key"}:
            errors.append(
                FieldError(f"/body/{name}", _("This form has no such field, or it cannot be changed."))
            )
    if errors:
        raise InvalidFields(errors)
    return data


def checked(document: FormDocument, entry: Entry) -> dict[str, Any]:
    """The attributes to write. Raises InvalidFields with what the Django form says."""
    questions = {name.removeprefix(PREFIX): name for name in entry.fields if name.startswith(PREFIX)}
    return valid(entry, {**document.names, **questions}).fields_of()


def _problems(question: Question, value: Any) -> Iterator[FieldError]:
    kind = TYPES.get(question.kind, str)
    is_right = isinstance(value, kind) and (question.kind == YES_NO or not isinstance(value, bool))
    if question.kind == MULTI and is_right:
        is_right = all(isinstance(each, str) for each in value)
    if is_right and isinstance(value, int | float):
        is_right = abs(value) <= LARGEST_NUMBER
    if not is_right:
        yield FieldError(f"/body/{question.key}", _("This is not a valid answer to this question."))


PLACE = {"event", "teamNumber", "matchNumber"}
