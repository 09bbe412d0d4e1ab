"""Uploading: the browser sends a file straight to S3, then a call decodes it and makes the record."""

import hashlib
import re
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
import requests
from django.core import signing
from django.test import Client

from cms.media import services
from cms.media.repository import media as media_repository
from core.dynamo import history, metering
from core.media import storage, tickets, uploads
from core.stores.limits import Limiter
from tests.cast import CAST
from tests.cms.uploads import all_media, begun, finished, sent
from tests.media_bucket import SITE, Bucket, pdf, photo
from tests.racing import at_once

pytestmark = pytest.mark.usefixtures("db")
EDITOR, OTHER = CAST["official"], CAST["moderator"]
MEGABYTE = 1024 * 1024


@pytest.fixture
def editor(as_role: Callable[[str], Client], bucket: Bucket) -> Client:
    return as_role("official")


# --- A whole upload ---------------------------------------------------------------------------------------


def test_an_uploaded_photo_is_a_record_whose_files_everybody_can_read(editor: Client, bucket: Bucket) -> None:
    data = photo(1600, 1200)

    answer = finished(editor, sent(editor, bucket, data, folder="news"), alt="Children at the net")

    media = media_repository.get(answer.json()["id"], strong=True)
    assert answer.status_code == 201
    assert answer.json() == {
        "id": media.id,
        "url": f"{bucket.address}/{media.s3_key}",
        "thumbnail": f"{bucket.address}/{media.variants[0]['s3Key']}",
        "width": 1600,
        "height": 1200,
        "name": "Sommerfest.jpg",
        "alt": "Children at the net",
        "duplicate": False,
    }
    random = re.fullmatch(r"news/([0-9a-f-]{36})/\1\.jpg", media.s3_key)
    assert random is not None
    assert (media.filename, media.s3_bucket, media.url) == (
        f"{random[1]}.jpg",
        bucket.name,
        answer.json()["url"],
    )
    assert (media.mime_type, media.uploaded_by) == ("image/jpeg", EDITOR.sub)
    assert media.content_hash == hashlib.sha256(data).hexdigest()
    assert [copy["s3Key"] for copy in media.variants] == [
        f"news/{random[1]}/{name}"
        for name in ("480.jpg", "480.webp", "800.jpg", "800.webp", "1200.jpg", "1200.webp")
    ]
    assert sorted(bucket.keys()) == sorted(media.s3_keys), "and the upload itself is gone"
    assert [entry.verb for entry in history.entries("media", media.id).items] == ["create"]


def test_files_are_served_with_their_type_and_kept_by_browsers_for_ever(
    editor: Client, bucket: Bucket
) -> None:
    finished(editor, sent(editor, bucket, photo()))
    (media,) = all_media()

    for copy in [{"s3Key": media.s3_key, "format": "jpeg"}, *media.variants]:
        served = bucket.served(copy["s3Key"])
        assert served.status_code == 200
        assert served.headers["Content-Type"] == f"image/{copy['format']}"
        assert served.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert len(bucket.served(media.s3_key).content) == media.size


def test_what_was_uploaded_and_not_decoded_yet_is_served_to_nobody(editor: Client, bucket: Bucket) -> None:
    sent(editor, bucket, b"<html><script>alert(1)</script>")
    (waiting,) = bucket.keys("uploads/")

    assert bucket.served(waiting).status_code == 403
    assert bucket.head(waiting)["ContentType"] == "application/octet-stream"
    assert bucket.head(waiting)["ContentDisposition"] == "attachment"


def test_an_upload_and_its_record_cost_few_requests(bucket: Bucket) -> None:
    upload = services.begin(EDITOR, name="a.jpg", size=10, folder="media")
    bucket.send(upload.post, photo(600, 400))

    with metering.metered() as meter:
        services.finish(EDITOR, upload.ticket)

    # Was it finished before? Are there such bytes? Then all is written at once.
    assert meter.operations == ["GetItem", "BatchGetItem", "TransactWriteItems"]


def test_a_document_is_served_as_it_is_to_be_saved_under_its_name(editor: Client, bucket: Bucket) -> None:
    data = pdf()
    answer = finished(editor, sent(editor, bucket, data, name="Satzung Übungsleiter.jpg"))

    (media,) = all_media()
    assert answer.json() | {"id": "", "url": ""} == {
        "id": "",
        "url": "",
        "thumbnail": None,
        "width": None,
        "height": None,
        "name": "Satzung Übungsleiter.jpg",
        "alt": "",
        "duplicate": False,
    }
    assert (media.mime_type, media.size, media.variants) == ("application/pdf", len(data), [])
    served = bucket.served(media.s3_key)
    assert served.content == data
    assert served.headers["Content-Type"] == "application/pdf"
    assert served.headers["Content-Disposition"] == (
        "attachment; filename*=utf-8''Satzung%20%C3%9Cbungsleiter.pdf"
    )


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("C:\\fakepath\\Foto.jpg", "Foto.jpg"),
        ("../../etc/passwd", "passwd"),
        ("a\x00b\r\nSet-Cookie: x\u202egpj.exe", "abSet-Cookie: xgpj.exe"),
        ("x" * 400, "x" * 200),
        (" \u200b ", "Untitled"),
    ],
)
def test_of_a_name_only_what_one_can_see_is_kept(name: str, kept: str, bucket: Bucket) -> None:
    added = services.add(EDITOR.actor, photo(20, 20), name=name, folder="media")

    assert added.media.original_name == kept


def test_the_pages_of_the_site_may_send_files_from_the_browser_and_those_of_others_may_not(
    bucket: Bucket,
) -> None:
    def allowed(site: str) -> str | None:
        asked = {"Origin": site, "Access-Control-Request-Method": "POST"}
        return requests.options(bucket.address, headers=asked, timeout=300).headers.get(
            "Access-Control-Allow-Origin"
        )

    assert allowed(SITE) == SITE
    assert allowed("https://evil.example") is None


# --- What S3 itself refuses -------------------------------------------------------------------------------


def test_s3_takes_25_megabytes_and_not_a_byte_more_or_nothing_at_all(editor: Client, bucket: Bucket) -> None:
    for size, status in ((25 * MEGABYTE, 204), (25 * MEGABYTE + 1, 400), (0, 400)):
        # A browser may lie about the size that it is about to send.
        answer = begun(editor, size=1).json()
        post = storage.Post(answer["url"], answer["fields"])
        assert bucket.send(post, b"x" * size).status_code == status


def test_s3_takes_the_form_only_for_the_key_and_the_type_that_it_was_made_for(
    editor: Client, bucket: Bucket
) -> None:
    answer = begun(editor).json()

    for change in ({"key": "news/index.html"}, {"Content-Type": "text/html"}):
        post = storage.Post(answer["url"], answer["fields"] | change)
        assert bucket.send(post, b"x").status_code == 403
    assert bucket.keys() == []


def test_a_file_that_is_too_large_is_refused_before_it_is_sent(editor: Client, bucket: Bucket) -> None:
    answer = begun(editor, size=25 * MEGABYTE + 1)

    assert (answer.status_code, answer.json()) == (413, {"error": "This file is larger than 25 MB."})


# --- What the application refuses -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "said"),
    [
        pytest.param(photo()[:2000], "This picture is damaged or incomplete", id="half a photo"),
        pytest.param(b"<svg onload='alert(1)'/>", "SVG files can contain scripts", id="SVG"),
        pytest.param(b"Just words", "This is neither a picture", id="text"),
        pytest.param(pdf()[:-20], "This PDF is damaged or incomplete", id="half a PDF"),
        pytest.param(b"x" * 26 * MEGABYTE, "This file is larger than 25 MB.", id="too large"),
    ],
)
def test_a_file_that_is_no_picture_is_refused_in_words_and_leaves_nothing(
    editor: Client, bucket: Bucket, data: bytes, said: str
) -> None:
    ticket = begun(editor).json()["ticket"]
    # Past the form, as somebody could who has other ways into the bucket.
    bucket.put(tickets.open_ticket(EDITOR, ticket).key, data)

    answer = finished(editor, ticket)

    assert answer.status_code in (413, 422)
    assert answer.json()["error"].startswith(said)
    assert bucket.keys() == []
    assert all_media() == []


def test_where_a_picture_is_wanted_a_pdf_is_refused_also_when_it_is_there_already(
    editor: Client, bucket: Bucket
) -> None:
    for _time in range(2):
        answer = finished(editor, sent(editor, bucket, pdf(), kinds=["image"]))
        assert answer.json() == {"error": "This is a PDF. Choose a picture."}
        services.add(EDITOR.actor, pdf(), name="a.pdf", folder="media")


def test_a_ticket_is_good_for_one_person_one_hour_and_as_it_was_given(
    editor: Client, bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticket = sent(editor, bucket, photo())
    foreign = tickets.Ticket(OTHER.sub, "a", "media").signed()
    other_use = signing.dumps({"sub": EDITOR.sub}, salt="another")

    for wrong in (ticket[:-1] + ("A" if ticket[-1] != "A" else "B"), foreign, other_use, "x"):
        answer = finished(editor, wrong)
        assert (answer.status_code, answer.json()) == (400, {"error": str(tickets.InvalidTicket.message)})

    later = signing.time.time() + tickets.VALID_SECONDS + 2
    with monkeypatch.context() as patch:
        patch.setattr(signing.time, "time", lambda: later)
        with pytest.raises(tickets.InvalidTicket):
            tickets.open_ticket(EDITOR, ticket)
    assert finished(editor, ticket).status_code == 201


def test_without_the_file_the_ticket_leads_to_a_sentence(editor: Client) -> None:
    answer = finished(editor, begun(editor).json()["ticket"])

    assert answer.status_code == 404
    assert answer.json() == {"error": "The file did not arrive. Choose it again."}


@pytest.mark.parametrize(
    "fields", [{"size": ""}, {"size": "-1"}, {"name": ""}, {"folder": "uploads"}, {"kinds": ["script"]}]
)
def test_what_makes_no_sense_is_a_bad_request(editor: Client, fields: dict[str, Any]) -> None:
    answer = begun(editor, **fields)

    assert answer.status_code == 400
    assert answer.json()["error"].startswith(f"{next(iter(fields))}: ")


def test_only_those_may_replace_who_may_change(as_role: Callable[[str], Client], bucket: Bucket) -> None:
    media = services.add(OTHER.actor, photo(), name="a.jpg", folder="media").media

    assert begun(as_role("official"), replaces=media.id).status_code == 403
    assert begun(as_role("moderator"), replaces=media.id).status_code == 200


def test_somebody_who_uploads_without_end_is_stopped(editor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "UPLOADS", Limiter("uploads-here", limit=1, seconds=3600))

    first, second = begun(editor), begun(editor)

    assert (first.status_code, second.status_code) == (200, 429)
    assert int(second["Retry-After"]) > 0


# --- The same file, the same ticket -----------------------------------------------------------------------


def test_a_file_that_is_there_already_is_answered_with_its_record(editor: Client, bucket: Bucket) -> None:
    first = finished(editor, sent(editor, bucket, photo(), name="one.jpg")).json()
    stored = bucket.keys()

    again = finished(editor, sent(editor, bucket, photo(), name="two.jpg"))

    assert again.status_code == 200
    assert again.json() == first | {"duplicate": True}
    assert bucket.keys() == stored
    assert len(all_media()) == 1


def test_of_many_who_upload_the_same_file_at_once_one_makes_the_record(bucket: Bucket) -> None:
    data = photo(600, 400)

    def upload(number: int) -> services.Finished:
        return services.add(EDITOR.actor, data, name=f"{number}.jpg", folder="media")

    answers = at_once(upload, 6)

    (media,) = all_media()
    assert {answer.media.id for answer in answers} == {media.id}
    assert sorted(answer.is_duplicate for answer in answers) == [False] + [True] * 5
    assert sorted(bucket.keys()) == sorted(media_repository.get(media.id).s3_keys), "nothing is left behind"


@pytest.mark.parametrize("is_duplicate", [False, True])
def test_the_same_ticket_again_gets_the_same_answer(
    editor: Client, bucket: Bucket, is_duplicate: bool
) -> None:
    if is_duplicate:
        services.add(OTHER.actor, photo(), name="earlier.jpg", folder="media")
    ticket = sent(editor, bucket, photo())

    first, second = (finished(editor, ticket) for _time in range(2))

    assert first.json() == second.json()
    assert first.json()["duplicate"] is is_duplicate
    assert len(all_media()) == 1


def test_one_ticket_used_by_many_at_once_makes_one_record(bucket: Bucket) -> None:
    upload = services.begin(EDITOR, name="a.jpg", size=10, folder="media")
    bucket.send(upload.post, photo(600, 400))

    def finish(_number: int) -> str:
        return services.finish(EDITOR, upload.ticket).media.id

    keys = set(at_once(finish, 4))

    (media,) = all_media()
    assert keys == {media.id}
    assert sorted(bucket.keys()) == sorted(media_repository.get(media.id).s3_keys)


def test_who_finds_that_another_request_has_just_taken_the_upload_gets_its_answer(
    bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = services.begin(EDITOR, name="a.jpg", size=10, folder="media")
    bucket.send(upload.post, photo(600, 400))
    read, faster = storage.read, []

    def read_too_late(key: str) -> bytes:
        monkeypatch.setattr(storage, "read", read)
        faster.append(services.finish(EDITOR, upload.ticket).media.id)
        return read(key)

    monkeypatch.setattr(storage, "read", read_too_late)

    assert [services.finish(EDITOR, upload.ticket).media.id] == faster


# --- Through the server -----------------------------------------------------------------------------------


def test_a_file_that_comes_through_the_server_goes_the_same_way(bucket: Bucket) -> None:
    made = services.upload(
        EDITOR, BytesIO(photo()), name="a.jpg", folder="teams", alt="The team", caption="2026"
    ).media

    assert (made.alt, made.caption, made.s3_key.split("/")[0]) == ("The team", "2026", "teams")
    with pytest.raises(services.TooLarge):
        services.upload(EDITOR, BytesIO(b"x" * (25 * MEGABYTE + 1)), name="a.jpg", folder="media")
