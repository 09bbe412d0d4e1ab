"""Images of changes whose stream handlers failed, in the bucket where no item is large enough for them."""

from collections.abc import Iterator
from uuid import uuid4

from core.dynamo.streams import failures, source
from core.media import storage
from core.media.file_owners import Owner
from core.media.files import PRIVATE_FOLDER, delete_unused

FOLDER = f"{PRIVATE_FOLDER}/streams"
MIME_TYPE = "application/octet-stream"


def write(data: bytes, *, record: str) -> str:
    """Under a name of its own each time: a change that is put aside twice must not lose its images."""
    key = f"{FOLDER}/{uuid4()}"
    storage.write(key, data, mime_type=MIME_TYPE, disposition="attachment", about={"record": record})
    return key


def read(key: str) -> bytes:
    return storage.read(key)


def delete(key: str) -> None:
    delete_unused([key])


def _keys() -> Iterator[str]:
    changes = failures.failed(source.streamed_tables())
    return (change.images_key for change in changes if change.images_key)


def _has(key: str, record: str) -> bool:
    failure = failures.by_name(record)
    return failure is not None and failure.images_key == key


# For `manage.py media check`.
OWNER = Owner(_keys, _has)
