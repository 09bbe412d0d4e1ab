"""Example bookings of the bus: past, going on and to come, by several people."""

from contextlib import suppress
from datetime import timedelta
from uuid import NAMESPACE_URL, uuid5

from django.utils.timezone import localdate

from cms import repository
from cms.demo.article import authors_by_name
from cms.models import Booking
from core.dynamo.actors import SYSTEM
from core.dynamo.errors import AlreadyExists

# Driver, comment, first and last day, counted from the day of loading; who has booked it.
BOOKINGS: list[tuple[str, str | None, int, int, str]] = [
    ("Maya Rosenthal", "Trainingslager der Jugend", -1, 2, "Maya"),
    ("Moritz Feldkamp", "Auswärtsspiel Herren 1 in Kandertal", 5, 5, "Moritz"),
    ("Odile Brandt", "Neue Netze abholen", 8, 8, "Odile"),
    ("Lennart Tesfaye", "Auswärtswochenende Damen 1, Rückkehr am Sonntag spät", 12, 13, "Milan"),
    ("Milan Petrov", None, 19, 21, "Milan"),
    ("Maya Rosenthal", "Ferienfreizeit am See", 40, 52, "Maya"),
    ("Moritz Feldkamp", "Schiedsrichterlehrgang", -9, -8, "Moritz"),
    ("Odile Brandt", "Kuchentheke für den Aktionstag", -23, -23, "Odile"),
]


def load() -> None:
    bookers = authors_by_name()
    today = localdate()
    for driver, comment, first, last, booker in BOOKINGS:
        booking = Booking(
            # The days differ when it is loaded again later, so it is the key that comes only once.
            id=str(uuid5(NAMESPACE_URL, f"booking/{driver}/{comment}")),
            driver=driver,
            comment=comment,
            from_day=today + timedelta(days=first),
            to_day=today + timedelta(days=last),
            booker_id=bookers.get(booker),
        )
        with suppress(AlreadyExists):
            repository.bookings.create(booking, actor=SYSTEM)
