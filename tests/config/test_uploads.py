"""Files through the server: so much in one request and no more."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import RequestFactory

from config import uploads


def arriving(*sizes: int) -> list[tuple[str, int]]:
    """The names and sizes of the files that a view would find."""
    files = [SimpleUploadedFile(f"{size}.jpg", b"x" * size) for size in sizes]
    request = RequestFactory().post("/", {"files": files})
    found = [(str(file.name), int(file.size)) for file in request.FILES.getlist("files")]
    request.close()
    return found


def test_files_up_to_the_limit_arrive_whole_in_memory_and_on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MOST_BYTES", 5_000_000)

    assert arriving(1_000_000, 4_000_000) == [("1000000.jpg", 1_000_000), ("4000000.jpg", 4_000_000)]


def test_what_is_too_much_together_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MOST_BYTES", 5_000_000)

    assert arriving(1_000_000, 4_000_001) == [("1000000.jpg", 1_000_000)]
