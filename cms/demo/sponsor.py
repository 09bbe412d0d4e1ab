"""Example sponsors: for good, for a year, about to end and expired."""

from contextlib import suppress
from datetime import timedelta

from cms import repository
from cms.models import Sponsor
from dynamo.actors import SYSTEM
from dynamo.attributes import now
from dynamo.errors import AlreadyExists

# Name, website, description, days until it expires.
SPONSORS: list[tuple[str, str | None, str | None, int | None]] = [
    ("Bäckerei Kornblum", "https://kornblum.example", "Brötchen für jedes Heimspiel.", 300),
    ("Stadtwerke Auenfeld", "https://stadtwerke-auenfeld.example", None, None),
    ("Radhaus Tesfaye", "https://radhaus.example/verein", "Repariert auch unseren Ballwagen.", 18),
    ("Weingut Überholz", None, None, 180),
    ("Druckerei Altmeister", "https://altmeister.example", "Bis zuletzt unsere Plakate.", -2),
]


def load() -> None:
    today = now().replace(hour=22, minute=0, second=0, microsecond=0)
    for name, website, description, days in SPONSORS:
        expiry = today + timedelta(days=days) if days is not None else None
        with suppress(AlreadyExists):
            repository.sponsors.create(
                Sponsor(name=name, website=website, description=description, expiry_timestamp=expiry),
                actor=SYSTEM,
            )
