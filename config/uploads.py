"""What comes as multipart/form-data: forms without files at once, files up to a limit."""

import re
from typing import IO, Any

from django.conf import settings
from django.core.files.uploadhandler import FileUploadHandler, StopUpload
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict

MOST_BYTES = 100 * 1024 * 1024
LARGEST_PLAIN_FORM = 1024 * 1024
# A field as browsers send it. A file says more of itself.
FIELD = re.compile(
    rb'\r\nContent-Disposition: form-data; name="(?P<name>[\w.\[\]-]+)"\r\n\r\n(?P<value>.*)\r\n', re.DOTALL
)
ENDS = (b"--\r\n", b"--")


class BoundedUploadHandler(FileUploadHandler):
    """What is too much is read to its end but kept nowhere: the page then asks for a smaller file."""

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
        """A form without files; all else, and whatever is unusual, is left to Django's parser.

        That one is made for streams, and takes ten times as long.
        """
        if content_length > LARGEST_PLAIN_FORM or self.request is None:
            return None
        # What the request has read in this way is still there for Django's parser.
        fields = plain_fields(self.request.body, boundary)
        if fields is None:
            return None
        values: dict[str, list[str]] = {}
        posted = QueryDict(encoding=encoding)
        for name, value in fields:
            values.setdefault(name.decode(), []).append(value.decode(posted.encoding, "replace"))
        # Its own way looks at every value for bytes, of which there are none.
        dict.update(posted, values)
        return posted, MultiValueDict()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        self.left -= len(raw_data)
        if self.left < 0:
            raise StopUpload(connection_reset=False)
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """The next handler keeps it."""


def plain_fields(body: bytes, boundary: bytes) -> list[tuple[bytes, bytes]] | None:
    """Names and values, None unless there is nothing else and no more of them than Django takes."""
    before, *parts = body.split(b"--" + boundary)
    if before or not parts or parts.pop() not in ENDS:
        return None
    if len(parts) > (settings.DATA_UPLOAD_MAX_NUMBER_FIELDS or len(parts)):
        return None
    found = [FIELD.fullmatch(part) for part in parts]
    return [(each["name"], each["value"]) for each in found if each] if all(found) else None
