"""PDF documents: taken as they are, when they are one PDF from the first byte to the last."""

import pytest

from core.media.documents import BrokenDocument
from core.media.processing import OnlyPictures, prepare
from tests.media_bucket import pdf


def test_a_document_is_kept_byte_for_byte() -> None:
    made = prepare(pdf())

    assert (made.original.data, made.original.mime_type, made.original.extension) == (
        pdf(),
        "application/pdf",
        "pdf",
    )
    assert made.variants == []


@pytest.mark.parametrize("ending", [b"", b"\n", b"\r\n \x00\x00"])
def test_empty_lines_after_its_end_do_no_harm(ending: bytes) -> None:
    assert prepare(pdf().rstrip() + ending).original.data.startswith(b"%PDF-1.7")


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"%PDF-1.7\n", id="a beginning"),
        pytest.param(pdf()[:-10], id="without its end"),
        pytest.param(pdf()[: len(pdf()) // 2], id="half"),
        pytest.param(b"%PDF-x" + pdf()[6:], id="of no version"),
        pytest.param(pdf().replace(b"startxref\n", b"startxref\n9"), id="whose end leads nowhere"),
        pytest.param(b"%PDF-1.7<script>alert(1)</script>" + pdf(), id="moved by something before it"),
        pytest.param(pdf() + b"PK\x03\x04 an archive", id="followed by something else"),
        pytest.param(pdf() + b"<html><script>alert(1)</script>", id="followed by a page"),
    ],
)
def test_what_is_no_whole_pdf_is_refused(data: bytes) -> None:
    with pytest.raises(BrokenDocument):
        prepare(data)


def test_a_document_is_refused_where_only_pictures_are_wanted() -> None:
    with pytest.raises(OnlyPictures):
        prepare(pdf(), kinds=("image",))
