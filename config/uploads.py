"""An upload handler for multipart/form-data: a fast parser for forms without files, and a limit for files."""

import re
from typing import IO, Any

from django.conf import settings
from django.core.files.uploadhandler import FileUploadHandler, StopUpload
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict

MOST_BYTES = 100 * 1024 * 1024
LARGEST_PLAIN_FORM = 1024 * 1024
# A field as browsers send it. A file has more headers, so it does not match.
FIELD = re.compile(
    rb'\r\nContent-Disposition: form-data; name="(?P<name>[\w.\[\]-]+)"\r\n\r\n(?P<value>.*)\r\n', re.DOTALL
)
ENDS = (b"--\r\n", b"--")


class BoundedUploadHandler(FileUploadHandler):
    """Reads uploads above the limit to the end without storing them, so that the form can show an error."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.left = MOST_BYTES

    def handle_raw_input(
        self,
        input_data: IO[bytes],
        META: dict[str, Any],
        content_length: int,
        boundary: Any,
        encoding: str | None = None,
    ) -> tuple[QueryDict, MultiValueDict[str, Any]] | None:
        """Parse a form without files; for anything else return None, so that Django's parser does it.

        Django's parser is made for streams and takes ten times as long.
        """
        if content_length > LARGEST_PLAIN_FORM or self.request is None:
            return None
        # `body` caches what it read, so that Django's parser can read it again.
        fields = plain_fields(self.request.body, boundary)
        if fields is None:
            return None
        values: dict[str, list[str]] = {}
        posted = QueryDict(encoding=encoding)
        for name, value in fields:
            values.setdefault(name.decode(), []).append(value.decode(posted.encoding, "replace"))
        # QueryDict's own methods check every value for bytes, which there are none of.
        dict.update(posted, values)
        return posted, MultiValueDict()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        self.left -= len(raw_data)
        if self.left < 0:
            raise StopUpload(connection_reset=False)
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """None, so that the next handler stores the file."""


def plain_fields(body: bytes, boundary: bytes) -> list[tuple[bytes, bytes]] | None:
    """Names and values; None if there are files or more fields than Django allows."""
    before, *parts = body.split(b"--" + boundary)
    if before or not parts or parts.pop() not in ENDS:
        return None
    if len(parts) > (settings.DATA_UPLOAD_MAX_NUMBER_FIELDS or len(parts)):
        return None
    found = [FIELD.fullmatch(part) for part in parts]
    return [(each["name"], each["value"]) for each in found if each] if all(found) else None
