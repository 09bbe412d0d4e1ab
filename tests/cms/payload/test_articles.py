"""`manage.py import_payload`: what becomes of the fields of articles and of Payload's Lexical text."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from cms.events.repository import events
from cms.news.repository import news as news_repository
from core.content.richtext import plain_text
from core.dynamo import history
from core.dynamo.actors import SYSTEM
from tests.cms.payload.exports import article, brought, doc, lexical, root, run, words, write
from tests.cms.payload.imported import ANNA, CREATED, fields, notes

# --- News ----------------------------------------------------------------------------------------------


def test_an_article_comes_with_all_that_it_had(folder, anna):
    write(
        folder,
        users=[ANNA],
        news=[
            article(
                5,
                "Derby gewonnen?",
                content=root(
                    {"type": "heading", "tag": "h2", "children": [words("Satz 5")]},
                    {"type": "paragraph", "children": [words("Fünf "), words("Sätze", 1)]},
                ),
                excerpt="Satz 5 Fünf Sätze",
                authors=["u1"],
                isPublished=True,
            )
        ],
    )

    lines = run(folder)

    record = brought(news_repository, "news", 5)
    assert record.content == {
        "type": "doc",
        "content": [
            {"type": "heading", "attrs": {"level": 2}, "content": [{"type": "text", "text": "Satz 5"}]},
            {
                "type": "paragraph",
                "content": [
                    {"type": "text", "text": "Fünf "},
                    {"type": "text", "text": "Sätze", "marks": [{"type": "bold"}]},
                ],
            },
        ],
    }
    assert fields(record, "title", "slug", "excerpt", "status") == [
        *("Derby gewonnen?", "derby-gewonnen", "Fünf Sätze", "published")
    ]
    assert fields(record, "author_ids", "image_ids", "tags") == [[anna], [], []]
    assert fields(record, "created_at", "publish_at", "published_date") == [
        *(CREATED, datetime(2025, 6, 7, 10, tzinfo=UTC), datetime(2025, 6, 7, 10, tzinfo=UTC))
    ]
    assert notes(lines) == []
    (entry,) = history.entries("news", record.id).items
    assert (entry.verb, entry.actor) == ("create", "system")
    assert [found.id for found in news_repository.public().items] == [record.id]


def test_a_summary_that_somebody_wrote_is_kept_and_one_that_payload_cut_is_made_anew(folder):
    text = "Wort " * 200
    write(
        folder,
        news=[
            article(1, content=lexical(text), excerpt=text[:500] + "..."),
            article(2, "Zwei", content=lexical(text), excerpt="Kurz gesagt."),
        ],
    )

    assert notes(run(folder)) == []

    assert brought(news_repository, "news", 1).excerpt == ("Wort " * 100).strip() + "…"
    assert brought(news_repository, "news", 2).excerpt == "Kurz gesagt."


@pytest.mark.parametrize(
    "hidden",
    [
        *({"_status": "draft"}, {"_status": None, "isPublished": False}, {"isPublished": False}),
        *({"_status": "secret"}, {"_status": ["published"]}),
    ],
)
def test_what_was_hidden_stays_a_draft_that_no_reader_sees(folder, client, hidden):
    write(folder, news=[article(1, "Geheim", **hidden)])

    run(folder)

    assert brought(news_repository, "news", 1).status == "draft"
    assert client.get("/news/geheim/").status_code == 404
    assert b"Geheim" not in client.get("/news/").content
    assert news_repository.public().items == []


def test_an_article_without_a_text_becomes_a_draft_and_the_report_says_so(folder):
    block = {"type": "block", "fields": {"blockType": "video", "url": "https://example.com/v"}}
    write(folder, news=[article(1, content=root(block))])

    lines = run(folder)

    assert brought(news_repository, "news", 1).status == "draft"
    assert notes(lines) == [
        "news 1 “Derby”: “content”: a block “video” has no equivalent and is locked: “https://example.com/v”",
        "news 1 “Derby”: it lacks a text, so it is a draft",
    ]


def test_links_between_documents_lead_to_their_addresses_here(folder):
    def link(collection: str, value: object) -> dict[str, Any]:
        inner = {"linkType": "internal", "doc": {"relationTo": collection, "value": value}}
        return {"type": "link", "fields": inner, "children": [words("hier")]}

    content = root(
        {
            "type": "paragraph",
            "children": [link("news", 2), link("events", {"id": 3}), link("teams", 4), link("pages", 5)],
        }
    )
    write(
        folder,
        news=[
            article(0, "Zwei", createdAt="2024-01-01T00:00:00.000Z"),
            article(1, "Eins", content=content),
            article(2, "Zwei"),
        ],
        events=[doc(3, title="Fest", date={"startDate": "2026-05-01T10:00:00.000Z"})],
        teams=[doc(4, name="Herren 1", gender="men")],
    )

    lines = run(folder)

    (paragraph,) = brought(news_repository, "news", 1).content["content"]
    marks = [node["marks"][0]["attrs"]["href"] for node in paragraph["content"] if "marks" in node]
    assert marks == ["/news/zwei-2/", "/events/fest/", "/teams/herren1/"]
    assert "news 1 “Eins”: “content”: the link to pages 5 leads nowhere and was left out" in notes(lines)


def test_authors_without_an_account_are_named_in_the_report(folder, anna):
    bert = {"id": "u2", "name": "Bert Braun", "email": "bert@example.com"}
    write(folder, users=[ANNA], news=[article(1, authors=[{"id": "u1"}, bert, "u3"])])

    lines = run(folder)

    assert brought(news_repository, "news", 1).author_ids == [anna]
    assert notes(lines) == [
        "news 1 “Derby”: “authors” names Bert Braun, who has no account here and was left out",
        "news 1 “Derby”: “authors” names the user u3, who is not in the export",
    ]


def test_users_without_an_account_are_listed_with_the_role_that_they_had(folder):
    write(folder, users=[ANNA], news=[])

    assert notes(run(folder)) == ["users u1 “Anna Arndt”: has no account here; the role there was “official”"]


def test_fields_that_have_no_place_here_are_listed(folder):
    write(folder, news=[article(1, meta={"description": "Für Suchmaschinen", "image": None}, layout="wide")])

    assert notes(run(folder)) == [
        "news 1 “Derby”: “meta.description” has no place here: “Für Suchmaschinen”",
        "news 1 “Derby”: “layout” has no place here: “wide”",
    ]


# --- The Lexical original --------------------------------------------------------------------------------


def test_the_lexical_original_is_kept_beside_the_text_and_survives_edits(folder, settings):
    settings.KEEP_LEXICAL = True
    date = {"startDate": "2026-05-01T10:00:00.000Z"}
    write(folder, news=[article(1)], events=[doc(2, title="Fest", date=date, description=lexical("Fest."))])
    run(folder)
    news, event = brought(news_repository, "news", 1), brought(events, "events", 2)

    news_repository.update(news, {"title": "Anders"}, actor=SYSTEM)
    events.update(event, {"title": "Anders"}, actor=SYSTEM)

    assert json.loads(brought(news_repository, "news", 1).content_lexical) == lexical("Five sets.")
    assert json.loads(brought(events, "events", 2).description_lexical) == lexical("Fest.")
    assert all("contentLexical" not in entry.fields for entry in history.entries("news", news.id).items)
    listed = news_repository.by_date().items[0]
    assert "contentLexical" not in listed.stored


def test_without_the_setting_no_original_is_kept(folder):
    write(folder, news=[article(1)])
    run(folder)

    assert "contentLexical" not in brought(news_repository, "news", 1).stored


def test_an_original_that_would_make_the_record_too_large_is_not_kept_which_is_noted(folder, settings):
    settings.KEEP_LEXICAL = True
    long = lexical(*["Wort " * 200] * 170)
    write(folder, news=[article(1, content=long)])

    lines = run(folder)

    record = brought(news_repository, "news", 1)
    assert record.content_lexical is None
    assert plain_text(record.content).count("Wort") == 34_000
    assert notes(lines) == [
        "news 1 “Derby”: “content”: the Lexical original is too large to be kept beside the text"
    ]
