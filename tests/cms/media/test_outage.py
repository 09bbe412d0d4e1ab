"""Uploading while S3 or the database does not answer: it is said, and nothing is lost."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from cms.media import services
from core.dynamo.errors import AlreadyExists, Unavailable
from core.dynamo.faults import FaultProxy
from core.dynamo.faults.faults import NO_FAULTS, Faults
from core.media import storage
from tests.cast import CAST
from tests.cms.uploads import all_media, begun, finished, sent
from tests.media_bucket import Bucket, photo

pytestmark = pytest.mark.usefixtures("db")
EDITOR = CAST["official"]


@pytest.fixture
def editor(as_role: Callable[[str], Client], bucket: Bucket) -> Client:
    return as_role("official")


def test_when_s3_is_down_that_is_said_and_the_ticket_is_good_later(
    editor: Client, bucket: Bucket, settings: Any
) -> None:
    ticket = sent(editor, bucket, photo())
    usual, settings.S3_ENDPOINT = settings.S3_ENDPOINT, "http://127.0.0.1:9"

    answer = finished(editor, ticket)

    assert answer.status_code == 503
    assert answer.json() == {"error": "Files are unavailable right now. Try again in a moment."}
    assert answer["Retry-After"] == "5"
    settings.S3_ENDPOINT = usual
    assert finished(editor, ticket).status_code == 201


def test_without_a_bucket_uploads_are_unavailable(editor: Client, settings: Any) -> None:
    settings.MEDIA_BUCKET = ""

    answer = begun(editor)

    assert (answer.status_code, answer.json()) == (
        503,
        {"error": "File storage is not set up. MEDIA_BUCKET is not set."},
    )


def test_files_whose_record_is_refused_are_taken_away(bucket: Bucket) -> None:
    made = services.add(EDITOR.actor, photo(), name="a.jpg", folder="media").media
    kept = bucket.keys()

    with pytest.raises(AlreadyExists):
        services.add(EDITOR.actor, photo(99, 99), name="b.jpg", folder="media", key=made.id)

    assert bucket.keys() == kept


def test_when_s3_breaks_off_in_between_there_is_no_record(
    bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, written = storage.write, []

    def write_three(key: str, data: bytes, **options: Any) -> None:
        written.append(key)
        if len(written) == 3:
            raise storage.FilesUnavailable
        write(key, data, **options)

    monkeypatch.setattr(storage, "write", write_three)
    with pytest.raises(Unavailable):
        services.add(EDITOR.actor, photo(), name="a.jpg", folder="media")

    assert all_media() == []


def test_when_the_answer_of_the_database_is_lost_the_record_and_its_files_stay(
    bucket: Bucket, proxy: FaultProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = services.begin(EDITOR, name="a.jpg", size=10, folder="media")
    bucket.send(upload.post, photo(600, 400))
    write = storage.write

    def write_before_the_fault(*args: Any, **options: Any) -> None:
        write(*args, **options)
        proxy.faults = Faults(lost_answer=1)

    monkeypatch.setattr(storage, "write", write_before_the_fault)
    with pytest.raises(Unavailable):
        services.finish(EDITOR, upload.ticket)
    proxy.faults = NO_FAULTS

    media = services.finish(EDITOR, upload.ticket).media
    assert [each.id for each in all_media()] == [media.id]
    assert sorted(bucket.keys()) == sorted(media.s3_keys)
