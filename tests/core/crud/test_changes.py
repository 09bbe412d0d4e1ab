"""What waits in a working copy, compared with what readers see."""

from collections.abc import Callable

import pytest
from django.test import Client

from cms.news.repository import news
from tests.cms.articles import address_of, article
from tests.core.crud.pages import open_form
from tests.core.crud.test_history import words_of

pytestmark = pytest.mark.usefixtures("db")
AsRole = Callable[[str], Client]


def test_the_form_leads_to_what_changed(as_role: AsRole) -> None:
    item = article(published=True)
    client = as_role("official")
    open_form(client, address_of(item)).fill(title="Derby lost", content="Six sets.", tags="cup").send()

    assert f'href="{address_of(item, "changes")}"' in client.get(address_of(item)).content.decode()
    text = words_of(client.get(address_of(item, "changes")))

    assert "Title Before: Derby After: Derby lost" in text
    assert "Content Before: Five sets. After: Six sets." in text
    assert "Tags Added: cup" in text
    assert "Not published yet. Last edited by Odile Brandt" in text
    # Nobody touched these; the form shows the date without its seconds.
    assert "Publication date" not in text
    assert "Authors" not in text
    assert news.get(item.id, strong=True).title == "Derby"


def test_what_cannot_be_read_yet_is_shown_as_it_was_typed(as_role: AsRole) -> None:
    item = article(published=True)
    client = as_role("official")
    form = open_form(client, address_of(item)).fill(publish_at="<b>tomorrow</b>", slug="Not / a slug")
    form.send(to="autosave", htmx=True)

    page = client.get(address_of(item, "changes"))

    assert "After: <b>tomorrow</b>" in words_of(page)
    assert "After: Not / a slug" in words_of(page)
    assert "<b>tomorrow" not in page.content.decode()


def test_without_a_copy_nothing_waits(as_role: AsRole) -> None:
    item = article(published=True)

    text = words_of(as_role("official").get(address_of(item, "changes")))

    assert "No unpublished or unsaved changes." in text
