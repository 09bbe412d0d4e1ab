"""Pictures beside the records that the website shows."""

from collections.abc import Iterable, Mapping

from cms.events.models import Event
from cms.media.models import MediaFile
from cms.news.models import News
from cms.pages.models import Page
from core.content.richtext import Picture, media_ids
from core.crud.fields.picker import is_possible
from core.dynamo.items import Item
from core.dynamo.registry import RecordRef, records_at


def pictures(keys: Iterable[str | None]) -> dict[str, MediaFile]:
    """Those of these files that are pictures, by one read; a page has at most a hundred."""
    places = places_of(keys)
    records = records_at(places)
    return {media.id: media for media in pictures_among((key for _entity, key in places), records)}


def places_of(keys: Iterable[str | None] | None) -> list[RecordRef]:
    return [("media", key) for key in dict.fromkeys(keys or ()) if key and is_possible("media", key)]


def pictures_among(keys: Iterable[str] | None, records: Mapping[RecordRef, Item]) -> list[MediaFile]:
    """In the order of the keys; a file that is no picture, or is gone, is left out."""
    found = (records.get(("media", key)) for key in keys or ())
    return [media for media in found if isinstance(media, MediaFile) and media.is_image]


def cover_id(record: object) -> str | None:
    """The first picture is the cover."""
    return next(iter(getattr(record, "image_ids", None) or ()), None)


def keys_in_text(record: News | Event | Page) -> list[str]:
    """The pictures of its text, of which an index only holds the keys."""
    text = record.description if isinstance(record, Event) else record.content
    return media_ids(text) if text else list(record.text_image_ids or ())


def in_text(record: News | Event | Page, records: Mapping[RecordRef, Item]) -> dict[str, Picture]:
    """The pictures of its text, as they are rendered within it."""
    return {
        media.id: Picture(
            media.thumbnail,
            alt=media.alt or "",
            width=int(media.width) if media.width else None,
            height=int(media.height) if media.height else None,
            srcset=media.srcset,
        )
        for media in pictures_among(keys_in_text(record), records)
    }
