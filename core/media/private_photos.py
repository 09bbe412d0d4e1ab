"""Photos of an app's own records, outside the media library and without a public URL."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from mimetypes import guess_type
from operator import itemgetter
from pathlib import PurePosixPath
from typing import Any, BinaryIO, NamedTuple, cast

from django.core.files.uploadedfile import UploadedFile
from django.urls import reverse

from core.accounts.user import User
from core.dynamo import trash
from core.dynamo.errors import NotFound
from core.dynamo.reindex import records_of
from core.dynamo.repository import Repository
from core.media import processing, storage
from core.media.file_owners import Owner
from core.media.files import stored
from core.media.limits import UPLOADS
from core.media.names import file_name
from core.media.processing import IMAGE

WEBP = "webp"

# The fields of a photo in a record: its name, its key in S3 and the keys of its resized copies.
PhotoFields = dict[str, Any]


class PhotoLinks(NamedTuple):
    """A photo for templates; `key` tells it from the others of its record."""

    key: str
    name: str
    address: str
    thumbnail: str


@contextmanager
def stored_photos(
    user: User, files: Sequence["UploadedFile[Any]"], *, folder: str, record: str
) -> Iterator[list[PhotoFields]]:
    """Store the photos and yield their fields for the record; delete the files if the block raises."""
    photos: list[PhotoFields] = []
    with ExitStack() as stack:
        for file in files:
            UPLOADS.ensure(user.sub)
            prepared = processing.prepare(storage.read_upload(cast(BinaryIO, file)), kinds=(IMAGE,))
            name = file_name(file.name or "")
            fields = stack.enter_context(stored(prepared, folder=folder, record=record, name=name))
            photos.append(_described(name, fields))
        yield photos


def read(photos: Iterable[PhotoFields] | None, name: str) -> tuple[bytes, str]:
    """The bytes and MIME type of a photo or its thumbnail; raises NotFound unless `photos` has that name."""
    for photo in photos or ():
        for key in (photo["s3Key"], photo["smallKey"]):
            if name_of(key) == name:
                # A copy may have another MIME type than the photo.
                return storage.read(key), guess_type(key, strict=False)[0] or "application/octet-stream"
    raise NotFound


def links(photos: Iterable[PhotoFields] | None, view: str, record: str) -> list[PhotoLinks]:
    """The photos of a record, with the addresses of a view that takes its key and the name of a file."""

    def address(key: str) -> str:
        return reverse(view, args=[record, name_of(key)])

    return [
        PhotoLinks(photo["s3Key"], photo["name"], address(photo["s3Key"]), address(photo["smallKey"]))
        for photo in photos or ()
    ]


def owner(repository: Repository[Any]) -> Owner:
    """The records with photos, also those in the trash, which may be restored with them."""

    def keys() -> Iterator[str]:
        for record in records_of(repository):
            yield from keys_of(record.photos)

    def has(key: str, record_key: str) -> bool:
        found = [*repository.get_many([record_key], strong=True).values()]
        trashed = trash.of_record(repository.entity, record_key)
        if trashed is not None:
            found.append(repository.model.from_raw_data(trashed.record))
        return any(key in keys_of(record.photos) for record in found)

    return Owner(keys, has)


def keys_of(photos: Iterable[PhotoFields] | None) -> set[str]:
    """The keys of all files of these photos."""
    return {key for photo in photos or () for key in (photo["s3Key"], *photo["copies"])}


def name_of(key: str) -> str:
    """The name of a file within its record: the last two parts of its key."""
    path = PurePosixPath(key)
    return f"{path.parent.name}-{path.name}"


def _described(name: str, fields: Mapping[str, Any]) -> PhotoFields:
    copies = sorted((copy for copy in fields["variants"] if copy["format"] != WEBP), key=itemgetter("width"))
    return {
        "name": name,
        "s3Key": fields["s3_key"],
        "smallKey": copies[0]["s3Key"] if copies else fields["s3_key"],
        "copies": [copy["s3Key"] for copy in fields["variants"]],
    }
