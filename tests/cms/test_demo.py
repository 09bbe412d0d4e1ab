"""The example records of `make run`: believable, in every state, and theirs who signs in."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import time

import pytest
from django.utils.timezone import localtime

from cms import demo
from cms.bus.repository import bookings
from cms.calendar.queries import published_teams
from cms.demo.documents import document
from cms.events.repository import events
from cms.events.resource import state_of as state_of_event
from cms.media.repository import media as library
from cms.members.queries import all_roles, coached_by, member_ids_of
from cms.members.repository import members
from cms.members.rules import group_of
from cms.news.repository import news
from cms.pages.repository import pages
from cms.posts.repository import posts
from cms.roles.repository import roles
from cms.sponsors.repository import sponsors
from cms.sponsors.resource import state_of
from cms.teams.repository import teams
from core.accounts import cast, directory
from core.accounts.rights import may
from core.dynamo import maintenance, tables
from core.dynamo.actors import SYSTEM
from tests.cast import CAST
from tests.cms import rooms
from tests.media_bucket import Bucket


def demo_people() -> None:
    """The demo accounts in the directory, as if each had signed in once."""
    for person in cast.CAST:
        directory.enter(f"{person.given_name}-sub", name=person.name, email=person.email, actor=SYSTEM)


@pytest.fixture
def _people(db) -> None:
    demo_people()


def load() -> None:
    demo_people()
    demo.load()


@pytest.fixture
def _loaded(filled_once) -> None:
    """The example records, for tests without a bucket."""
    filled_once(load)


@pytest.mark.usefixtures("_loaded")
def test_there_is_news_in_every_state_with_an_author_of_the_demo_accounts() -> None:
    loaded = news.by_date(limit=100).items
    states = Counter("scheduled" if item.is_scheduled() else item.status for item in loaded)
    assert states == {"published": 19, "draft": 5, "scheduled": 3, "archived": 3}
    assert {sub for item in loaded for sub in item.author_ids} == {"Amara-sub", "Moritz-sub", "Odile-sub"}
    assert news.at_slug("uebungsleiter-gesucht-wer-trainiert-die-juengsten").title.startswith("Übungsleiter")
    assert len(roles.by_name(limit=100).items) == 11


@pytest.mark.usefixtures("_loaded")
def test_there_are_events_and_bookings_in_every_state() -> None:
    demo.load()

    assert Counter(map(state_of_event, events.by_age(limit=100).items)) == {
        "upcoming": 6,
        "past": 2,
        "draft": 2,
        "archived": 1,
    }
    assert [event.title for event in events.upcoming(limit=2).items] == [
        "Trainingslager der Jugend",
        "Heimspieltag mit Kuchenbuffet",
    ]
    assert len(events.at_slug("heimspieltag-mit-kuchenbuffet").team_ids) == 2
    assert (len(bookings.upcoming().items), len(bookings.past().items)) == (6, 2)
    assert {booking.booker_id for booking in bookings.upcoming().items} == {
        f"{name}-sub" for name in ("Maya", "Moritz", "Odile", "Milan")
    }


@pytest.mark.usefixtures("_loaded")
def test_there_are_teams_pages_and_sponsors_in_every_state() -> None:
    assert Counter(team.status for team in teams.by_name(limit=100).items) == {
        "published": 7,
        "draft": 2,
        "archived": 1,
    }
    assert Counter(page.status for page in pages.by_age(limit=100).items) == {
        "published": 4,
        "draft": 1,
        "archived": 1,
    }
    assert Counter(map(state_of, sponsors.by_name(limit=100).items)) == {
        "shown": 3,
        "ending": 1,
        "expired": 1,
    }
    ends = [each.expiry_timestamp for each in sponsors.by_name(limit=100).items if each.expiry_timestamp]
    assert {localtime(end).time() for end in ends} == {time()}
    known, coaches = all_roles(), coached_by(published_teams())
    assert Counter(group_of(member, known, coaches) for member in members.by_name(limit=100).items) == {
        "board": 5,
        "trainers": 4,
        "others": 3,
    }
    assert len(posts.by_timestamp().items) == 4


@pytest.mark.usefixtures("_loaded")
def test_a_coach_among_the_demo_accounts_may_change_her_team() -> None:
    maya = replace(CAST["member"], member_ids=frozenset(member_ids_of("maya.rosenthal@fieldhouse.example")))

    own = [team.name for team in teams.by_name(limit=100).items if may(maya, "cms.team.update", team)]
    assert own == ["Damen 1"]


@pytest.mark.usefixtures("_people")
def test_pictures_are_drawn_for_news_teams_an_event_and_sponsors(bucket: Bucket) -> None:
    demo.load()

    files = library.get_many(media.id for media in library.by_age(limit=100).items)
    covers = {
        record.slug: files[record.image_ids[0]].original_name
        for repository in (news, events, teams)
        for record in repository.public(limit=100).items
        if record.image_ids
    }
    assert covers["herren-1-drehen-das-derby-in-fuenf-saetzen"] == covers["herren1"] == "Derby.jpg"
    assert covers["trainingslager-der-jugend"] == "Beachanlage.jpg"
    assert len(covers) == 8
    assert [files[sponsor.logo_id].alt for sponsor in sponsors.by_name().items if sponsor.logo_id] == [
        "Bäckerei Kornblum",
        "Stadtwerke Auenfeld",
    ]
    assert [media.original_name for media in files.values() if not media.refs] == ["IMG_2041.jpg"]
    assert [media.original_name for media in files.values() if media.lacks_description] == ["IMG_2041.jpg"]
    folders = {key.partition("/")[0] for key in bucket.keys("")}
    assert folders == {"events", "media", "news", "sponsors", "teams"}


@pytest.mark.usefixtures("_people")
def test_every_kind_of_content_has_examples_and_loading_again_changes_nothing(bucket: Bucket) -> None:
    demo.load()
    loaded = everything()
    files = bucket.keys()
    demo.load()

    assert everything() == loaded
    assert bucket.keys() == files
    without = {
        name
        for name, repository in rooms.repositories().items()
        if not loaded[repository.model.Meta.table_name]
    }
    # The example results came with no sync.
    assert without == {"sync_runs"}


def everything() -> dict[str, list[str]]:
    """All that is stored, by table."""
    return {spec.name: sorted(stored_in(spec.name)) for spec in tables.specs()}


def stored_in(table: str) -> Iterator[str]:
    request = {"TableName": table}
    while True:
        answer = maintenance.request("Scan", **request)
        yield from (json.dumps(item, sort_keys=True, default=repr) for item in answer["Items"])
        if "LastEvaluatedKey" not in answer:
            return
        request["ExclusiveStartKey"] = answer["LastEvaluatedKey"]


def test_the_texts_are_documents_with_headings_lists_and_quotes() -> None:
    assert document("## A\n\n> B\n\n- **C**\n- D") == {
        "type": "doc",
        "content": [
            {"type": "heading", "attrs": {"level": 2}, "content": [{"type": "text", "text": "A"}]},
            {"type": "blockquote", "content": [paragraph("B")]},
            {
                "type": "bulletList",
                "content": [
                    {"type": "listItem", "content": [paragraph("C", bold=True)]},
                    {"type": "listItem", "content": [paragraph("D")]},
                ],
            },
        ],
    }


def paragraph(text: str, *, bold: bool = False) -> dict:
    marks = {"marks": [{"type": "bold"}]} if bold else {}
    return {"type": "paragraph", "content": [{"type": "text", "text": text, **marks}]}
