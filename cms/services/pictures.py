"""Pictures beside the records that the website shows."""

from collections.abc import Iterable, Mapping

from cms.models import MediaFile
from crud.fields.picker import is_possible
from dynamo.items import Item
from dynamo.registry import Place, records_at

# One request reads so many records; a page with more pictures than that shows the others without one.
MOST_AT_ONCE = 100


def pictures(keys: Iterable[str | None]) -> dict[str, MediaFile]:
    """Those of these files that are pictures, by one read."""
    places = places_of(keys)[:MOST_AT_ONCE]
    records = records_at(places)
    return {media.id: media for media in pictures_among((key for _entity, key in places), records)}


def places_of(keys: Iterable[str | None] | None) -> list[Place]:
    return [("media", key) for key in dict.fromkeys(keys or ()) if key and is_possible("media", key)]


def pictures_among(keys: Iterable[str] | None, records: Mapping[Place, Item]) -> list[MediaFile]:
    """In the order of the keys; a file that is no picture, or is gone, is left out."""
    found = (records.get(("media", key)) for key in keys or ())
    return [media for media in found if isinstance(media, MediaFile) and media.is_image]


def cover_id(record: object) -> str | None:
    """The first picture is the cover."""
    return next(iter(getattr(record, "image_ids", None) or ()), None)
