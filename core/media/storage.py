"""The S3 bucket; the only code that talks to S3."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from itertools import islice
from typing import Any, BinaryIO, NamedTuple

import botocore.session
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings
from django.utils.translation import gettext as _

from core.common.logs import events
from core.dynamo.aws import forget_other_services
from core.dynamo.errors import NotFound, TooLarge
from core.media.errors import FilesUnavailable

LARGEST_UPLOAD = 25 * 1024 * 1024
# How long a presigned POST is valid.
POST_SECONDS = 300
# Every file has a random name and never changes.
CACHE_CONTROL = "public, max-age=31536000, immutable"
MISSING = {"NoSuchKey", "404"}
BATCH = 1000


class Post(NamedTuple):
    """A presigned POST: its URL and the form fields before the file."""

    url: str
    fields: dict[str, str]


class StoredFile(NamedTuple):
    key: str
    modified: datetime


def presigned_post(key: str) -> Post:
    """A presigned POST for one file of at most 25 MB at this key."""
    # A browser that opens the unchecked upload only downloads it.
    inert = {"Content-Type": "application/octet-stream", "Content-Disposition": "attachment"}
    answer = _call(
        "generate_presigned_post",
        Key=key,
        Fields=inert,
        Conditions=[["content-length-range", 1, LARGEST_UPLOAD], *({name: inert[name]} for name in inert)],
        ExpiresIn=POST_SECONDS,
    )
    return Post(answer["url"], answer["fields"])


def read(key: str) -> bytes:
    try:
        with _call("get_object", Key=key)["Body"] as body:
            return read_upload(body)
    except (BotoCoreError, OSError) as error:
        raise _unavailable("get_object", type(error).__name__) from error


def read_upload(file: BinaryIO) -> bytes:
    """The bytes of a file whose declared length is not trusted; raises TooLarge."""
    data = file.read(LARGEST_UPLOAD + 1)
    if len(data) > LARGEST_UPLOAD:
        raise TooLarge(_("This file is larger than 25 MB."))
    return data


def write(
    key: str, data: bytes, *, mime_type: str, disposition: str = "", about: Mapping[str, str] | None = None
) -> None:
    extra = {"ContentDisposition": disposition} if disposition else {}
    _call(
        "put_object",
        Key=key,
        Body=data,
        ContentType=mime_type,
        CacheControl=CACHE_CONTROL,
        Metadata=dict(about or {}),
        **extra,
    )


def about(key: str) -> dict[str, str] | None:
    """The metadata that `write` stored with a file; None if there is no such file."""
    try:
        kept: dict[str, str] = _call("head_object", Key=key)["Metadata"]
    except NotFound:
        return None
    return kept


def delete(keys: Iterable[str]) -> None:
    """Delete files in batches; missing files are no error."""
    remaining = iter(keys)
    while batch := list(islice(remaining, BATCH)):
        answer = _call("delete_objects", Delete={"Objects": [{"Key": key} for key in batch], "Quiet": True})
        if failed := answer.get("Errors"):
            raise _unavailable("delete_objects", failed[0].get("Code", ""))


def files_in(folder: str) -> Iterator[StoredFile]:
    """All files of a folder, in the order of their keys."""
    place: dict[str, str] = {}
    while True:
        page = _call("list_objects_v2", Prefix=f"{folder}/", **place)
        for entry in page.get("Contents", ()):
            yield StoredFile(entry["Key"], entry["LastModified"])
        if not page.get("IsTruncated"):
            return
        place = {"ContinuationToken": page["NextContinuationToken"]}


def _call(operation: str, **arguments: Any) -> dict[str, Any]:
    if not settings.MEDIA_BUCKET:
        raise FilesUnavailable(_("File storage is not set up. MEDIA_BUCKET is not set."))
    client = _client(settings.AWS_REGION, settings.S3_ENDPOINT)
    try:
        answer: dict[str, Any] = getattr(client, operation)(Bucket=settings.MEDIA_BUCKET, **arguments)
    except ClientError as error:
        code = error.response["Error"]["Code"]
        if code in MISSING:
            raise NotFound(_("This file does not exist or was deleted.")) from error
        raise _unavailable(operation, code) from error
    except BotoCoreError as error:
        raise _unavailable(operation, type(error).__name__) from error
    return answer


def _unavailable(operation: str, reason: str) -> FilesUnavailable:
    events.error("s3_failed", operation=operation, reason=reason)
    return FilesUnavailable()


@lru_cache(maxsize=8)
def _client(region: str, endpoint: str | None) -> Any:
    config = Config(
        signature_version="s3v4",
        # The bucket's own host, which the Content-Security-Policy allows; ministack has only one host.
        s3={"addressing_style": "path" if endpoint else "virtual"},
        connect_timeout=1,
        read_timeout=10,
        max_pool_connections=50,
        retries={"mode": "standard", "total_max_attempts": 3},
    )
    session = botocore.session.get_session()
    forget_other_services(session, "s3")
    return session.create_client("s3", region_name=region, endpoint_url=endpoint, config=config)
