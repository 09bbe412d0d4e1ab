"""Types of fields that the schemas of several domains share."""

from datetime import UTC, date, datetime
from typing import Annotated, Any

from django import forms
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from core.dynamo.items import StoredModel
from core.media.private_photos import PhotoFields, name_of

FIRST_YEAR, LAST_YEAR = 1900, 9000


def _day(text: str) -> str:
    """A day such as 2026-03-05; the other forms of ISO 8601 are refused."""
    try:
        is_day = date.fromisoformat(text).isoformat() == text
    except ValueError:
        is_day = False
    if not is_day:
        raise ValueError("A day is a text such as 2026-03-05.")
    return text


def _moment(text: Any) -> datetime:
    """A time with its offset, of years with which there is room to compute."""
    try:
        moment = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        raise ValueError("A time is a text such as 2026-03-05T17:04:12Z.") from None
    if moment.tzinfo is None:
        raise ValueError("A time has an offset, such as Z or +02:00.")
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        raise ValueError(f"A year is from {FIRST_YEAR} to {LAST_YEAR}.")
    return moment.astimezone(UTC)


def whole(value: Any) -> Any:
    """1.0 is an integer in JSON."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Moment = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
# A time as it is sent: ISO 8601 with an offset.
SentMoment = Annotated[datetime, BeforeValidator(_moment)]
Day = Annotated[str, AfterValidator(_day), Field(json_schema_extra={"format": "date"})]
Number = int | float
# Patterns of texts: Django refuses a NUL, and strips what Python takes for blanks.
TEXT = r"^[^\x00]*$"
NOT_BLANK = r"^[^\x00]*[^\s\x00-\x1f\x85][^\x00]*$"
# What is wrong with a text that they refuse.
REFUSED_BY = {
    TEXT: "This contains a NUL character.",
    NOT_BLANK: "This is blank, or contains a NUL character.",
}
# The configuration of bodies.
SENT = ConfigDict(strict=True, extra="forbid")


def names_of(model: type[StoredModel], *hidden: str) -> dict[str, str]:
    """The attributes of a model by their names in the document."""
    attributes = model.get_attributes()
    return {each.attr_name: name for name, each in attributes.items() if name not in hidden}


class Photo(BaseModel):
    """A private photo; `name` is its last part in the address of the operation that answers it."""

    name: str
    title: str


def photos(stored: list[PhotoFields] | None) -> list[dict[str, str]]:
    """The photos of a record, each as a `Photo`."""
    return [{"name": name_of(photo["s3Key"]), "title": photo["name"]} for photo in stored or ()]


# The limits of a schema by those of a Django field.
LIMITS = {"min_length": "min_length", "max_length": "max_length", "min_value": "ge", "max_value": "le"}


def limits_of(form: type[forms.Form], name: str) -> Any:
    """The limits of a field of a Django form, for the schema of a body that goes through this form."""
    return limits(form.base_fields[name])


def limits(field: forms.Field) -> Any:
    found = {limit: getattr(field, attribute, None) for attribute, limit in LIMITS.items()}
    return Field(**{limit: value for limit, value in found.items() if value is not None})
