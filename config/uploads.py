"""Files that come through the server: at most so much in one request, whoever sends them."""

from typing import Any

from django.core.files.uploadhandler import FileUploadHandler, StopUpload

MOST_BYTES = 100 * 1024 * 1024


class BoundedUploadHandler(FileUploadHandler):
    """What is too much is read to its end but kept nowhere: the page then asks for a smaller file."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.left = MOST_BYTES

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        self.left -= len(raw_data)
        if self.left < 0:
            raise StopUpload(connection_reset=False)
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """The next handler keeps it."""
