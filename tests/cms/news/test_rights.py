"""Who may do what to news: officials to their own articles, moderators and admins to all, others nothing."""

import re

import pytest
from django.test import Client

from cms.news.repository import news
from core.dynamo import working_copies
from tests.cast import CAST, sign_in
from tests.cms.articles import NEW, address_of, article
from tests.core.crud.pages import open_form

pytestmark = pytest.mark.usefixtures("db")

MAY_ALL = ("admin", "moderator")
MAY_NOTHING = ("scout-lead", "scout", "steward", "member", "other-member")


def get(role: str, address: str) -> int:
    return sign_in(Client(), role).get(address).status_code


def post(role: str, address: str, **fields: str) -> int:
    return sign_in(Client(), role).post(address, fields).status_code


@pytest.mark.parametrize("role", [*MAY_ALL, "official"])
def test_officials_moderators_and_admins_see_and_write_news(role: str) -> None:
    item = article(by="moderator")

    assert [get(role, address) for address in ("/cms/news/", NEW, address_of(item))] == [200, 200, 200]


@pytest.mark.parametrize("role", MAY_NOTHING)
def test_others_do_not_come_in(role: str) -> None:
    item = article()

    screens = ("preview", "delete", "history")
    for address in (
        "/cms/news/",
        NEW,
        "/cms/news/trash",
        *(address_of(item, name) for name in ("", *screens)),
    ):
        assert get(role, address) == 403
    assert post(role, address_of(item), title="Mine now", version="1") == 403
    assert news.get(item.id).title == "Derby"


@pytest.mark.parametrize("role", [*MAY_ALL, "official"])
@pytest.mark.parametrize("own", [True, False])
def test_an_article_is_changed_by_its_authors_and_by_those_who_may_change_all(role: str, own: bool) -> None:
    may = own or role in MAY_ALL
    item = article(by="official" if own else "moderator", published=True)

    for screen in ("unpublish", "archive"):
        version = str(news.get(item.id).version)
        assert post(role, address_of(item, screen), version=version) == (302 if may else 403)
    assert news.get(item.id).status == ("archived" if may else "published")

    version = str(news.get(item.id).version)
    answer = post(role, address_of(item), title="Derby won", version=version, content="Five sets.")
    assert answer == (302 if may else 403)
    assert news.get(item.id).title == ("Derby won" if may else "Derby")

    version = str(news.get(item.id).version)
    assert post(role, address_of(item, "delete"), version=version) == (302 if may else 403)
    assert (item.id in news.get_many([item.id])) is not may


@pytest.mark.parametrize("screen", ["autosave", "discard", "republish"])
def test_an_official_keeps_nothing_beside_the_articles_of_others(screen: str) -> None:
    item = article(by="moderator", published=True)

    assert post("official", address_of(item, screen), title="Mine", version="1") == 403


@pytest.mark.parametrize("screen", ["autosave", "unpublish"])
def test_nor_what_is_not_valid_yet(as_role, screen: str) -> None:
    item = article(by="moderator", published=True)
    typed = {"title": "Mine", "slug": "Not / a slug", "version": "1"}

    answer = as_role("official").post(address_of(item, screen), typed, headers={"HX-Request": "true"})

    assert answer.status_code == 403
    assert working_copies.get("news", item.id) is None


def test_the_article_of_somebody_else_is_shown_without_a_form(as_role) -> None:
    item = article(by="moderator", text="To be read only.")

    page = as_role("official").get(address_of(item)).content.decode()

    assert "To be read only." in page
    assert 'id="record-form"' not in page
    assert 'id="delete"' not in page


def test_what_is_kept_of_a_page_shows_nobody_what_belongs_to_others() -> None:
    """Frames are kept by what a person may do; two people, two records and the same process."""
    derby, final = article("Derby", by="moderator"), article("Final", by="moderator")
    assert post("moderator", address_of(final, "archive"), version=str(final.version)) == 302
    pages = {
        (role, item.title): sign_in(Client(), role).get(address_of(item)).content.decode()
        for role in ("admin", "official", "moderator")
        for item in (derby, final)
    }

    for (role, title), page in pages.items():
        shown, other = (derby, final) if title == "Derby" else (final, derby)
        assert f'data-recent="news:{shown.id}"' in page
        assert other.id not in page
        assert other.title not in page
        assert ('id="record-form"' in page) == (role in MAY_ALL)
        assert ('id="archive"' in page) == (role in MAY_ALL and shown is derby)
        assert (f'id="delete" href="{address_of(shown, "delete")}"' in page) == (role in MAY_ALL)
    tokens = {re.findall(r'csrfmiddlewaretoken" value="(\w{64})"', page)[0] for page in pages.values()}
    assert len(tokens) == len(pages)


def test_a_second_author_may_change_it_too(as_role) -> None:
    item = article(by="moderator", author_ids=["moderator-sub", "official-sub"])

    assert open_form(as_role("official"), address_of(item)).fill(title="Derby won").send().status_code == 302

    assert news.get(item.id).title == "Derby won"


def test_who_is_no_longer_an_author_may_no_longer_change_it(as_role) -> None:
    item = article(by="official")
    form = open_form(as_role("official"), address_of(item))
    news.update(item, {"author_ids": ["moderator-sub"]}, actor=CAST["moderator"].actor)

    assert form.fill(title="Derby won").send().status_code == 403
    assert news.get(item.id).title == "Derby"


def test_who_is_no_longer_an_author_may_not_send_the_form_of_the_new_article_again(as_role) -> None:
    form = open_form(as_role("official"), NEW).fill(title="Derby")
    assert form.send().status_code == 302
    (item,) = news.by_date(limit=2).items
    news.update(news.get(item.id), {"author_ids": ["moderator-sub"]}, actor=CAST["moderator"].actor)

    assert form.fill(title="Derby won").send().status_code == 403
    assert news.get(item.id).title == "Derby"
