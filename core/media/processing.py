"""Validate an upload and convert it to the files to store; its name and claimed type are not trusted."""

import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from django.utils.translation import gettext_lazy as _

from core.media import documents
from core.media.errors import Busy, NotAPicture, UploadRefused

IMAGE, DOCUMENT = "image", "document"
KINDS = (IMAGE, DOCUMENT)
# Each decoding takes a CPU and up to 500 MB, so only this many run at once in a process.
MOST_AT_ONCE = 2
WAIT_SECONDS = 10.0

_slots = threading.BoundedSemaphore(MOST_AT_ONCE)


class SvgRefused(UploadRefused):
    message = _("SVG files can contain scripts and are not allowed. Save it as a PNG and upload that.")


class NeitherKind(NotAPicture):
    message = _("This is neither a picture (JPEG, PNG, WebP, GIF or HEIC) nor a PDF.")


class OnlyPictures(UploadRefused):
    message = _("This is a PDF. Choose a picture.")


class OnlyDocuments(UploadRefused):
    message = _("This is a picture. Choose a PDF.")


class Part(NamedTuple):
    """One file to store in S3; documents have no width and height."""

    data: bytes
    extension: str
    mime_type: str
    width: int | None = None
    height: int | None = None

    @property
    def format(self) -> str:
        """jpeg, png, webp, gif or pdf."""
        return self.mime_type.rpartition("/")[2]


class Prepared(NamedTuple):
    """The stored form of an upload, and the smaller copies of a picture."""

    original: Part
    variants: list[Part]


def prepare(data: bytes, *, kinds: Collection[str] = KINDS) -> Prepared:
    """The files to store for these bytes; raises UploadRefused or Busy."""
    with _slot():
        if data.startswith(documents.BEGINNING):
            refuse_other_kinds(DOCUMENT, kinds)
            documents.check(data)
            return Prepared(Part(data, "pdf", documents.MIME_TYPE), [])
        if looks_like_drawing(data):
            raise SvgRefused
        picture = _picture(data, kinds)
        refuse_other_kinds(IMAGE, kinds)
        return picture


def refuse_other_kinds(kind: str, kinds: Collection[str]) -> None:
    if kind not in kinds:
        raise OnlyPictures if kind == DOCUMENT else OnlyDocuments


def _picture(data: bytes, kinds: Collection[str]) -> Prepared:
    # Imported here: Pillow and its HEIC plugin take 15 ms and 8 MB, and few requests upload.
    from core.media import images

    try:
        return images.prepare(data)
    except NotAPicture as error:
        if DOCUMENT not in kinds:
            raise
        raise NeitherKind from error


def looks_like_drawing(data: bytes) -> bool:
    beginning = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return beginning.startswith(b"<") and b"<svg" in beginning


@contextmanager
def _slot() -> Iterator[None]:
    if not _slots.acquire(timeout=WAIT_SECONDS):
        raise Busy
    try:
        yield
    finally:
        _slots.release()
