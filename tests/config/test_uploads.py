"""Files through the server: so much in one request and no more."""

from typing import Any

import pytest
from django.core.exceptions import TooManyFieldsSent
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.handlers.wsgi import WSGIRequest
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


BOUNDARY = "----WebKitFormBoundary7MA4YWxkTrZu0gW"


def field(name: str, value: str, more: str = "") -> str:
    return f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n{value}\r\n'


TITLE = field("title", "Sieg in fünf Sätzen")
END = f"--{BOUNDARY}--\r\n"
PLAIN = {
    "one field": TITLE + END,
    "several of one name": field("tags", "a") + TITLE + field("tags", "b") + field("rows-0-text", "") + END,
    "line ends within": field("text", "\r\none\r\n\r\n--two--\r\n") + END,
    "what looks like a field": field("text", 'Content-Disposition: form-data; name="x"\r\n\r\ny') + END,
    "no line end behind it": TITLE + f"--{BOUNDARY}--",
}
LEFT_TO_DJANGO = {
    "a file": TITLE + field("file", "x", '; filename="a.txt"') + END,
    "no file chosen": TITLE
    + field("file", "", '; filename=""\r\nContent-Type: application/octet-stream')
    + END,
    "a header more": field("title", "U2llZw==", "\r\nContent-Transfer-Encoding: base64") + END,
    "an escaped name": field("a%22b", "x") + END,
    "something before it": "Hello\r\n" + TITLE + END,
    "something behind it": TITLE + END + "more",
    "the boundary within": field("text", f"a --{BOUNDARY} b") + END,
    "no end": TITLE,
    "no field": END,
    "nothing of the kind": "title=Sieg",
}


def posted(body: bytes) -> WSGIRequest:
    return RequestFactory().generic("POST", "/", body, f"multipart/form-data; boundary={BOUNDARY}")


def told(request: WSGIRequest) -> object:
    """Everything that a view would find."""
    files = {name: [(file.name, file.read()) for file in files] for name, files in request.FILES.lists()}
    return dict(request.POST.lists()), files, request.POST.encoding


@pytest.mark.parametrize("name", [*PLAIN, *LEFT_TO_DJANGO])
def test_a_form_says_what_djangos_parser_reads_in_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    body = (PLAIN | LEFT_TO_DJANGO)[name].encode()
    ours = told(posted(body))
    monkeypatch.setattr(uploads.BoundedUploadHandler, "handle_raw_input", lambda *_args: None)

    assert ours == told(posted(body))
    is_plain = uploads.plain_fields(body, BOUNDARY.encode()) not in (None, [])
    assert is_plain == (name in PLAIN)


def test_bytes_that_are_no_text_are_replaced() -> None:
    request = posted(field("title", "Sätze").encode("latin-1") + END.encode())

    assert request.POST["title"] == "S\ufffdtze"


def test_what_was_posted_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        posted((TITLE + END).encode()).POST["title"] = "Another"


def test_too_many_fields_are_refused(settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 4

    assert len(posted((TITLE * 4 + END).encode()).POST.getlist("title")) == 4
    with pytest.raises(TooManyFieldsSent):
        posted((TITLE * 6 + END).encode()).POST  # noqa: B018


def test_a_large_form_is_left_to_django(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "plain_fields", None)
    text = "x" * uploads.LARGEST_PLAIN_FORM

    assert posted((field("text", text) + END).encode()).POST["text"] == text
