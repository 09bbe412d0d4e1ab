"""Bodies as the forms of the pages take them, and what a service refuses by the fields of the body."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pydantic import BaseModel

from api.operations import InvalidFields
from api.problems import FieldError
from core.dynamo.errors import DataError, KeyReused

# What a form refuses; other statuses say something about another record.
OF_A_FIELD = (400, 422)


def posted(body: BaseModel, names: Mapping[str, str]) -> dict[str, Any]:
    """What was sent, by the fields of the form; null empties a field."""
    sent = body.model_dump(exclude_unset=True)
    return {names[name]: "" if value is None else value for name, value in sent.items() if name in names}


@contextmanager
def named(names: Mapping[str, str], *, otherwise: str | None = None) -> Iterator[None]:
    """400 that names the field of the body for a refused field of the form, or else `otherwise`."""
    try:
        yield
    except DataError as error:
        name = next((name for name, field in names.items() if field == error.field), otherwise)
        is_told = isinstance(error, InvalidFields | KeyReused)
        if name is None or is_told or error.status_code not in OF_A_FIELD:
            raise
        raise wrong(name, error.message) from error


def wrong(name: str, message: Any) -> InvalidFields:
    """What is wrong with a field of the body."""
    return InvalidFields([FieldError(f"/body/{name}", message)])
