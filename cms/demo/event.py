"""Example events: past, going on, to come, drafts and one that was archived."""

from contextlib import suppress
from datetime import datetime, time, timedelta
from typing import Any, NamedTuple

from django.utils.timezone import localdate

from cms import repository
from cms.demo.article import authors_by_name
from cms.demo.documents import document
from cms.models import Event
from cms.services.calendar import at
from core.content.slugs import slugify
from core.content.status import ARCHIVED, DRAFT, PUBLISHED
from core.dynamo.actors import SYSTEM
from core.dynamo.errors import AlreadyExists

HALL = {"name": "Mühlenhalle", "street": "Am Mühlbach 4", "postalCode": 79999, "city": "Auenfeld"}
CLUB_HOUSE = {"name": "Vereinsheim", "city": "Auenfeld"}
LAKE = {"name": "Beachanlage am Baggersee", "street": "Seeweg", "postalCode": 79999, "city": "Auenfeld"}


class Entry(NamedTuple):
    """`day` is when it begins, counted from the day of loading; `hours` is how long it lasts."""

    title: str
    status: str
    day: int | None
    clock: str
    hours: float | None
    variant: str | None
    place: dict[str, Any] | None
    teams: tuple[str, ...]
    author: str
    text: str


EVENTS = [
    Entry(
        *("Heimspieltag mit Kuchenbuffet", PUBLISHED, 5, "14:00", 7, "Spiel", HALL),
        ("Damen 1", "Herren 1"),
        "Odile",
        """Erst die Damen, dann die Herren: Die Mühlenhalle öffnet um 14 Uhr, erster Aufschlag ist um 15 Uhr.

Für das Buffet suchen wir noch **vier Kuchen**. Wer backt, sieht umsonst zu.""",
    ),
    Entry(
        *("Jahreshauptversammlung", PUBLISHED, 19, "19:30", 2.5, "Versammlung", CLUB_HOUSE),
        (),
        "Amara",
        """## Tagesordnung

- Berichte des Vorstands
- Bericht der Kassenprüfung und Entlastung
- Wahlen
- Verschiedenes

Anträge bitte spätestens eine Woche vorher an den Vorstand.""",
    ),
    Entry(
        *("Trainingslager der Jugend", PUBLISHED, -1, "09:00", 72, "Ausflug"),
        {"name": "Sportschule Tannfels", "city": "Tannfels"},
        (),
        "Moritz",
        "Drei Tage, sechs Einheiten, ein Lagerfeuer. Abfahrt ist am Vereinsheim.",
    ),
    Entry(
        *("Schiedsrichterlehrgang, Stufe D", PUBLISHED, 33, "10:00", 6, "Lehrgang", HALL),
        ("Damen 2",),
        "Moritz",
        "Jede Mannschaft stellt zwei Leute. Anmelden bitte bis eine Woche vorher.",
    ),
    Entry(*("Adventsfeier", PUBLISHED, 26, "16:00", None, "Feier", CLUB_HOUSE), (), "Odile", ""),
    Entry(
        *("Mixed-Turnier um den Mühlenpokal", PUBLISHED, 47, "09:30", 9, "Turnier", HALL),
        (),
        "Odile",
        "Zwölf Mannschaften, ein Pokal. Frauen und Männer stehen immer gemeinsam auf dem Feld.",
    ),
    Entry(*("Tag der offenen Halle", PUBLISHED, -23, "11:00", 5, None, HALL), (), "Moritz", "Kommt vorbei!"),
    Entry(
        *("Beach-Saisonabschluss", PUBLISHED, -61, "13:00", 8, "Feier", LAKE),
        (),
        "Odile",
        "Zum letzten Mal Sand zwischen den Zehen.",
    ),
    Entry(*("Sommerfest", DRAFT, 200, "15:00", 8, "Feier", LAKE), (), "Odile", "Noch fehlt der Grill."),
    Entry(*("Ausflug der Helferinnen und Helfer", DRAFT, None, "", None, None, None), (), "Moritz", ""),
    Entry(
        *("Vorbereitungsturnier (abgesagt)", ARCHIVED, 12, "10:00", 6, "Turnier", HALL),
        ("Herren 2",),
        "Moritz",
        "Die Halle bekommt einen neuen Boden.",
    ),
]


def load() -> None:
    authors = authors_by_name()
    teams = {team.name: team.id for team in repository.teams.by_name(limit=100).items}
    for entry in EVENTS:
        with suppress(AlreadyExists):
            repository.events.create(_event(entry, authors, teams), actor=SYSTEM)


def _event(entry: Entry, authors: dict[str, str], teams: dict[str, str]) -> Event:
    start = _start(entry)
    return Event(
        title=entry.title,
        slug=slugify(entry.title),
        status=entry.status,
        start_date=start,
        end_date=start + timedelta(hours=entry.hours) if start and entry.hours else None,
        variant=entry.variant,
        address=entry.place,
        team_ids=[teams[name] for name in entry.teams if name in teams],
        author_ids=[authors[entry.author]] if entry.author in authors else [],
        description=document(entry.text) if entry.text else None,
    )


def _start(entry: Entry) -> datetime | None:
    if entry.day is None:
        return None
    return at(localdate() + timedelta(days=entry.day), time.fromisoformat(entry.clock))
