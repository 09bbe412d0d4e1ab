"""Example sponsors: for good, for a year, about to end and expired."""

from contextlib import suppress
from datetime import timedelta

from django.utils.timezone import localdate

from cms import repository
from cms.models import Sponsor
from cms.services.calendar import midnight
from core.dynamo.actors import SYSTEM
from core.dynamo.errors import AlreadyExists

# Name, website, description, days until it expires.
SPONSORS: list[tuple[str, str | None, str | None, int | None]] = [
    ("Bäckerei Kornblum", "https://kornblum.example", "Brötchen für jedes Heimspiel.", 300),
    ("Stadtwerke Auenfeld", "https://stadtwerke-auenfeld.example", None, None),
    ("Radhaus Tesfaye", "https://radhaus.example/verein", "Repariert auch unseren Ballwagen.", 18),
    ("Weingut Überholz", None, None, 180),
    ("Druckerei Altmeister", "https://altmeister.example", "Bis zuletzt unsere Plakate.", -2),
]


def load() -> None:
    today = localdate()
    for name, website, description, days in SPONSORS:
        expiry = midnight(today + timedelta(days=days)) if days is not None else None
        with suppress(AlreadyExists):
            repository.sponsors.create(
                Sponsor(name=name, website=website, description=description, expiry_timestamp=expiry),
                actor=SYSTEM,
            )
