"""An article with a table, code and parts that only another program knows, which stay in every edit."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from cms.news.models import News
from cms.news.repository import news
from core.dynamo import working_copies
from tests.api.programs import Program, pointers
from tests.cast import CAST
from tests.cms.articles import address_of, article
from tests.core.content.documents import cell, doc, paragraph, table, text
from tests.core.crud.pages import open_form
from tests.core.crud.test_restore_version import go_back

pytestmark = pytest.mark.usefixtures("db")
AsRole = Callable[[str], Client]

VIDEO = {"type": "video", "attrs": {"src": "x:y", "at": [7, 1.5, None]}, "content": [text("Highlights")]}
HEAD = [cell("Team", kind="tableHeader"), cell("Points", kind="tableHeader")]
TABLE = table(HEAD, [cell("Blue"), cell("3")])
CODE = {
    "type": "codeBlock",
    "attrs": {"language": "python"},
    "content": [text("points = 3\n\twww.club.example")],
}
# As another program wrote it: no defaults, no links, and what we do not know.
TEXT = doc(
    paragraph(text("See www.club.example", {"type": "highlight", "attrs": {"color": "red"}})),
    TABLE["content"][0],
    CODE,
    VIDEO,
    {"type": "orderedList", "content": [{"type": "listItem", "content": [paragraph(text("One"))]}]},
)


def stored(item: News) -> News:
    return news.get(item.id, strong=True)


def from_the_editor(form: Any) -> Any:
    """What the editor sends in place of the textarea."""
    del form.fields["content"]
    return form


@pytest.mark.parametrize("with_editor", [False, True])
def test_a_new_title_of_a_draft_leaves_the_text_as_it_was(as_role: AsRole, with_editor: bool) -> None:
    item = article(content=TEXT)
    form = open_form(as_role("official"), address_of(item)).fill(title="Derby won")
    answer = (from_the_editor(form) if with_editor else form).send()

    assert answer.status_code == 302
    assert (stored(item).title, stored(item).content) == ("Derby won", TEXT)


def test_a_new_title_goes_through_autosave_and_publishing_and_the_text_stays(as_role: AsRole) -> None:
    item = article(content=TEXT, published=True)
    form = from_the_editor(open_form(as_role("official"), address_of(item)).fill(title="Derby won"))
    assert form.send(to="autosave", htmx=True).status_code == 200
    copy = working_copies.get("news", item.id)
    assert copy
    assert json.loads(copy.values["typed"]["content-document"][0]) == TEXT

    again = from_the_editor(open_form(form.client, form.action))
    assert again["title"] == "Derby won"
    assert again.send("publish").status_code == 302

    published = stored(item)
    assert (published.title, published.content) == ("Derby won", TEXT)
    page = Client().get(f"/news/{published.slug}/").content.decode()
    assert "<th" in page
    assert "<p>Highlights</p>" in page
    assert "x:y" not in page


def test_a_paragraph_that_is_changed_in_the_editor_leaves_the_other_blocks(as_role: AsRole) -> None:
    item = article(content=TEXT)
    form = from_the_editor(open_form(as_role("official"), address_of(item)))
    changed = doc(paragraph(text("Changed")), *TEXT["content"][1:4])
    form.fill(content__document=json.dumps(changed)).send()

    assert stored(item).content == changed


def test_a_paragraph_that_is_changed_without_javascript_leaves_the_other_blocks(
    as_role: AsRole,
) -> None:
    item = article(content=TEXT)
    form = open_form(as_role("official"), address_of(item))
    assert "\n\n[[2 Table: Team | Points Blue | 3]]\n\n[[3 Code: points = 3" in form["content"]
    form.fill(content=form["content"].replace("See www.club.example", "Changed")).send()

    assert stored(item).content["content"][:4] == [paragraph(text("Changed")), *TEXT["content"][1:4]]


@pytest.mark.parametrize("published", [True, False])
def test_the_history_leads_back_to_a_text_with_all_that_was_in_it(as_role: AsRole, published: bool) -> None:
    item = article(content=TEXT, published=published)
    without = doc(paragraph(text("Nothing special")))
    news.update(item, {"content": without}, actor=CAST["official"].actor)
    client = as_role("official")

    go_back(client, "news", item.id, 1, address_of(item))
    if published:
        from_the_editor(open_form(client, address_of(item))).send("publish")

    assert stored(item).content == TEXT


def test_a_duplicate_has_the_whole_text(as_role: AsRole) -> None:
    item = article(content=TEXT)
    form = from_the_editor(open_form(as_role("official"), address_of(item, "duplicate")))
    form.fill(title="Copy").send()

    assert {each.title: each.content for each in map(stored, news.by_date().items)} == {
        "Derby": TEXT,
        "Copy": TEXT,
    }


@pytest.mark.parametrize("published", [True, False])
def test_a_program_changes_the_title_and_the_text_stays(published: bool) -> None:
    item = article(content=TEXT, published=published)
    answer = Program("official").patch(f"/api/v1/cms/news/{item.id}", {"title": "Derby won"}, if_match='"1"')

    assert answer.status_code == 200
    assert (stored(item).title, stored(item).content) == ("Derby won", TEXT)


def test_a_program_sends_back_what_is_unknown_and_may_add_nothing_unknown() -> None:
    item = article(content=TEXT)
    official, address = Program("official"), f"/api/v1/cms/news/{item.id}"
    moved = doc(VIDEO, paragraph(text("New")), TABLE["content"][0])
    assert official.patch(address, {"content": moved}, if_match='"1"').status_code == 200
    assert stored(item).content == moved

    other = VIDEO | {"attrs": {"src": "javascript:alert(1)"}}
    refused = official.patch(address, {"content": doc(*moved["content"], other)}, if_match='"2"')
    assert (refused.status_code, pointers(refused)) == (400, ["/body/content"])
    new = official.post("/api/v1/cms/news", {"title": "Another", "content": moved})
    assert (new.status_code, pointers(new)) == (400, ["/body/content"])
