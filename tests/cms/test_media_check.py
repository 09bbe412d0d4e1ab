"""`manage.py media check`: files without a record, and records without a file."""

from datetime import timedelta
from io import BytesIO, StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from cms import repository
from cms.media import checking, storage
from cms.models import MediaFile
from cms.models import media_file as media_model
from cms.services import media_file
from dynamo.actors import Actor
from tests.cast import CAST
from tests.media_bucket import Bucket, photo

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture(autouse=True)
def _every_file_is_old_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "OLD_ENOUGH", timedelta(minutes=-1))


@pytest.fixture
def media(bucket: Bucket, alice: Actor) -> MediaFile:
    return media_file.add(alice, photo(600, 400), name="team.jpg", folder="teams").media


def check(**options: Any) -> str:
    said = StringIO()
    call_command("media", "check", stdout=said, **options)
    return said.getvalue()


def failed_check(**options: Any) -> str:
    said = StringIO()
    with pytest.raises(CommandError) as failure:
        call_command("media", "check", stdout=said, **options)
    return said.getvalue() + str(failure.value)


def test_what_belongs_together_is_left_alone(media: MediaFile, bucket: Bucket, alice: Actor) -> None:
    deleted = media_file.add(alice, photo(99, 99), name="deleted.jpg", folder="news").media
    repository.media.delete(repository.media.get(deleted.id, strong=True), actor=alice)
    bucket.put("sams-logos/club.png", b"of another part of the site")
    before = bucket.keys()

    assert check(repair=True) == "All files and records belong together.\n"
    assert bucket.keys() == before


def test_a_file_that_belongs_to_no_record_is_told_and_on_request_deleted(
    media: MediaFile, bucket: Bucket
) -> None:
    storage.write(
        "news/x/480.jpg", b"of a record that never came", mime_type="image/jpeg", about={"record": "x"}
    )
    storage.write("teams/old/480.jpg", b"replaced", mime_type="image/jpeg", about={"record": media.id})
    bucket.put("uploads/given-up", b"never finished")
    told = (
        "uploads/given-up belongs to no record{0}.\n"
        "news/x/480.jpg belongs to no record{0}.\n"
        "teams/old/480.jpg belongs to no record{0}.\n"
    )

    for options in ({}, {"dry_run": True}, {"repair": True, "dry_run": True}):
        assert failed_check(**options) == told.format("") + "3 of 3 problems are left."
    assert len(bucket.keys()) == len(media.s3_keys) + 3

    assert check(repair=True) == told.format(": repaired") + "3 problems were repaired.\n"
    assert sorted(bucket.keys()) == sorted(media.s3_keys)


def test_a_file_that_may_still_get_its_record_is_left_alone(
    bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    bucket.put("uploads/just-sent", b"x")
    monkeypatch.setattr(checking, "OLD_ENOUGH", timedelta(days=1))

    assert check(repair=True) == "All files and records belong together.\n"


def test_a_file_that_was_replaced_is_left_alone_for_a_day(
    media: MediaFile, bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = media_file.upload_instead(
        CAST["moderator"], media, BytesIO(photo(700, 400)), name="new.jpg", seen_version=1
    )

    assert check(repair=True) == "All files and records belong together.\n"
    assert sorted(bucket.keys()) == sorted([*media.s3_keys, *new.s3_keys])

    monkeypatch.setattr(media_model, "REPLACED_STAY", timedelta(0))
    assert check(repair=True).endswith(f"{len(media.s3_keys)} problems were repaired.\n")
    assert sorted(bucket.keys()) == sorted(new.s3_keys)


def test_a_record_that_lacks_a_copy_goes_on_without_it(media: MediaFile) -> None:
    jpeg, webp = media.variants
    storage.delete([webp["s3Key"]])

    assert webp["s3Key"] in failed_check()
    assert check(repair=True).endswith(": repaired.\n1 problems were repaired.\n")
    assert repository.media.get(media.id, strong=True).variants == [jpeg]
    assert check() == "All files and records belong together.\n"


def test_a_record_that_lacks_its_file_stays_a_problem(media: MediaFile) -> None:
    storage.delete([media.s3_key])

    assert failed_check(repair=True) == (
        f"“team.jpg” ({media.id}) lacks {media.s3_key}.\n1 of 1 problems are left."
    )


def test_what_was_restored_while_it_was_looking_is_not_deleted(
    media: MediaFile, bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record is seen neither among the records nor in the trash, yet the file names it."""
    monkeypatch.setattr(checking, "_records", lambda: iter(()))

    assert check(repair=True) == "All files and records belong together.\n"
    assert sorted(bucket.keys()) == sorted(media.s3_keys)


def test_without_s3_it_says_so(media: MediaFile, settings: Any) -> None:
    settings.S3_ENDPOINT = "http://127.0.0.1:9"

    assert failed_check() == "The files cannot be reached right now. Please try again in a moment."
