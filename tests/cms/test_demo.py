"""The example records of `make run`: believable, in every state, and theirs who signs in."""

from collections import Counter

import pytest

from accounts import directory
from cms import demo
from cms.demo.documents import document
from cms.repository import news, roles
from config.engines import cast
from dynamo.actors import SYSTEM


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
    assert len(roles.by_name(limit=100).items) == 10


def test_loading_again_after_an_interruption_adds_nothing() -> None:
    demo.load()
    demo.load()

    assert len(news.by_age(limit=100).items) == 30


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
