"""Rich text as readers see it: exact HTML, and nothing that could act."""

from html.parser import HTMLParser
from typing import Any

import nh3
import pytest
from django.utils.safestring import SafeString
from hypothesis import given
from pytest_django import Settings

from core.content.richtext import Picture, render, validate
from core.content.richtext.rendering import ATTRIBUTES, TAGS
from core.content.richtext.schema import is_safe_href
from tests.core.content.documents import (
    cell,
    doc,
    documents,
    linked,
    nested,
    paragraph,
    table,
    text,
    unhurried,
)
from tests.core.content.hostile import HOSTILE_DOCUMENTS, HOSTILE_LINKS, anything


def task(checked: bool, words: str) -> dict[str, Any]:
    return {"type": "taskItem", "attrs": {"checked": checked}, "content": [paragraph(text(words))]}


PICTURES = {"m1": Picture("https://media.example/m1.webp", alt="A team", width=800, height=600)}


def inner(document: object) -> str:
    html = render(document, PICTURES)
    assert isinstance(html, SafeString)
    start, end = '<div class="rich-text" hx-disable>', "</div>"
    assert html.startswith(start)
    assert html.endswith(end)
    return html.removeprefix(start).removesuffix(end)


class Tags(HTMLParser):
    """Every start tag with its attributes, as a browser would find them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attributes)))


def assert_inert(html: str) -> None:
    for tag, attributes in Tags(html).found:
        assert tag in TAGS
        assert attributes.keys() <= ATTRIBUTES.get(tag, set())
        assert "href" not in attributes or is_safe_href(attributes["href"])


@pytest.mark.parametrize(
    ("block", "html"),
    [
        (paragraph(text("<script>alert(1)</script>")), "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
        (paragraph(text("a"), {"type": "hardBreak"}, text("b")), "<p>a<br>b</p>"),
        (paragraph(text("b", {"type": "bold"}, {"type": "italic"})), "<p><strong><em>b</em></strong></p>"),
        (paragraph(text("s", {"type": "strike"}, {"type": "underline"})), "<p><s><u>s</u></s></p>"),
        ({"type": "heading", "attrs": {"level": 3}, "content": [text("x")]}, "<h3>x</h3>"),
        (
            {
                "type": "orderedList",
                "attrs": {"start": 4},
                "content": [{"type": "listItem", "content": [paragraph(text("x"))]}],
            },
            '<ol start="4"><li><p>x</p></li></ol>',
        ),
        (
            {"type": "bulletList", "content": [{"type": "listItem", "content": [paragraph(text("x"))]}]},
            "<ul><li><p>x</p></li></ul>",
        ),
        ({"type": "blockquote", "content": [paragraph(text("x"))]}, "<blockquote><p>x</p></blockquote>"),
        ({"type": "horizontalRule"}, "<hr>"),
        (
            {"type": "image", "attrs": {"mediaId": "m1", "alt": 'The "first" team'}},
            '<img src="https://media.example/m1.webp" alt="The &quot;first&quot; team" '
            'loading="lazy" width="800" height="600">',
        ),
        (
            {"type": "image", "attrs": {"mediaId": "m1"}},
            '<img src="https://media.example/m1.webp" alt="A team" loading="lazy" width="800" height="600">',
        ),
        ({"type": "image", "attrs": {"mediaId": "gone", "alt": "Our <hall>"}}, "<p>Our &lt;hall&gt;</p>"),
        (paragraph(text("x < y", {"type": "code"})), "<p><code>x &lt; y</code></p>"),
        (
            {
                "type": "codeBlock",
                "attrs": {"language": "c++"},
                "content": [text("a <b>\n  www.club.example")],
            },
            '<pre><code class="language-c++">a &lt;b&gt;\n  www.club.example</code></pre>',
        ),
        ({"type": "codeBlock", "content": [text("x")]}, "<pre><code>x</code></pre>"),
        (
            {"type": "taskList", "content": [task(True, "Net"), task(False, "Balls")]},
            '<ul class="tasks"><li><input type="checkbox" disabled="" checked="" aria-label="Done">'
            '<div><p>Net</p></div></li><li><input type="checkbox" disabled="" aria-label="Not done">'
            "<div><p>Balls</p></div></li></ul>",
        ),
    ],
)
def test_a_block_is_written_like_this(block: dict[str, Any], html: str) -> None:
    assert inner(doc(block)) == html


def test_a_table_scrolls_in_a_box_and_its_header_cells_say_what_they_name() -> None:
    head = [cell("Team", kind="tableHeader"), cell("Points", kind="tableHeader")]
    row = [cell("Blue", kind="tableHeader"), cell("3", colwidth=[120])]
    last = [cell("Play-off", colspan=2, rowspan=3)]

    assert inner(table(head, row, last)) == (
        '<div class="rich-table" role="group" tabindex="0" aria-label="Table"><table><tbody>'
        '<tr><th scope="col"><p>Team</p></th><th scope="col"><p>Points</p></th></tr>'
        '<tr><th scope="row"><p>Blue</p></th><td><p>3</p></td></tr>'
        '<tr><td colspan="2" rowspan="3"><p>Play-off</p></td></tr>'
        "</tbody></table></div>"
    )


def by_address(src: str, alt: str | None) -> dict[str, Any]:
    return doc({"type": "image", "attrs": {"src": src, "alt": alt, "title": None}})


def test_a_picture_on_another_host_is_a_link_because_our_policy_would_not_load_it() -> None:
    assert inner(by_address("https://host.example/a.png?b&c", 'The "first" team')) == (
        '<p><a href="https://host.example/a.png?b&amp;c" rel="noopener nofollow">The "first" team</a></p>'
    )
    assert ">Picture</a>" in inner(by_address("https://host.example/a.png", None))


def test_a_picture_of_an_origin_that_our_policy_allows_is_shown(settings: Settings) -> None:
    settings.PICTURE_ORIGINS = ["https://pictures.example"]

    assert inner(by_address("https://pictures.example/a.png", "The team")) == (
        '<img src="https://pictures.example/a.png" alt="The team" loading="lazy">'
    )
    assert "<img" not in inner(by_address("https://pictures.example.evil.example/a.png", "The team"))


@pytest.mark.parametrize(
    ("block", "html"),
    [
        ({"type": "video", "attrs": {"onload": "x()"}, "content": [text("<b>")]}, "<p>&lt;b&gt;</p>"),
        ({"type": "columns", "content": [paragraph(text("a")), paragraph(text("b"))]}, "<p>a<br>b</p>"),
        (paragraph(text("a "), {"type": "mention", "attrs": {"id": "7"}}), "<p>a </p>"),
        (
            paragraph(text("x", {"type": "highlight", "attrs": {"style": "x", "onclick": "y"}})),
            "<p>x</p>",
        ),
        ({"type": "heading", "attrs": {"level": 1}, "content": [text("x")]}, "<p>x</p>"),
        (
            {"type": "paragraph", "attrs": {"textAlign": "center", "onclick": "x()"}, "content": [text("x")]},
            "<p>x</p>",
        ),
    ],
)
def test_what_is_unknown_is_its_plain_text_beside_what_is_known(block: dict[str, Any], html: str) -> None:
    known = {"type": "heading", "attrs": {"level": 2}, "content": [text("Known")]}
    assert inner(doc(known, block)) == f"<h2>Known</h2>{html}"


def test_an_unknown_attribute_that_looks_like_our_html_is_no_html() -> None:
    assert inner(doc({"type": "paragraph", "attrs": {"x": ["p", 0]}, "content": [text("a")]})) == "<p>a</p>"


def test_links_to_elsewhere_hand_over_nothing() -> None:
    href = "https://club.example/?a=1&b='2'"
    assert inner(linked(href)) == (
        '<p><a href="https://club.example/?a=1&amp;b=\'2\'" rel="noopener nofollow">here</a></p>'
    )
    assert inner(linked("/news")) == '<p><a href="/news">here</a></p>'
    assert inner(linked("mailto:a@b.example")) == '<p><a href="mailto:a@b.example">here</a></p>'


@pytest.mark.parametrize("document", HOSTILE_DOCUMENTS.values(), ids=HOSTILE_DOCUMENTS.keys())
def test_a_hostile_document_that_was_stored_is_inert(document: object) -> None:
    assert {tag for tag, _attributes in Tags(inner(document)).found} <= {"p", "br", "h2", "a", "img"}
    assert_inert(inner(document))


@pytest.mark.parametrize("href", HOSTILE_LINKS, ids=lambda href: ascii(href)[:40])
def test_a_hostile_link_that_was_stored_is_mere_text(href: object) -> None:
    assert inner(linked(href)) == "<p>here</p>"


def test_a_stored_trap_is_shown_as_its_text() -> None:
    assert inner(nested(10_000)) == "<p>here</p>"
    assert inner(doc(paragraph(text("a\x00b\ud800c")))) == "<p>a b c</p>"
    assert inner(doc({"type": "iframe", "content": [text("one"), paragraph(text("two"))]})) == (
        "<p>one<br>two</p>"
    )
    assert inner(None) == inner({}) == "<p></p>"


@unhurried
@given(documents())
def test_every_valid_document_becomes_inert_html_that_cleaning_does_not_change(
    document: dict[str, Any],
) -> None:
    html = inner(document)

    assert_inert(html)
    assert html == inner(validate(document))
    assert nh3.clean(html, tags=TAGS, attributes=ATTRIBUTES, link_rel=None) == html


@unhurried
@given(anything)
def test_whatever_was_stored_is_shown_inert(content: object) -> None:
    assert_inert(inner(content))
    assert_inert(inner({"type": "doc", "content": content}))
