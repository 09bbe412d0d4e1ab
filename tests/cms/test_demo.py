"""The example records of `make run`: believable, in every state, and theirs who signs in."""

from collections import Counter
from dataclasses import replace

import pytest

from accounts import directory
from accounts.rights import may
from cms import demo
from cms.demo.documents import document
from cms.repository import bookings, events, locations, members, news, pages, posts, roles, sponsors, teams
from cms.resources.event import state_of as state_of_event
from cms.resources.sponsor import state_of
from cms.services.member import all_roles, group_of, member_ids_of
from config.engines import cast
from dynamo.actors import SYSTEM
from tests.cast import CAST


def demo_people() -> None:
    """The demo accounts in the directory, as if each had signed in once."""
    for person in cast.CAST:
        directory.enter(f"{person.given_name}-sub", name=person.name, email=person.email, actor=SYSTEM)


@pytest.fixture(autouse=True)
def _people(db) -> None:
    demo_people()


def test_there_is_news_in_every_state_with_an_author_of_the_demo_accounts() -> None:
    demo.load()

    loaded = news.by_age(limit=100).items
    states = Counter("scheduled" if item.is_scheduled() else item.status for item in loaded)
    assert states == {"published": 19, "draft": 5, "scheduled": 3, "archived": 3}
    assert {sub for item in loaded for sub in item.author_ids} == {"Amara-sub", "Moritz-sub", "Odile-sub"}
    assert news.at_slug("uebungsleiter-gesucht-wer-trainiert-die-juengsten").title.startswith("Übungsleiter")
    assert len(roles.by_name(limit=100).items) == 11


def test_there_are_events_and_bookings_in_every_state() -> None:
    demo.load()
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


def test_there_are_teams_pages_and_sponsors_in_every_state() -> None:
    demo.load()

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
    known = all_roles()
    assert Counter(group_of(member, known) for member in members.by_name(limit=100).items) == {
        "board": 5,
        "trainers": 4,
        "others": 3,
    }
    assert len(posts.by_timestamp().items) == 4


def test_a_coach_among_the_demo_accounts_may_change_her_team() -> None:
    demo.load()
    maya = replace(CAST["member"], member_ids=frozenset(member_ids_of("maya.rosenthal@fieldhouse.example")))

    own = [team.name for team in teams.by_name(limit=100).items if may(maya, "cms.team.update", team)]
    assert own == ["Damen 1"]


def test_loading_again_after_an_interruption_adds_nothing() -> None:
    demo.load()
    demo.load()

    assert len(news.by_age(limit=100).items) == 30
    assert len(teams.by_name(limit=100).items) == 10
    assert len(members.by_name(limit=100).items) == 12
    assert len(locations.by_name(limit=100).items) == 5
    assert len(sponsors.by_name(limit=100).items) == 5
    assert len(posts.by_timestamp(limit=100).items) == 4
    assert len(pages.by_age(limit=100).items) == 6


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
