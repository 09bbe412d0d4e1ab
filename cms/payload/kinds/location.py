"""Locations from Payload."""

from cms.locations.forms import LocationForm
from cms.locations.models import Location
from cms.locations.repository import locations
from cms.payload.document import Document
from cms.payload.kinds.kind import Kind
from cms.payload.relations import Relations


def location(document: Document, relations: Relations) -> Location:
    names = ("address.postalCode", "postalCode", "postal")
    code = document.get(*names)
    # Payload stores a number, which loses a leading zero.
    postal = f"{code:05}" if isinstance(code, int) else document.text(*names)
    return Location(
        id=document.id,
        name=document.needed(LocationForm, "name", document.text("name")),
        description=document.wanted(LocationForm, "description", document.text("description")),
        street=document.wanted(LocationForm, "street", document.text("address.street", "street")),
        postal=document.wanted(LocationForm, "postal", postal),
        city=document.wanted(LocationForm, "city", document.text("address.city", "city")),
        created_at=document.moment("createdAt"),
    )


KIND = Kind("locations", locations, location)
