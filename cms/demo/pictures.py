"""Example pictures of news, teams, an event and sponsors; one is unused and has no alternative text."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings

from cms.demo import drawings
from cms.events.repository import events
from cms.media import services as media_files
from cms.media.models import MediaFile
from cms.news.repository import news
from cms.sponsors.repository import sponsors
from cms.teams.repository import teams
from cms.teams.rules import team_slug
from core.content.slugs import slugify
from core.dynamo.actors import SYSTEM
from core.dynamo.example_data import read
from core.dynamo.repository import Repository


def load() -> None:
    if not settings.MEDIA_BUCKET:
        # No bucket is configured.
        return
    for entry in read(__file__, "pictures"):
        draw = getattr(drawings, entry["draw"].pop("picture"))
        media = media_files.add(
            SYSTEM,
            draw(**entry["draw"]),
            name=entry["name"],
            folder=entry["folder"],
            alt=entry.get("alt") or entry.get("sponsor", ""),
            caption=entry.get("caption", ""),
        ).media
        for stored_in, key, field, value in _uses(entry, media):
            record = stored_in.get(key, strong=True)
            if not getattr(record, field):
                stored_in.update(record, {field: value}, actor=SYSTEM)


def _uses(entry: dict[str, Any], media: MediaFile) -> Iterator[tuple[Repository[Any], str, str, Any]]:
    """The records to update for a picture: repository, id, field and new value of each."""
    for stored_in, slug in (
        (news, slugify(entry.get("news", ""))),
        (events, slugify(entry.get("event", ""))),
        (teams, team_slug(entry.get("team", ""))),
    ):
        found = stored_in.at_slug(slug) if slug else None
        if found:
            yield stored_in, found.id, "image_ids", [media.id]
    for sponsor in sponsors.by_name(limit=100).items:
        if sponsor.name == entry.get("sponsor"):
            yield sponsors, sponsor.id, "logo_id", media.id
