"""Events from Payload."""

from datetime import datetime
from typing import Any

from cms.events.forms import AddressForm, EventForm
from cms.events.models import LONGEST_EVENT, Event
from cms.events.repository import events
from cms.payload.document import Document
from cms.payload.kinds.kind import SluggedKind, keep_original, rich_text, status_of
from cms.payload.relations import Relations
from core.dynamo.attributes import to_iso


def event(document: Document, relations: Relations) -> Event:
    start = document.moment("date.startDate", "startDate")
    made = Event(
        title=document.needed_text(EventForm, "title"),
        description=rich_text(document, "description", relations),
        start_date=start,
        end_date=_end(document, start),
        address=_address(document),
        status=status_of(document, missing=[] if start else ["a date"]),
        image_ids=relations.many(document, "images", to="media"),
        author_ids=relations.people(document, "authors"),
    )
    keep_original(document, "description", made, "description_lexical")
    return made


def _end(document: Document, start: datetime | None) -> datetime | None:
    end = document.moment("date.endDate", "endDate")
    if end and start and start <= end <= start + LONGEST_EVENT:
        return end
    if end:
        document.note(f"its end was left out, for it does not fit its beginning: “{to_iso(end)}”")
    return None


def _address(document: Document) -> dict[str, Any] | None:
    """The parts of the address that are known and valid; None without any."""
    values = {name: document.text(f"address.{name}") for name in ("name", "street", "city")}
    values["postalCode"] = document.get("address.postalCode")
    parts = {name: document.wanted(AddressForm, name, value) for name, value in values.items()}
    return {name: value for name, value in parts.items() if value} or None


KIND = SluggedKind("events", events, event)
