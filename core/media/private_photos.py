"""Photos of an app's own records, outside the media library and without a public URL."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from mimetypes import guess_type
from pathlib import PurePosixPath
from typing import Any, BinaryIO, cast

from django.core.files.uploadedfile import UploadedFile

from core.accounts.user import User
from core.dynamo.errors import NotFound
from core.media import processing, storage
from core.media.files import stored
from core.media.names import file_name
from core.media.processing import IMAGE
from core.media.uploads import UPLOADS, read_upload

WEBP = "webp"

# The fields of a photo in a record: its name, its key in S3 and the keys of its resized copies.
PhotoFields = dict[str, Any]


@contextmanager
def stored_photos(
    user: User, files: Sequence["UploadedFile[Any]"], *, folder: str, record: str
) -> Iterator[list[PhotoFields]]:
    """Store the photos and yield their fields for the record; delete the files if the block raises."""
    with ExitStack() as stack:
        yield [
            _described(
                file,
                stack.enter_context(
                    _stored(user, cast(BinaryIO, file), name=file.name or "", folder=folder, record=record)
                ),
            )
            for file in files
        ]


@contextmanager
def _stored(user: User, file: BinaryIO, *, name: str, folder: str, record: str) -> Iterator[dict[str, Any]]:
    """Process and store one photo."""
    UPLOADS.ensure(user.sub)
    prepared = processing.prepare(read_upload(file), kinds=(IMAGE,))
    with stored(prepared, folder=folder, record=record, name=file_name(name)) as fields:
        yield fields


def read(photos: Iterable[PhotoFields] | None, name: str) -> tuple[bytes, str]:
    """The bytes and MIME type of a photo or its thumbnail; raises NotFound unless `photos` has that name."""
    for photo in photos or ():
        for key in (photo["s3Key"], photo["smallKey"]):
            if name_of(key) == name:
                # A copy may have another MIME type than the photo.
                return storage.read(key), guess_type(key, strict=False)[0] or "application/octet-stream"
    raise NotFound


def keys_of(photos: Iterable[PhotoFields] | None) -> set[str]:
    """The keys of all files of these photos."""
    return {key for photo in photos or () for key in (photo["s3Key"], *photo["copies"])}


def name_of(key: str) -> str:
    """The name of a file within its record: the last two parts of its key."""
    path = PurePosixPath(key)
    return f"{path.parent.name}-{path.name}"


def _described(file: "UploadedFile[Any]", fields: Mapping[str, Any]) -> PhotoFields:
    copies = sorted((copy for copy in fields["variants"] if copy["format"] != WEBP), key=_width)
    return {
        "name": file_name(file.name or ""),
        "s3Key": fields["s3_key"],
        "smallKey": copies[0]["s3Key"] if copies else fields["s3_key"],
        "copies": [copy["s3Key"] for copy in fields["variants"]],
    }


def _width(copy: Mapping[str, Any]) -> int:
    return int(copy["width"])
