"""Files of the library as tests need them, uploaded by a person of the cast without using any page."""

from typing import Any

from cms.media import services
from cms.media.models import MediaFile
from tests.cast import CAST
from tests.media_bucket import pdf, photo


def picture(
    name: str = "Sommerfest.jpg", *, by: str = "moderator", colour: str = "steelblue", **fields: Any
) -> MediaFile:
    data = photo(600, 400, colour=colour)
    return services.add(CAST[by].actor, data, name=name, folder="media", **fields).media


def document(name: str = "Satzung.pdf", *, by: str = "moderator") -> MediaFile:
    return services.add(CAST[by].actor, pdf(name), name=name, folder="media").media


def address_of(media: MediaFile, screen: str = "") -> str:
    return f"/cms/media/{media.id}/{screen}"
