"""Addresses that were typed become links, on the server, whoever sends the text."""

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.content.richtext import render, validate
from core.content.richtext.links import addresses_in
from core.content.richtext.reading import MOST_NODES
from core.content.richtext.text import letters, plain_text
from core.content.richtext.validation import LARGEST
from core.crud.fields.richtext import RichTextField
from tests.core.content.documents import Document, doc, documents, paragraph, text, unhurried

BOLD = {"type": "bold"}


def link(href: str) -> dict[str, Any]:
    return {"type": "link", "attrs": {"href": href, "title": None}}


def links_in(words: str) -> list[tuple[str, str]]:
    """What is linked in a text, and where that leads."""
    (block,) = validate(doc(paragraph(text(words))))["content"]
    return [
        (node["text"], mark["attrs"]["href"])
        for node in block["content"]
        for mark in node.get("marks", ())
        if mark["type"] == "link"
    ]


@pytest.mark.parametrize(
    ("words", "shown", "href"),
    [
        ("See https://club.example/news for more", "https://club.example/news", "https://club.example/news"),
        ("http://club.example", "http://club.example", "http://club.example"),
        ("HTTPS://Club.Example/A", "HTTPS://Club.Example/A", "HTTPS://Club.Example/A"),
        ("www.club.example/a?b=1&c=2#d", "www.club.example/a?b=1&c=2#d", "https://www.club.example/a?b=1&c=2#d"),
        ("https://müllheim.example/ü", "https://müllheim.example/ü", "https://müllheim.example/ü"),
        ("https://xn--mllheim-n2a.xn--p1ai/", "https://xn--mllheim-n2a.xn--p1ai/", "https://xn--mllheim-n2a.xn--p1ai/"),
        ("https://club.example:8443/a", "https://club.example:8443/a", "https://club.example:8443/a"),
        ("board@club.example", "board@club.example", "mailto:board@club.example"),
        ("E-Mail:a.b+c@vc-club.example", "a.b+c@vc-club.example", "mailto:a.b+c@vc-club.example"),
        # What ends the sentence is no part of the address.
        ("Come to https://club.example.", "https://club.example", "https://club.example"),
        ("(more: www.club.example/a)", "www.club.example/a", "https://www.club.example/a"),
        ("“https://club.example”!", "https://club.example", "https://club.example"),
        ("Write to board@club.example, please", "board@club.example", "mailto:board@club.example"),
        ("https://wiki.example/Foo_(Bar)", "https://wiki.example/Foo_(Bar)", "https://wiki.example/Foo_(Bar)"),
        ("(https://wiki.example/Foo_(Bar)).", "https://wiki.example/Foo_(Bar)", "https://wiki.example/Foo_(Bar)"),
    ],
)  # fmt: skip
def test_a_typed_address_becomes_a_link(words: str, shown: str, href: str) -> None:
    assert links_in(words) == [(shown, href)]


@pytest.mark.parametrize(
    "words",
    [
        "club.example",
        "https://",
        "https://localhost/",
        "https://intranet",
        "https://192.168.0.1/",
        "www.",
        "www.club",
        "www.club.1",
        "javascript:alert(1)",
        "data:text/html,x",
        "ftp://club.example",
        "file:///etc/passwd",
        "https://bank.example@evil.example/",
        "https://bank.example:pw@evil.example/",
        "https://bank.example\\@evil.example",
        "https://club.exa\u200bmple/",
        "https://club.example:99999/",
        "https://[club.example/",
        "me@localhost",
        "@club.example",
        "me@@club.example",
        "xhttps://club.example",
        "a/www.club.example",
    ],
)
def test_what_is_no_plain_address_stays_text(words: str) -> None:
    assert links_in(words) == []


def test_two_addresses_in_one_text_and_the_text_between_them() -> None:
    assert validate(doc(paragraph(text("a@b.example or www.c.example!", BOLD)))) == doc(
        paragraph(
            text("a@b.example", link("mailto:a@b.example"), BOLD),
            text(" or ", BOLD),
            text("www.c.example", link("https://www.c.example"), BOLD),
            text("!", BOLD),
        )
    )


def test_an_address_that_is_bold_in_part_is_one_link() -> None:
    href = "https://club.example/final"

    assert validate(doc(paragraph(text("https://club.example/"), text("final", BOLD), text(" here")))) == doc(
        paragraph(text("https://club.example/", link(href)), text("final", link(href), BOLD), text(" here"))
    )


def test_a_line_break_ends_an_address() -> None:
    broken = doc(paragraph(text("https://club.example/a"), {"type": "hardBreak"}, text("b")))

    assert validate(broken)["content"][0]["content"][0] == text(
        "https://club.example/a", link("https://club.example/a")
    )


def test_what_is_linked_already_stays_as_it_is() -> None:
    there = doc(
        paragraph(
            text("https://a.example", link("https://b.example")),
            text("/more and "),
            text("www.c.example", link("/news"), BOLD),
        )
    )

    assert validate(there) == there


@unhurried
@given(documents())
def test_linking_twice_changes_nothing_and_no_text_is_lost(document: Document) -> None:
    once = validate(document)

    assert validate(once) == once
    assert plain_text(once) == plain_text(document)
    assert letters(once) == letters(document)


@given(st.text(st.sampled_from("aZ0.-_@/:(w)tphs ü?#%+\u200b"), max_size=60))
def test_the_places_of_addresses_are_apart_and_inside_the_text(words: str) -> None:
    spans = list(addresses_in(words))

    assert all(0 <= span.start < span.end <= len(words) for span in spans)
    assert all(one.end <= other.start for one, other in pairwise(spans))


@pytest.mark.parametrize(
    "document",
    [
        # As many nodes, and as many bytes, as fit without links.
        doc(*(paragraph(text("www.c.example x")) for _ in range((MOST_NODES - 1) // 2))),
        doc(*(paragraph(text("www.c.example " + "x" * 900)) for _ in range(LARGEST // 985))),
    ],
    ids=["nodes", "bytes"],
)
def test_a_text_that_has_no_room_for_links_is_kept_without(document: Document) -> None:
    assert validate(document) == document


def test_readers_get_the_link_as_any_other() -> None:
    html = render(doc(paragraph(text("Mail board@club.example or www.club.example"))))

    assert '<a href="mailto:board@club.example">board@club.example</a>' in html
    assert '<a href="https://www.club.example" rel="noopener nofollow">www.club.example</a>' in html


def test_a_form_links_what_was_typed_without_the_editor() -> None:
    field = RichTextField()
    typed = field.widget.value_from_datadict({"content": "See www.c.example"}, {}, "content")

    assert field.clean(typed) == doc(
        paragraph(text("See "), text("www.c.example", link("https://www.c.example")))
    )


def test_a_form_that_still_shows_the_text_as_it_was_typed_has_not_changed() -> None:
    field, typed = RichTextField(), doc(paragraph(text("See www.c.example")))
    sent = field.widget.value_from_datadict({"content-document": json.dumps(typed)}, {}, "content")
    other = field.widget.value_from_datadict(
        {"content-document": json.dumps(doc(paragraph(text("www.d.example"))))}, {}, "content"
    )

    assert field.has_changed(validate(typed), sent) is False
    assert field.has_changed(validate(typed), other) is True
