"""Uploading without JavaScript: through the server, with the same result."""

from unittest.mock import Mock

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from cms.media import services
from cms.media.repository import media as library
from core.dynamo.errors import DataError, NotFound, TooManyRequests, Unavailable
from tests.cms.files import picture
from tests.media_bucket import Bucket, pdf, photo
from tests.seen import version_in

pytestmark = pytest.mark.usefixtures("db")
NEW = "/cms/media/new"


@pytest.fixture
def editor(as_role, bucket: Bucket) -> Client:
    return as_role("official")


def send(client: Client, *files: tuple[str, bytes], to: str = NEW, **fields: str) -> HttpResponse:
    sent = [SimpleUploadedFile(name, data) for name, data in files]
    return client.post(to, {"files": sent, **fields})


def outcomes(page: HttpResponse) -> list[tuple[str, bool, str]]:
    return [(each.name, each.is_duplicate, each.problem) for each in page.context["outcomes"]]


def test_several_files_are_taken_each_with_its_outcome(editor: Client) -> None:
    known = picture("Bekannt.jpg", colour="teal")

    page = send(
        editor,
        ("Finale.jpg", photo(600, 400, colour="navy")),
        ("Nochmal.jpg", photo(600, 400, colour="teal")),
        ("kaputt.jpg", photo(600, 400)[:1000]),
        ("Satzung.pdf", pdf()),
    )

    assert outcomes(page) == [
        ("Finale.jpg", False, ""),
        ("Nochmal.jpg", True, ""),
        (
            "kaputt.jpg",
            False,
            "This picture is damaged or incomplete. Choose another copy.",
        ),
        ("Satzung.pdf", False, ""),
    ]
    names = {media.original_name: media.uploaded_by for media in library.by_age().items}
    assert names == {
        "Bekannt.jpg": "moderator-sub",
        "Finale.jpg": "official-sub",
        "Satzung.pdf": "official-sub",
    }
    assert f'href="/cms/media/{known.id}/"' in page.content.decode()


def test_each_new_picture_is_asked_for_its_description(editor: Client) -> None:
    page = send(editor, ("Finale.jpg", photo(600, 400)), ("Satzung.pdf", pdf())).content.decode()
    (media,) = [each for each in library.by_age().items if each.is_image]

    assert page.count('name="alt-') == 1
    answer = editor.post("/cms/media/describe", {f"alt-{media.id}": "Jubel am Netz"})

    assert answer["Location"] == "/cms/media/"
    assert library.get(media.id, strong=True).alt == "Jubel am Netz"


def test_a_description_is_at_most_300_letters_long(editor: Client) -> None:
    media = picture(by="official")

    answer = editor.post(
        "/cms/media/describe", {f"alt-{media.id}": "x" * 301}, headers={"HX-Request": "true"}
    )

    assert answer.status_code == 422
    assert "at most 300 characters" in answer.content.decode()
    assert library.get(media.id, strong=True).alt is None


@pytest.mark.parametrize(
    ("refusal", "status", "wait"),
    [(NotFound(), 404, None), (TooManyRequests(retry_after=7), 429, "7"), (Unavailable(), 503, "5")],
)
def test_a_description_that_is_not_saved_is_answered_with_its_reason(
    editor: Client, monkeypatch: pytest.MonkeyPatch, refusal: DataError, status: int, wait: str | None
) -> None:
    monkeypatch.setattr(services, "describe", Mock(side_effect=refusal))

    answer = editor.post("/cms/media/describe", {"alt-1": "Jubel"}, headers={"HX-Request": "true"})

    assert (answer.status_code, answer.get("Retry-After")) == (status, wait)
    assert answer.json() == {"error": str(refusal)}


def test_each_description_that_is_not_saved_is_told(editor: Client) -> None:
    media = picture(by="official")
    typed = {f"alt-{media.id}": "Jubel", "alt-1": "Gone", "alt-2": "x" * 301}

    page = editor.post("/cms/media/describe", typed, follow=True)

    told = [(each.level_tag, str(each)) for each in page.context["messages"]]
    assert [level for level, _text in told] == ["error", "error"]
    assert told[0][1] == str(NotFound())
    assert "at most 300 characters" in told[1][1]
    assert library.get(media.id, strong=True).alt == "Jubel"


@pytest.mark.parametrize("files", [[], [(f"{number}.jpg", b"x") for number in range(11)]])
def test_no_file_and_too_many_are_refused(editor: Client, files: list[tuple[str, bytes]]) -> None:
    page = send(editor, *files)

    assert page.status_code == 422
    assert "Choose 1 to 10 files." in page.content.decode()


def test_a_file_is_replaced_under_the_same_key(as_role, bucket: Bucket) -> None:
    media = picture("Alt.jpg", alt="Das Team")
    client = as_role("moderator")
    address = f"/cms/media/{media.id}/replace"

    answer = send(client, ("Neu.jpg", photo(300, 200)), to=address, version="1")

    assert answer["Location"] == f"/cms/media/{media.id}/"
    replaced = library.get(media.id, strong=True)
    assert (replaced.width, replaced.alt, replaced.original_name) == (300, "Das Team", "Neu.jpg")


@pytest.mark.parametrize(
    ("file", "problem"),
    [
        (("Satzung.pdf", pdf()), "This is a PDF. Choose a picture."),
        (None, "Choose a file."),
    ],
)
def test_a_file_of_another_kind_or_none_replaces_nothing(as_role, bucket: Bucket, file, problem: str) -> None:
    media = picture()

    page = send(
        as_role("moderator"), *([file] if file else []), to=f"/cms/media/{media.id}/replace", version="1"
    )

    assert (page.status_code, page.context["problem"]) == (422, problem)
    assert library.get(media.id, strong=True).s3_key == media.s3_key


def test_a_wrong_file_does_not_make_the_next_one_replace_what_nobody_has_seen(
    as_role, bucket: Bucket
) -> None:
    media = picture()
    client, address = as_role("moderator"), f"/cms/media/{media.id}/replace"
    send(client, ("Ihres.jpg", photo(300, 200)), to=address, version="1")

    refused = send(client, ("Satzung.pdf", pdf()), to=address, version="1")
    corrected = send(client, ("Meines.jpg", photo(400, 200)), to=address, version=version_in(refused))

    assert corrected.context["problem"] == "Someone else changed this in the meantime."
    assert library.get(media.id, strong=True).original_name == "Ihres.jpg"
    send(client, ("Meines.jpg", photo(400, 200)), to=address, version=version_in(corrected))
    assert library.get(media.id, strong=True).original_name == "Meines.jpg"


def test_nobody_replaces_a_version_that_they_have_not_seen(as_role, bucket: Bucket) -> None:
    media = picture()

    page = send(
        as_role("moderator"), ("Neu.jpg", photo(300, 200)), to=f"/cms/media/{media.id}/replace", version="7"
    )

    assert page.status_code == 409
    assert library.get(media.id, strong=True).s3_key == media.s3_key
