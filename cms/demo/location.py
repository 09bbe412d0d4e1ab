"""Example places."""

from cms import repository
from cms.models import Location
from core.dynamo.actors import SYSTEM

# Name, street, postal code, town, description.
LOCATIONS = [
    (
        "Mühlenhalle",
        "Am Mühlbach 4",
        "79999",
        "Auenfeld",
        "Eingang auf der Rückseite. Parkplätze gibt es am Freibad.",
    ),
    ("Sporthalle am Rebberg", "Rebbergweg 17", "79999", "Auenfeld", "Nur mit hellen Sohlen."),
    ("Schulzentrum Nord", "Goethestraße 30", "79998", "Neuenberg", None),
    ("Beachanlage am Baggersee", "Seeweg", "79999", "Auenfeld", "Von Mai bis September, bei jedem Wetter."),
    ("Kraftraum im Vereinsheim", None, None, "Auenfeld", None),
]


def load() -> None:
    known = {location.name for location in repository.locations.by_name(limit=100).items}
    for name, street, postal, city, description in LOCATIONS:
        if name not in known:
            location = Location(name=name, street=street, postal=postal, city=city, description=description)
            repository.locations.create(location, actor=SYSTEM)
