"""Deleting a file: refused while it is used, or together with its uses; it comes back with its files."""

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied

from cms.media import services
from cms.media.models import MediaFile
from cms.media.repository import media as media_repository
from cms.news.models import News
from cms.news.repository import news
from core.dynamo import history, metering, references, trash
from core.dynamo.errors import Conflict, InUse, NotFound
from tests.cast import CAST
from tests.media_bucket import Bucket, photo

pytestmark = pytest.mark.usefixtures("db")
MODERATOR = CAST["moderator"]


@pytest.fixture
def media(bucket: Bucket) -> MediaFile:
    return services.add(MODERATOR.actor, photo(600, 400), name="team.jpg", folder="news").media


def article(title: str, *images: str, **fields: Any) -> News:
    return news.create(News(title=title, image_ids=list(images), **fields), actor=MODERATOR.actor)


def as_stored(media: MediaFile) -> MediaFile:
    return media_repository.get(media.id, strong=True)


def in_trash(media: MediaFile) -> trash.TrashedItem:
    trashed = trash.of_record("media", media.id)
    assert trashed is not None
    return trashed


def test_a_file_that_is_used_is_not_deleted(media: MediaFile) -> None:
    article("Summer", media.id)

    with pytest.raises(InUse):
        media_repository.delete(as_stored(media), actor=MODERATOR.actor)


def test_a_file_goes_together_with_all_its_uses_in_one_transaction(media: MediaFile, bucket: Bucket) -> None:
    other = services.add(MODERATOR.actor, photo(99, 99), name="other.jpg", folder="news").media
    used_twice = article("Summer", other.id, media.id)
    alone = article("Winter", media.id)

    with metering.metered() as meter:
        count = services.remove_with_references(MODERATOR, as_stored(media), seen_version=1)

    assert (count, meter.operations[-3:]) == (2, ["Query", "BatchGetItem", "TransactWriteItems"])
    with pytest.raises(NotFound):
        as_stored(media)
    assert news.get(used_twice.id, strong=True).image_ids == [other.id]
    assert news.get(alone.id, strong=True).image_ids == []
    assert references.used_in("media", media.id).items == []
    assert [entry.verb for entry in history.entries("news", alone.id).items] == ["update", "create"]
    assert bucket.keys("news/"), "the files wait for the end of the trash"


def test_it_comes_back_unused_and_can_be_deleted_again(media: MediaFile, bucket: Bucket) -> None:
    article("Summer", media.id)
    services.remove_with_references(MODERATOR, as_stored(media))

    restored = media_repository.restore(in_trash(media).trash_id, actor=MODERATOR.actor)

    assert set(restored.s3_keys) == set(bucket.keys())
    assert services.remove_with_references(MODERATOR, as_stored(media)) == 0


def test_what_was_uploaded_again_meanwhile_is_there_twice(media: MediaFile) -> None:
    media_repository.delete(as_stored(media), actor=MODERATOR.actor)
    again = services.add(MODERATOR.actor, photo(600, 400), name="again.jpg", folder="news")
    assert again.is_duplicate is False

    restored = media_repository.restore(in_trash(media).trash_id, actor=MODERATOR.actor)

    assert restored.content_hash is None
    third = services.add(MODERATOR.actor, photo(600, 400), name="third.jpg", folder="news")
    assert (third.media.id, third.is_duplicate) == (again.media.id, True)


def test_a_file_with_many_uses_is_kept_and_nothing_is_changed(media: MediaFile) -> None:
    articles = [article(f"Number {number}", media.id) for number in range(services.MOST_USERS + 1)]

    with pytest.raises(InUse, match="More than 15 entries use this file"):
        services.remove_with_references(MODERATOR, as_stored(media))

    news.delete(articles.pop(), actor=MODERATOR.actor)
    assert services.remove_with_references(MODERATOR, as_stored(media)) == 15


def test_a_use_that_begins_meanwhile_stops_it(media: MediaFile) -> None:
    first = article("Summer", media.id)
    seen = as_stored(media)
    article("Winter", media.id)

    with pytest.raises(Conflict):
        services.remove_with_references(MODERATOR, seen)

    assert news.get(first.id, strong=True).image_ids == [media.id]


def test_who_may_not_delete_files_or_change_what_uses_them_is_refused(
    media: MediaFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(PermissionDenied):
        services.remove_with_references(CAST["official"], as_stored(media))

    article("Summer", media.id)
    monkeypatch.setattr(services, "ensure", _only_delete)
    with pytest.raises(PermissionDenied):
        services.remove_with_references(MODERATOR, as_stored(media))
    assert as_stored(media).refs == 1


def _only_delete(_user: Any, right: str, _record: Any) -> None:
    if right != "cms.media.delete":
        raise PermissionDenied


# --- The files of a record that is gone for good -----------------------------------------------------------


def test_the_files_of_a_last_image_are_deleted_however_often(media: MediaFile, bucket: Bucket) -> None:
    other = services.add(MODERATOR.actor, photo(99, 99), name="other.jpg", folder="news").media

    for _time in range(2):
        services.delete_files(media.stored)
        assert bucket.keys() == other.s3_keys


def test_files_in_a_bucket_that_is_not_ours_are_left_alone(media: MediaFile, bucket: Bucket) -> None:
    services.delete_files({**media.stored, "s3Bucket": {"S": "production-media"}})

    assert sorted(bucket.keys()) == sorted(media.s3_keys)
