"""The preview: what readers would see, also of drafts, new articles and changes that wait."""

import re

import pytest
from django.test import Client

from cms.news.repository import news
from core.dynamo import metering, working_copies
from tests.cast import sign_in
from tests.cms.articles import LONG_AGO, address_of, article, filled
from tests.core.crud.pages import open_form

pytestmark = pytest.mark.usefixtures("db")


def shown(client: Client, address: str) -> str:
    """What the preview shows of the article."""
    page = client.get(address).content.decode()
    return re.search(r'<article class="article">.*</article>', page, re.DOTALL)[0]


def test_it_shows_what_readers_see(as_role) -> None:
    item = article(published=True, publish_at=LONG_AGO, tags=["Derby"])
    readers = Client().get("/news/derby/").content.decode()

    assert shown(as_role("official"), address_of(item, "preview")) in readers


def test_it_works_for_drafts(as_role) -> None:
    preview = shown(as_role("official"), address_of(article(text="Not yet."), "preview"))

    assert "<p>Not yet.</p>" in preview


def test_the_button_keeps_what_was_typed_and_shows_it_while_nothing_is_saved(as_role) -> None:
    form = filled(as_role("official"), title="Only typed", content="Unsaved.")

    answer = form.send("preview")

    assert (answer.status_code, answer["Location"]) == (302, form.action + "preview")
    preview = shown(form.client, form.action + "preview")
    assert "Only typed" in preview
    assert "<p>Unsaved.</p>" in preview
    assert news.get_many([form.action.split("/")[-2]]) == {}
    assert sign_in(Client(), "admin").get(form.action + "preview").status_code == 404


def test_changes_that_wait_are_shown_as_if_they_were_published_and_readers_do_not_see_them(as_role) -> None:
    client, item = as_role("official"), article(published=True)
    open_form(client, address_of(item)).fill(title="Derby won", content="Changed.").send("preview")

    preview = shown(client, address_of(item, "preview"))

    assert "Derby won" in preview
    assert "<p>Changed.</p>" in preview
    assert "Changed." not in Client().get("/news/derby/").content.decode()
    assert news.get(item.id, strong=True).version == 1


def test_what_is_not_valid_falls_back_to_what_is_saved(as_role) -> None:
    client, item = as_role("official"), article(published=True, publish_at=LONG_AGO)
    form = open_form(client, address_of(item))
    form.fill(title="x" * 201, publish_at="31 February", content="Changed.").send(to="autosave", htmx=True)
    assert working_copies.get("news", item.id) is not None

    preview = shown(client, address_of(item, "preview"))

    assert '<h1 class="article-title" lang="en">Derby</h1>' in preview
    assert "5 January 2026, 18:30" in preview
    assert "<p>Changed.</p>" in preview


def test_a_new_article_of_which_nothing_is_valid_is_shown_as_untitled(as_role) -> None:
    form = filled(as_role("official"), title="", content="")
    form.send(to="autosave", htmx=True)

    assert '<h1 class="article-title" lang="en">Untitled</h1>' in shown(form.client, form.action + "preview")


@pytest.mark.parametrize(
    ("query", "box", "current"),
    [
        ("", 'class="preview"', "width-desktop"),
        ("?width=phone", 'class="preview phone"', "width-phone"),
        ("?width=nonsense", 'class="preview"', "width-desktop"),
    ],
)
def test_it_has_the_width_of_a_desktop_or_a_phone(as_role, query: str, box: str, current: str) -> None:
    page = as_role("official").get(address_of(article(), "preview") + query).content.decode()

    assert box in page
    assert re.search(rf'id="{current}" href="[^"]*" aria-current="true"', page)
    assert page.count('aria-current="true"') == 1


@pytest.mark.parametrize(
    ("published", "typed", "note"),
    [
        (True, False, "How it looks now."),
        (False, False, "How it will look. It is not on the website yet."),
        (True, True, "How it will look when you publish your changes."),
    ],
)
def test_it_says_whether_readers_see_it(as_role, published: bool, typed: bool, note: str) -> None:
    client, item = as_role("official"), article(published=published)
    if typed:
        open_form(client, address_of(item)).fill(title="Derby won").send()

    assert note in client.get(address_of(item, "preview")).content.decode()


def test_it_costs_the_session_the_record_and_the_names(as_role) -> None:
    client, item = as_role("official"), article(published=True)

    with metering.metered() as meter:
        client.get(address_of(item, "preview"))

    assert meter.operations == ["GetItem", "BatchGetItem", "BatchGetItem"]


def test_what_does_not_exist_is_not_found(as_role) -> None:
    assert as_role("official").get("/cms/news/nothing/preview").status_code == 404
