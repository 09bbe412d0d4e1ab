"""What waits for people on the website: drafts, changes, sponsors, pictures, syncs."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils.formats import date_format
from django.utils.timezone import localtime

from cms.events.models import Event
from cms.events.repository import events
from cms.news.models import News
from cms.news.repository import news
from cms.sams import services
from cms.sams.repository import sync_runs
from cms.sponsors.models import Sponsor
from cms.sponsors.repository import sponsors
from core.crud import scheduling
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now
from tests.cast import sign_in
from tests.cms.articles import LONG_AGO, article
from tests.cms.news.rescheduling import CHRISTMAS, scheduled
from tests.cms.public import make_picture
from tests.desk.waiting import MODERATOR, OFFICIAL, told

pytestmark = pytest.mark.usefixtures("db", "guests")


def test_a_draft_of_an_article_waits_for_its_authors() -> None:
    draft = news.create(News(title="Derby", author_ids=[OFFICIAL.sub]), actor=SYSTEM)

    assert told() == {"official": [("Derby", "Draft", f"/cms/news/{draft.id}/")]}


def test_a_draft_of_an_event_waits_for_its_authors() -> None:
    draft = events.create(Event(title="Final", author_ids=[OFFICIAL.sub]), actor=SYSTEM)

    assert told() == {"official": [("Final", "Draft", f"/cms/events/{draft.id}/")]}


def test_a_draft_waits_however_many_others_have_written_since() -> None:
    draft = news.create(News(title="Derby", author_ids=[OFFICIAL.sub]), actor=SYSTEM)
    for number in range(60):
        news.create(News(title=f"Other {number}", author_ids=["someone"]), actor=SYSTEM)

    assert told() == {"official": [("Derby", "Draft", f"/cms/news/{draft.id}/")]}


def test_changes_that_could_not_be_published_at_their_time_wait_for_who_scheduled_them() -> None:
    published = article(published=True, publish_at=LONG_AGO)
    scheduled(sign_in(Client(), "official"), published)
    assert told() == {}

    stored = news.get(published.id, strong=True)
    news.update(stored, {"title": "Derby lost"}, actor=MODERATOR.actor)
    assert scheduling.apply_due(moment=CHRISTMAS).refused
    assert told() == {"official": [("Derby won", "Changed", f"/cms/news/{published.id}/")]}


def test_a_sponsor_that_readers_will_soon_not_see_waits_for_moderators() -> None:
    ends = now() + timedelta(days=29)
    soon = sponsors.create(Sponsor(name="Soon", expiry_timestamp=ends), actor=SYSTEM)
    for name, days in (("Later", 31), ("Expired", -1)):
        other = Sponsor(name=name, expiry_timestamp=now() + timedelta(days=days))
        sponsors.create(other, actor=SYSTEM)

    until = date_format(localtime(ends), "SHORT_DATE_FORMAT")
    task = ("Soon", f"Shown until {until}", f"/cms/sponsors/{soon.id}/")
    assert told() == {"admin": [task], "moderator": [task]}


def test_a_picture_without_a_description_waits_for_moderators_and_its_uploader() -> None:
    first = make_picture("hall.jpg", uploaded_by=OFFICIAL.sub)
    task = ("hall.jpg", "Needs a description", f"/cms/media/{first.id}/")
    assert told() == {"admin": [task], "moderator": [task], "official": [task]}

    make_picture("net.jpg", uploaded_by=OFFICIAL.sub)
    many = ("Multiple pictures", "Needs a description", "/cms/media/?description=missing")
    own = (*many[:2], f"{many[2]}&by=me")
    assert told() == {"admin": [many], "moderator": [many], "official": [own]}
    for role, address in (("moderator", many[2]), ("official", own[2])):
        listed = sign_in(Client(), role).get(address).content.decode()
        assert "hall.jpg" in listed
        assert "net.jpg" in listed


def test_a_sync_that_failed_waits_for_administrators_until_one_succeeds() -> None:
    failed = sync_runs.begin(services.TEAMS, started_by="cron")
    sync_runs.note(failed, state=services.FAILED)
    for _hour in range(25):
        sync_runs.note(sync_runs.begin(services.RESULTS, started_by="cron"), state=services.DONE)
    assert told() == {"admin": [("SAMS: Teams", "Failed", "/cms/sams/")]}

    sync_runs.note(sync_runs.begin(services.TEAMS, started_by="cron"), state=services.DONE)
    assert told() == {}
