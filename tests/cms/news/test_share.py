"""The text to share an article with, and the note that it was shared."""

import re

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from cms.news.models import News
from cms.news.repository import news
from cms.news.services import share_text
from core.dynamo import metering, working_copies
from tests.cast import CAST, sign_in
from tests.cms.articles import address_of, article
from tests.core.crud.pages import open_form

ADDRESS = "https://verein.example/news/derby/"


def text_on(client: Client, item: News) -> str:
    page = client.get(address_of(item, "share")).content.decode()
    found = re.search(r'<textarea id="share-text"[^>]*>([^<]*)</textarea>', page)
    return found[1] if found else ""


def test_it_is_title_summary_and_address() -> None:
    item = News(title="Derby", excerpt="Five sets.")

    assert share_text(item, ADDRESS) == f"Derby\n\nFive sets.\n\n{ADDRESS}"
    assert share_text(News(title="Derby"), ADDRESS) == f"Derby\n\n{ADDRESS}"


@given(title=st.text(max_size=600), excerpt=st.text(max_size=600))
def test_it_has_at_most_500_characters_and_the_address_whole(title: str, excerpt: str) -> None:
    text = share_text(News(title=title, excerpt=excerpt), ADDRESS)

    assert len(text) <= 500
    assert text.endswith(ADDRESS)


def test_a_long_summary_is_cut_at_a_word() -> None:
    text = share_text(News(title="Derby", excerpt="Wort " * 200), ADDRESS)

    title, summary, address = text.split("\n\n")
    assert (title, address) == ("Derby", ADDRESS)
    assert summary.endswith("Wort…")
    assert 490 <= len(text) <= 500


@pytest.mark.usefixtures("db")
def test_the_page_shows_it_for_what_readers_see(as_role) -> None:
    client = as_role("official")
    item = article(published=True)

    assert text_on(client, item) == "Derby\n\nFive sets.\n\nhttp://testserver/news/derby/"
    assert f'href="{address_of(item, "share")}"' in client.get(address_of(item)).content.decode()
    draft = article("Draft")
    assert text_on(client, draft) == ""
    assert "Publish it first" in client.get(address_of(draft, "share")).content.decode()


@pytest.mark.usefixtures("db")
def test_the_note_is_kept_at_once_and_a_working_copy_stays_usable(as_role) -> None:
    client = as_role("official")
    item = article(published=True)
    open_form(client, address_of(item)).fill(title="Derby won").send()

    with metering.metered() as meter:
        assert client.post(address_of(item, "share"), {"is_shared": "on"}).status_code == 302

    assert meter.operations == ["GetItem", "BatchGetItem", "TransactWriteItems"]
    stored = news.get(item.id)
    assert (stored.shared_to_mastodon, stored.title, stored.status) == (True, "Derby", "published")
    assert working_copies.get("news", item.id).based_on == stored.version
    assert open_form(client, address_of(item)).send("publish").status_code == 302
    published = news.get(item.id)
    assert (published.title, published.shared_to_mastodon) == ("Derby won", True)
    client.post(address_of(item, "share"), {})
    assert news.get(item.id).shared_to_mastodon is False


@pytest.mark.usefixtures("db")
def test_only_those_who_may_change_the_article_come_there() -> None:
    item = article(by="moderator", published=True)

    statuses = {role: sign_in(Client(), role).get(address_of(item, "share")).status_code for role in CAST}
    assert statuses == dict.fromkeys(CAST, 403) | {"admin": 200, "moderator": 200}
    assert sign_in(Client(), "official").post(address_of(item, "share")).status_code == 403
    page = sign_in(Client(), "official").get(address_of(item)).content.decode()
    assert 'id="share"' not in page
    assert sign_in(Client(), "admin").get(address_of(item, "share").replace(item.id, "x")).status_code == 404
