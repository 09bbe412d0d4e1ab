"""`manage.py media check`: files without a record, and records without a file."""

from datetime import timedelta
from io import BytesIO, StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from cms.media import check as media_check
from cms.media import models as media_model
from cms.media import services
from cms.media.check import CheckResult, Orphan
from cms.media.models import MediaFile
from cms.media.repository import media as media_repository
from cms.sams.models import SamsClub
from cms.sams.repository import sams_clubs
from core.dynamo import reindex
from core.dynamo.actors import Actor
from core.media import storage
from tests.cast import CAST
from tests.media_bucket import Bucket, photo

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture(autouse=True)
def _every_file_is_old_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(media_check, "ORPHAN_AGE", timedelta(minutes=-1))


@pytest.fixture
def media(bucket: Bucket, alice: Actor) -> MediaFile:
    return services.add(alice, photo(600, 400), name="team.jpg", folder="teams").media


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
    deleted = services.add(alice, photo(99, 99), name="deleted.jpg", folder="news").media
    media_repository.delete(media_repository.get(deleted.id, strong=True), actor=alice)
    bucket.put("elsewhere/club.png", b"of another part of the site")
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


def test_the_logo_of_a_club_goes_when_the_club_is_no_more(bucket: Bucket, alice: Actor) -> None:
    keys = {name: f"sams-logos/{name}.png" for name in ("here", "gone", "other")}
    for key in keys.values():
        bucket.put(key, b"logo")
    for name, key in (("here", keys["here"]), ("other", "sams-logos/other.jpg")):
        club = SamsClub(sportsclub_uuid=name, name=name, logo_s3_key=key)
        sams_clubs.create(club, actor=alice)

    assert check(repair=True) == (
        "sams-logos/gone.png belongs to no record: repaired.\n"
        "sams-logos/other.png belongs to no record: repaired.\n"
        "2 problems were repaired.\n"
    )
    assert bucket.keys() == [keys["here"]]


def test_the_logo_of_a_club_that_came_while_it_was_looking_stays(
    bucket: Bucket, alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    bucket.put("sams-logos/new.png", b"logo")
    club = SamsClub(sportsclub_uuid="new", name="new", logo_s3_key="sams-logos/new.png")
    sams_clubs.create(club, actor=alice)
    monkeypatch.setattr(media_check, "_logos", lambda: iter(()))

    assert check(repair=True) == "All files and records belong together.\n"


def test_so_many_files_that_these_must_be_the_wrong_tables_are_deleted_only_if_somebody_insists(
    bucket: Bucket,
) -> None:
    for number in range(21):
        bucket.put(f"news/{number:02}/a.jpg", b"of another site")
    told = "".join(f"news/{number:02}/a.jpg belongs to no record{{0}}.\n" for number in range(21))

    assert failed_check(repair=True) == told.format("") + (
        "Nothing was repaired: of 21 files, suspiciously many belong to no record. "
        "Do these tables belong to this bucket? If they do, say --yes."
    )
    assert len(bucket.keys()) == 21
    assert failed_check() == told.format("") + "21 of 21 problems are left."

    assert check(repair=True, yes=True) == told.format(": repaired") + "21 problems were repaired.\n"
    assert bucket.keys() == []


@pytest.mark.parametrize(
    ("files", "orphans", "is_suspicious"),
    [(20, 20, False), (21, 21, True), (300, 30, False), (300, 31, True)],
)
def test_suspicious_is_more_than_a_tenth_and_more_than_twenty(
    files: int, orphans: int, is_suspicious: bool
) -> None:
    assert CheckResult(files, [Orphan("news/a.jpg")] * orphans).is_suspicious is is_suspicious


def test_a_file_that_gets_its_record_before_it_is_deleted_stays(media: MediaFile, bucket: Bucket) -> None:
    assert Orphan(media.s3_key).repair() is False
    assert sorted(bucket.keys()) == sorted(media.s3_keys)


def test_a_file_that_may_still_get_its_record_is_left_alone(
    bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    bucket.put("uploads/just-sent", b"x")
    monkeypatch.setattr(media_check, "ORPHAN_AGE", timedelta(days=1))

    assert check(repair=True) == "All files and records belong together.\n"


def test_a_file_that_was_replaced_is_left_alone_for_a_day(
    media: MediaFile, bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = services.replace_file(
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
    assert media_repository.get(media.id, strong=True).variants == [jpeg]
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
    monkeypatch.setattr(reindex, "records_of", lambda _repository: iter(()))

    assert check(repair=True) == "All files and records belong together.\n"
    assert sorted(bucket.keys()) == sorted(media.s3_keys)


def test_without_s3_it_says_so(media: MediaFile, settings: Any) -> None:
    settings.S3_ENDPOINT = "http://127.0.0.1:9"

    assert failed_check() == "Files are unavailable right now. Try again in a moment."
