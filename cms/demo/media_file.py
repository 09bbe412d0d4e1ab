"""Example pictures in news, teams, an event and sponsors; one is used by nobody and has no description."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from django.conf import settings

from cms import repository
from cms.demo import drawings
from cms.models import MediaFile
from cms.services import media_file
from cms.services.team import team_slug
from core.content.slugs import slugify
from core.dynamo.actors import SYSTEM
from core.dynamo.repository import Repository


class Drawn(NamedTuple):
    name: str
    folder: str
    draw: Callable[[], bytes]
    alt: str = ""
    caption: str = ""
    news: str = ""
    event: str = ""
    team: str = ""
    sponsor: str = ""


PICTURES = [
    Drawn(
        "Derby.jpg",
        "news",
        lambda: drawings.match("#c8102e", "#1d3f72"),
        "Zwei Mannschaften in Rot und Blau am Netz, der Ball über der Netzkante",
        "Der Ball zum 15:13 im fünften Satz.",
        news="Herren 1 drehen das Derby in fünf Sätzen",
        team="Herren 1",
    ),
    Drawn(
        "Tabellenspitze.jpg",
        "news",
        lambda: drawings.match("#6a3fa0", "#2e8b57", ball=(420, 150)),
        "Die Damen in Violett beim Angriff",
        news="Damen 2 grüßen von der Tabellenspitze",
        team="Damen 2",
    ),
    Drawn(
        "Spielfeld.jpg",
        "news",
        drawings.court,
        "Ein Spielfeld von oben mit neuen Linien",
        "Drei solche Felder gibt es jetzt.",
        news="Neue Netze, neue Pfosten: Die Halle ist wieder offen",
    ),
    Drawn(
        "Beachanlage.jpg",
        "events",
        drawings.beach,
        "Vier Menschen spielen Beachvolleyball unter der Sonne",
        news="Beachfelder sind bespielbar",
        event="Trainingslager der Jugend",
    ),
    Drawn(
        "Damen 1.jpg",
        "teams",
        lambda: drawings.match("#e07a1f", "#24506b", ball=(760, 170)),
        "Die erste Damenmannschaft in Orange beim Block",
        team="Damen 1",
    ),
    Drawn("IMG_2041.jpg", "media", lambda: drawings.match("#1f7a4d", "#d8b40f", ball=(300, 240))),
    Drawn("Kornblum.png", "sponsors", lambda: drawings.logo("KB", "#9a5a1c"), sponsor="Bäckerei Kornblum"),
    Drawn(
        "Stadtwerke.png", "sponsors", lambda: drawings.logo("SWA", "#0b6e99"), sponsor="Stadtwerke Auenfeld"
    ),
]


def load() -> None:
    if not settings.MEDIA_BUCKET:
        # There is nowhere to keep them.
        return
    for picture in PICTURES:
        alt = picture.alt or picture.sponsor
        media = media_file.add(
            SYSTEM,
            picture.draw(),
            name=picture.name,
            folder=picture.folder,
            alt=alt,
            caption=picture.caption,
        ).media
        for kept_in, key, field, value in _uses(picture, media):
            record = kept_in.get(key, strong=True)
            if not getattr(record, field):
                kept_in.update(record, {field: value}, actor=SYSTEM)


def _uses(picture: Drawn, media: MediaFile) -> Iterator[tuple[Repository[Any], str, str, Any]]:
    """Where a picture belongs: the records with their fields, and what these should hold."""
    for addressed, slug in (
        (repository.news, slugify(picture.news)),
        (repository.events, slugify(picture.event)),
        (repository.teams, team_slug(picture.team)),
    ):
        found = addressed.at_slug(slug) if slug else None
        if found:
            yield addressed, found.id, "image_ids", [media.id]
    for sponsor in repository.sponsors.by_name(limit=100).items:
        if sponsor.name == picture.sponsor:
            yield repository.sponsors, sponsor.id, "logo_id", media.id
