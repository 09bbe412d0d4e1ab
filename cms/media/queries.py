"""The pictures of records: references to read them by, and which of the records read are pictures."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from cms.base.models import PicturedItem
from cms.media.models import MediaFile
from core.content import richtext
from core.content.richtext import Picture
from core.crud.fields.picker import is_possible
from core.dynamo.items import Item
from core.dynamo.registry import RecordRef, records_at

T = TypeVar("T")


def pictures_by_id(keys: Iterable[str | None]) -> dict[str, MediaFile]:
    """The pictures among these files, by id; one batch read for up to a hundred."""
    refs = media_refs(keys)
    records = records_at(refs)
    return {media.id: media for media in select_pictures((key for _entity, key in refs), records)}


def with_pictures(
    records: Sequence[T], picture_of: Callable[[T], str | None]
) -> list[tuple[T, MediaFile | None]]:
    """The records, each with its picture; one batch read for up to a hundred."""
    pictures = pictures_by_id(map(picture_of, records))
    return [(record, pictures.get(picture_of(record) or "")) for record in records]


def media_refs(keys: Iterable[str | None] | None) -> list[RecordRef]:
    return [("media", key) for key in dict.fromkeys(keys or ()) if key and is_possible("media", key)]


def select_pictures(keys: Iterable[str] | None, records: Mapping[RecordRef, Item]) -> list[MediaFile]:
    """The pictures in the order of the keys; documents and deleted files are left out."""
    found = (records.get(("media", key)) for key in keys or ())
    return [media for media in found if isinstance(media, MediaFile) and media.is_image]


def cover_id(record: object) -> str | None:
    """The id of the first picture, which is the cover."""
    return next(iter(getattr(record, "image_ids", None) or ()), None)


def text_picture_ids(record: PicturedItem) -> list[str]:
    """Ids of the pictures in the text; from `text_image_ids` if read from a GSI, which lacks the text."""
    return richtext.media_ids(record.text) if record.text else list(record.text_image_ids or ())


def text_html(record: PicturedItem, records: Mapping[RecordRef, Item]) -> str:
    """The text as HTML, with the pictures that are among the records."""
    if not record.text:
        return ""
    pictures = {
        media.id: Picture(
            media.thumbnail,
            alt=media.alt or "",
            width=int(media.width) if media.width else None,
            height=int(media.height) if media.height else None,
            srcset=media.srcset,
        )
        for media in select_pictures(text_picture_ids(record), records)
    }
    return richtext.render(record.text, pictures)
