"""Photos that only another app's record knows: not in the library and at no address of the website."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from mimetypes import guess_type
from pathlib import PurePosixPath
from typing import Any, BinaryIO, cast

from django.core.files.uploadedfile import UploadedFile

from core.accounts.user import User
from core.dynamo.errors import NotFound
from core.media import keeping, preparing, storage
from core.media.names import file_name
from core.media.preparing import IMAGE
from core.media.uploads import UPLOADS, read_upload

WEBP = "webp"

# What a record keeps of a photo: its key in S3, the keys of its copies and what it was called.
Described = dict[str, Any]


@contextmanager
def kept(
    user: User, files: Sequence["UploadedFile[Any]"], *, folder: str, record: str
) -> Iterator[list[Described]]:
    """The files of a record that is being written; they go again if it is refused."""
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
    """Keep a picture while the record that will know it is written."""
    UPLOADS.ensure(user.sub)
    prepared = preparing.prepare(read_upload(file), kinds=(IMAGE,))
    with keeping.stored(prepared, folder=folder, record=record, name=file_name(name)) as fields:
        yield fields


def read(photos: Iterable[Described] | None, name: str) -> tuple[bytes, str]:
    """The bytes of a photo or of its small copy, and their type."""
    for photo in photos or ():
        for key in (photo["s3Key"], photo["smallKey"]):
            if name_of(key) == name:
                # A copy may have another type than the photo itself.
                return storage.read(key), guess_type(key, strict=False)[0] or "application/octet-stream"
    raise NotFound


def keys_of(photos: Iterable[Described] | None) -> set[str]:
    """All the files of these photos."""
    return {key for photo in photos or () for key in (photo["s3Key"], *photo["copies"])}


def name_of(key: str) -> str:
    """What tells the files of a record apart: the last two parts of a key."""
    path = PurePosixPath(key)
    return f"{path.parent.name}-{path.name}"


def _described(file: "UploadedFile[Any]", fields: Mapping[str, Any]) -> Described:
    copies = sorted((copy for copy in fields["variants"] if copy["format"] != WEBP), key=_width)
    return {
        "name": file_name(file.name or ""),
        "s3Key": fields["s3_key"],
        "smallKey": copies[0]["s3Key"] if copies else fields["s3_key"],
        "copies": [copy["s3Key"] for copy in fields["variants"]],
    }


def _width(copy: Mapping[str, Any]) -> int:
    return int(copy["width"])
