"""Photos of the work of a quest: who sees them, and where they are."""

import re
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from cms.media import check
from cms.media.repository import media
from core.dynamo import metering
from quests.models import CLAIMED
from quests.services import lifecycle
from tests.cast import sign_in
from tests.media_bucket import opened, photo
from tests.quests.board import CREATOR, PERFORMER, TEXT, claimed, offered, stored
from tests.quests.steps import NOTE, send

pytestmark = pytest.mark.usefixtures("db", "accounts")


def sent_with(photos, quest, role="other-member"):
    files = [SimpleUploadedFile(f"beweis-{number}.jpg", data) for number, data in enumerate(photos)]
    return send(role, quest, "submit", {"text": TEXT, "photos": files, "once": "photos"})


def test_work_is_submitted_with_photos_by_somebody_who_may_not_use_the_library(bucket):
    quest = claimed()

    assert sent_with([photo(60, 40), photo(60, 40, colour="coral")], quest).status_code == 302
    assert sent_with([photo(60, 40), photo(60, 40, colour="coral")], quest).status_code == 302

    assert len(stored(quest).photos) == 2
    assert bucket.keys() == bucket.keys("private/quests/") != []
    client = sign_in(Client(), "member")
    with metering.metered() as meter:
        page = client.get(f"/quests/{quest.id}/").content.decode()
    assert page.count(f'<img src="/quests/{quest.id}/photos/') == 2
    assert meter.operations == ["BatchGetItem", "Query", "BatchGetItem"]


def addresses_of_photos(page):
    return re.findall(r'<a href="(/quests/[^"]+/photos/[^"]+)"><img src="([^"]+)"', page.content.decode())


def test_the_photos_are_for_those_who_see_the_quest_and_not_in_the_library(bucket):
    quest = claimed()
    sent_with([photo(1600, 1200)], quest)
    ((whole, small),) = addresses_of_photos(sign_in(Client(), "member").get(f"/quests/{quest.id}/"))

    for role in ("member", "official", "scout"):
        response = sign_in(Client(), role).get(whole)
        assert (response.status_code, response["Content-Type"]) == (200, "image/jpeg")
        assert response["Cache-Control"] == "no-store"
        assert response["X-Content-Type-Options"] == "nosniff"
        assert opened(response.content).size == (1600, 1200)
    assert opened(sign_in(Client(), "member").get(small).content).size[0] == 480
    assert Client().get(whole).status_code == 302
    keys = bucket.keys()
    assert {bucket.served(key).status_code for key in keys} == {403}

    assert media.by_age().items == []
    assert sign_in(Client(), "admin").get("/search", {"q": "beweis"}).context["groups"] == []


def test_only_photos_of_this_quest_are_found_at_its_address(bucket):
    quest, other = claimed(), offered()
    sent_with([photo(60, 40)], quest)
    ((whole, _small),) = addresses_of_photos(sign_in(Client(), "member").get(f"/quests/{quest.id}/"))
    client = sign_in(Client(), "member")

    assert client.get(whole.replace(quest.id, other.id)).status_code == 404
    assert client.get(f"/quests/{quest.id}/photos/no-such-photo").status_code == 404
    bucket.empty()
    assert client.get(whole).status_code == 404


def test_photos_that_no_quest_shows_any_more_are_found_by_the_check(bucket, monkeypatch):
    monkeypatch.setattr(check, "ORPHAN_AGE", timedelta(0))
    shown, former = claimed(), claimed()
    for quest in (shown, former):
        assert sent_with([photo(60, 40)], quest).status_code == 302
    kept = [entry["s3Key"] for entry in stored(shown).photos]
    assert check.check(lambda found, _what: found).problems == []
    lifecycle.request_changes(CREATOR, former.id, note=NOTE)
    lifecycle.release(PERFORMER, former.id)

    keys = bucket.keys()
    orphans = check.check(lambda found, _what: found).problems

    assert [problem.key for problem in orphans] == [key for key in keys if key not in kept]
    assert all(problem.repair() for problem in orphans)
    assert bucket.keys() == kept


def test_photos_are_not_kept_for_somebody_who_may_not_submit_nor_when_they_are_none(bucket):
    quest = claimed()

    assert sent_with([photo(60, 40)], quest, role="official").status_code == 403
    no_photo = sent_with([b"<script>alert(1)</script>"], quest)
    assert no_photo.status_code == 422
    assert TEXT in no_photo.content.decode()
    too_many = sent_with([b"x"] * 5, quest)
    assert too_many.status_code == 422
    assert "Choose at most 4 photos." in too_many.content.decode()
    assert bucket.keys() == []
    assert stored(quest).status == CLAIMED


def test_without_a_place_for_files_nobody_is_asked_for_photos(settings):
    settings.MEDIA_BUCKET = ""

    page = sign_in(Client(), "other-member").get(f"/quests/{claimed().id}/").content.decode()

    assert 'name="text"' in page
    assert 'name="photos"' not in page
