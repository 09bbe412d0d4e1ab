"""Another file for the same record: whoever uses it shows the new one."""

from dataclasses import replace
from datetime import timedelta
from io import BytesIO

import pytest
from django.core.exceptions import PermissionDenied

from cms.media import models as media_model
from cms.media import services
from cms.media.models import MediaFile
from cms.media.repository import media as media_repository
from core.accounts.rights import OFFICIALS, RIGHTS, Right
from core.dynamo import history
from core.dynamo.attributes import now
from core.dynamo.errors import AlreadyExists, Conflict, NotFound
from core.media import storage
from core.media.processing import OnlyDocuments, OnlyPictures
from tests.cast import CAST
from tests.media_bucket import Bucket, pdf, photo
from tests.racing import at_once

pytestmark = pytest.mark.usefixtures("db")
MODERATOR = CAST["moderator"]


@pytest.fixture
def media(bucket: Bucket) -> MediaFile:
    added = services.add(
        MODERATOR.actor, photo(600, 400), name="old.jpg", folder="teams", alt="The team"
    ).media
    return media_repository.get(added.id, strong=True)


def replaced(media: MediaFile, data: bytes, *, seen_version: int = 1) -> MediaFile:
    return services.replace_file(MODERATOR, media, BytesIO(data), name="new.jpg", seen_version=seen_version)


def test_a_replaced_file_keeps_its_record_and_pages_that_were_kept_their_files(
    media: MediaFile, bucket: Bucket
) -> None:
    new = replaced(media, photo(1000, 500))

    stored = media_repository.get(media.id, strong=True)
    assert stored.stored == new.stored
    assert (stored.id, stored.alt, stored.original_name) == (media.id, "The team", "new.jpg")
    assert (stored.width, stored.height, stored.version) == (1000, 500, 2)
    assert stored.s3_key.startswith("teams/")
    assert set(stored.s3_keys) & set(media.s3_keys) == set()
    assert sorted(bucket.keys()) == sorted([*stored.s3_keys, *media.s3_keys])
    (entry, _created) = history.entries("media", media.id).items
    assert (entry.verb, entry.actor) == ("replace", MODERATOR.sub)


def test_what_was_replaced_more_than_a_day_ago_goes_the_next_time(
    media: MediaFile, bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = replaced(media, photo(1000, 500))
    second = replaced(first, photo(900, 500), seen_version=2)
    assert sorted(bucket.keys()) == sorted([*media.s3_keys, *first.s3_keys, *second.s3_keys])

    monkeypatch.setattr(media_model, "now", lambda: now() + timedelta(days=1))
    third = replaced(second, photo(800, 500), seen_version=3)

    assert sorted(bucket.keys()) == sorted([*second.s3_keys, *third.s3_keys])
    assert [former["s3Key"] for former in third.replaced] == second.s3_keys


def test_with_the_record_all_its_files_go(media: MediaFile, bucket: Bucket) -> None:
    new = replaced(media, photo(1000, 500))

    services.delete_files(new.stored)

    assert bucket.keys() == []


def test_its_bytes_are_known_instead_of_the_old_ones(media: MediaFile, bucket: Bucket) -> None:
    replaced(media, photo(1000, 500))

    again = services.add(MODERATOR.actor, photo(1000, 500), name="a.jpg", folder="media")
    former = services.add(MODERATOR.actor, photo(600, 400), name="b.jpg", folder="media")
    assert (again.media.id, again.is_duplicate) == (media.id, True)
    assert former.is_duplicate is False


def test_a_browser_replaces_a_file_by_ticket_once(media: MediaFile, bucket: Bucket) -> None:
    upload = services.begin(MODERATOR, name="new.jpg", size=9, folder="teams", replaces=media.id)
    bucket.send(upload.post, photo(1000, 500))

    answers = at_once(lambda _number: services.finish(MODERATOR, upload.ticket).media, 3)

    stored = media_repository.get(media.id, strong=True)
    assert [(answer.id, answer.version) for answer in answers] == [(media.id, 2)] * 3
    assert sorted(bucket.keys()) == sorted([*stored.s3_keys, *media.s3_keys])


def test_a_picture_stays_a_picture_and_a_document_a_document(media: MediaFile, bucket: Bucket) -> None:
    document = services.add(MODERATOR.actor, pdf(), name="a.pdf", folder="media").media
    kept = bucket.keys()

    with pytest.raises(OnlyPictures):
        replaced(media, pdf("other"))
    with pytest.raises(OnlyDocuments):
        replaced(media_repository.get(document.id, strong=True), photo())
    assert bucket.keys() == kept


def test_a_file_that_another_record_has_is_refused(media: MediaFile, bucket: Bucket) -> None:
    services.add(MODERATOR.actor, photo(1000, 500), name="other.jpg", folder="media")
    kept = bucket.keys()

    with pytest.raises(AlreadyExists, match="already in the library"):
        replaced(media, photo(1000, 500))
    assert bucket.keys() == kept


def test_what_was_changed_meanwhile_is_not_replaced(media: MediaFile, bucket: Bucket) -> None:
    media_repository.update(media, {"alt": "Another team"}, actor=MODERATOR.actor)
    kept = bucket.keys()

    with pytest.raises(Conflict):
        replaced(media, photo(1000, 500))
    assert bucket.keys() == kept


def test_who_may_change_files_but_not_delete_them_may_not_replace_even_their_own(
    bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RIGHTS, "cms.media.update", Right(OFFICIALS))
    official = CAST["official"]
    own = services.upload(official, BytesIO(photo(600, 400)), name="own.jpg", folder="teams").media
    once_moderator = replace(official, groups=MODERATOR.groups)
    upload = services.begin(once_moderator, name="new.jpg", size=9, folder="teams", replaces=own.id)
    bucket.send(upload.post, photo(1000, 500))

    with pytest.raises(PermissionDenied):
        services.replace_file(official, own, BytesIO(photo()), name="a.jpg", seen_version=1)
    with pytest.raises(PermissionDenied):
        services.begin(official, name="new.jpg", size=9, folder="teams", replaces=own.id)
    with pytest.raises(PermissionDenied):
        services.finish(official, upload.ticket)
    assert media_repository.get(own.id, strong=True).version == 1


def test_what_was_deleted_meanwhile_is_not_there(media: MediaFile, bucket: Bucket) -> None:
    upload = services.begin(MODERATOR, name="new.jpg", size=9, folder="teams", replaces=media.id)
    bucket.send(upload.post, photo(1000, 500))
    media_repository.delete(media, actor=MODERATOR.actor)

    with pytest.raises(NotFound):
        services.finish(MODERATOR, upload.ticket)
    assert storage.about(media.s3_key) is not None, "a restore finds its file"
