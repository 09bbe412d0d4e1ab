"""Media files from Payload."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from cms.media import services
from cms.media.forms import LONGEST_ALT
from cms.media.models import MediaFile
from cms.media.repository import media
from cms.payload.document import Document, NotImported
from cms.payload.kinds.kind import Kind
from cms.payload.relations import Relations
from cms.payload.source import Export
from core.dynamo.actors import SYSTEM
from core.media import storage
from core.media.names import file_name
from core.media.storage import LARGEST_UPLOAD

# Not imported: properties that are read from the file again, and back references.
KNOWN_ANEW = (
    *("mimeType", "filesize", "width", "height", "url", "thumbnailURL", "sizes", "prefix"),
    *("news", "members", "events", "sponsors", "teams"),
)
MIDDLE = (None, 50)


def picture(document: Document, relations: Relations) -> MediaFile:
    """A record with the metadata of Payload; `upload` sets the rest from the file."""
    document.ignore(*KNOWN_ANEW)
    if any(document.get(axis) not in MIDDLE for axis in ("focalX", "focalY")):
        document.note("its focal point was left out: pictures are shown whole here")
    alt = document.text("alt").strip()
    if len(alt) > LONGEST_ALT:
        document.note(f"“alt” was cut after {LONGEST_ALT} characters: “{alt}”")
    return MediaFile(
        original_name=file_name(document.text("filename")),
        alt=alt[:LONGEST_ALT] or None,
    )


def file_of(document: Document, export: Export) -> Path:
    filename = document.text("filename")
    path = export.file(filename)
    if path is None:
        raise NotImported(f"its file “{filename}” is not in the folder “media”")
    if path.stat().st_size > LARGEST_UPLOAD:
        raise NotImported(f"its file “{filename}” is larger than 25 MB")
    return path


def hash_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def upload(document: Document, item: MediaFile, export: Export) -> MediaFile:
    """Store the file and return its record: an existing one if the library has a file with this content."""
    finished = services.add(
        SYSTEM,
        file_of(document, export).read_bytes(),
        name=item.original_name,
        folder="media",
        alt=item.alt or "",
        key=item.id,
        created_at=item.created_at,
    )
    return finished.media


def differences(document: Document, record: MediaFile, export: Export) -> Iterator[str]:
    if hash_of(file_of(document, export)) != record.content_hash:
        yield "its file is another one"
    if storage.about(record.s3_key) is None:
        yield "its file is missing in the bucket"


KIND = Kind("media", media, picture, compared=("original_name", "alt", "created_at"))
