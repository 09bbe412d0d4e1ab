"""Example teams: in a league and without one, published, in preparation and given up."""

from contextlib import suppress
from typing import Any, NamedTuple

from cms import repository
from cms.demo.sams import team_uuid
from cms.models import Team
from cms.services.team import team_slug
from core.content.status import ARCHIVED, DRAFT, PUBLISHED
from core.dynamo.actors import SYSTEM
from core.dynamo.errors import AlreadyExists


class Entry(NamedTuple):
    name: str
    status: str
    gender: str | None
    age: int | None = None
    league: str | None = None
    coaches: tuple[str, ...] = ()
    contacts: tuple[str, ...] = ()
    # Days, begin, end, place.
    trainings: tuple[tuple[str, str, str, str], ...] = ()
    instagram: str | None = None
    description: str | None = None


TEAMS = [
    Entry(
        "Herren 1",
        PUBLISHED,
        "men",
        16,
        "Landesliga",
        ("Ruben Achterberg", "Jonas Grünwald"),
        ("Ruben Achterberg",),
        (
            ("montags donnerstags", "20:00", "22:00", "Mühlenhalle"),
            ("samstags", "10:00", "12:00", "Kraftraum im Vereinsheim"),
        ),
        "vca_herren1",
        "Nach dem Aufstieg ist der Klassenerhalt das Ziel. Wer höher springt als er spricht, ist willkommen.",
    ),
    Entry(
        "Herren 2",
        PUBLISHED,
        "men",
        16,
        "Kreisliga",
        ("Jonas Grünwald",),
        ("Svea Nordmann",),
        (("mittwochs", "20:00", "22:00", "Sporthalle am Rebberg"),),
    ),
    Entry(
        "Damen 1",
        PUBLISHED,
        "woman",
        16,
        "Verbandsliga",
        ("Maya Rosenthal", "Çağla Demirel"),
        ("Maya Rosenthal",),
        (("dienstags freitags", "19:30", "21:30", "Mühlenhalle"),),
        "vca.damen",
        "Junge Mannschaft, schnelle Mitte, laute Bank.",
    ),
    Entry(
        "Damen 2",
        PUBLISHED,
        "woman",
        15,
        "Bezirksklasse",
        ("Çağla Demirel",),
        ("Odile Brandt",),
        (("donnerstags", "18:00", "20:00", "Schulzentrum Nord"),),
    ),
    Entry(
        "U16 weiblich",
        PUBLISHED,
        "woman",
        12,
        None,
        ("Liv Sommerfeld",),
        ("Liv Sommerfeld",),
        (("montags mittwochs", "17:00", "18:30", "Sporthalle am Rebberg"),),
        None,
        "Für alle, die schon baggern können, und für alle, die es lernen wollen.",
    ),
    Entry(
        "Ballspielgruppe",
        PUBLISHED,
        "mixed",
        6,
        None,
        ("Liv Sommerfeld",),
        ("Liv Sommerfeld",),
        (("dienstags", "16:30", "17:30", "Mühlenhalle"),),
    ),
    Entry(
        "Freizeit Mixed",
        PUBLISHED,
        "mixed",
        18,
        None,
        (),
        ("Svea Nordmann",),
        (
            ("freitags", "20:00", "22:00", "Sporthalle am Rebberg"),
            ("sonntags", "16:00", "19:00", "Beachanlage am Baggersee"),
        ),
    ),
    Entry("Herren 3", DRAFT, "men", 16, "Kreisklasse", (), ("Henning Ostertag",)),
    Entry("Beach-Kader", DRAFT, None),
    Entry("Senioren Ü50", ARCHIVED, "men", 50, None, (), ("Wolf-Dieter Überschär",)),
]


def load() -> None:
    members = {member.name: member.id for member in repository.members.by_name(limit=100).items}
    places = {location.name: location.id for location in repository.locations.by_name(limit=100).items}
    for entry in TEAMS:
        with suppress(AlreadyExists):
            repository.teams.create(_team(entry, members, places), actor=SYSTEM)


def _team(entry: Entry, members: dict[str, str], places: dict[str, str]) -> Team:
    return Team(
        name=entry.name,
        slug=team_slug(entry.name),
        status=entry.status,
        gender=entry.gender,
        age=entry.age,
        league=entry.league,
        sbvv_team_id=team_uuid(entry.name),
        coach_ids=[members[name] for name in entry.coaches],
        contact_person_ids=[members[name] for name in entry.contacts],
        schedules=[_schedule(*training, places) for training in entry.trainings],
        instagram=entry.instagram,
        description=entry.description,
    )


def _schedule(days: str, start: str, end: str, place: str, places: dict[str, str]) -> dict[str, Any]:
    return {"day": days.split(), "startTime": start, "endTime": end, "locationId": places[place]}
