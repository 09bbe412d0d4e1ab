"""Store and delete the files of a record in S3."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.utils.http import content_disposition_header

from core.common.logs import events
from core.dynamo.errors import Unavailable
from core.media import documents, storage
from core.media.names import with_extension
from core.media.processing import Part, Prepared

# Files in this folder have no public URL; they are served by views, which check a right first.
PRIVATE_FOLDER = "private"
FOLDERS = ("media", "news", "events", "teams", "members", "sponsors", "pages")


@contextmanager
def stored(prepared: Prepared, *, folder: str, record: str, name: str) -> Iterator[dict[str, Any]]:
    """Store the files and yield the record's fields about them; delete them if the block raises."""
    original, unique = prepared.original, str(uuid4())
    filename = f"{unique}.{original.extension}"
    files = {f"{folder}/{unique}/{filename}": original} | {
        f"{folder}/{unique}/{variant.width}.{variant.extension}": variant for variant in prepared.variants
    }
    key, *variant_keys = files
    try:
        for file_key, part in files.items():
            storage.write(
                file_key,
                part.data,
                mime_type=part.mime_type,
                disposition=_disposition(part, name),
                about={"record": record},
            )
        yield {
            "filename": filename,
            "s3_key": key,
            "s3_bucket": settings.MEDIA_BUCKET,
            "mime_type": original.mime_type,
            "size": len(original.data),
            "width": original.width,
            "height": original.height,
            "variants": [
                {
                    "width": variant.width,
                    "height": variant.height,
                    "format": variant.format,
                    "s3Key": variant_key,
                }
                for variant_key, variant in zip(variant_keys, prepared.variants, strict=True)
            ],
        }
    except Unavailable:
        # It is unknown whether the record was written, so the files stay. If it was not, `manage.py media
        # check` finds them.
        raise
    except BaseException:
        delete_unused(files)
        raise


def delete_unused(keys: Iterable[str]) -> None:
    """Delete files. An outage is only logged: `manage.py media check` finds the files later."""
    try:
        storage.delete(keys)
    except Unavailable:
        events.warning("files_left_behind")


def _disposition(part: Part, name: str) -> str:
    """The Content-Disposition: documents are attachments, because they are served as they were uploaded."""
    if part.mime_type != documents.MIME_TYPE:
        return ""
    return content_disposition_header(True, with_extension(name, part.extension)) or ""
