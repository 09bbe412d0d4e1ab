"""Pictures within texts: they are uses of a file like any other, and readers see them."""

import json
from typing import Any

import pytest
from django.test import Client

from cms.events.models import Event
from cms.events.repository import events
from cms.media import services
from cms.media.repository import media
from cms.news.models import News
from cms.news.repository import news
from cms.pages.models import Page
from cms.pages.repository import pages
from core.content.richtext import from_plain_text, media_ids, without_media
from core.dynamo import history, metering, references
from core.dynamo.errors import InUse
from tests.cast import CAST
from tests.cms.articles import address_of, article, filled
from tests.cms.files import picture

pytestmark = pytest.mark.usefixtures("db", "bucket")
MODERATOR = CAST["moderator"]


def image(media_id: str, alt: str = "") -> dict[str, Any]:
    return {"type": "image", "attrs": {"mediaId": media_id, "alt": alt}}


def text_with(*nodes: dict[str, Any]) -> dict[str, Any]:
    return {"type": "doc", "content": [*from_plain_text("Five sets.")["content"], *nodes]}


def publish(title: str, *nodes: dict[str, Any]) -> News:
    return article(title, published=True, content=text_with(*nodes))


def test_a_picture_within_a_text_counts_as_a_use_in_articles_events_and_pages() -> None:
    shown = picture()
    text, actor = text_with(image(shown.id)), MODERATOR.actor
    news.create(News(title="Derby", content=text), actor=actor)
    events.create(Event(title="Final", description=text), actor=actor)
    pages.create(Page(title="Privacy", content=text), actor=actor)

    used_in = {(row.entity, row.field) for row in references.used_in("media", shown.id).items}

    assert used_in == {("news", "content"), ("event", "description"), ("page", "content")}
    with pytest.raises(InUse):
        media.delete(media.get(shown.id, strong=True), actor=actor)


def test_a_text_without_it_no_longer_counts() -> None:
    shown = picture()
    item = article(content=text_with(image(shown.id)))

    news.update(
        news.get(item.id, strong=True), {"content": from_plain_text("Six sets.")}, actor=MODERATOR.actor
    )

    assert references.used_in("media", shown.id).items == []
    assert media.get(shown.id, strong=True).refs == 0


def test_a_file_is_taken_out_of_texts_too() -> None:
    gone, kept = picture("A.jpg", colour="red"), picture("B.jpg", colour="navy")
    item = publish("Derby", image(gone.id), image(kept.id))

    services.remove_with_references(MODERATOR, media.get(gone.id, strong=True))

    changed = news.get(item.id, strong=True)
    assert changed.content == text_with(image(kept.id))
    assert changed.text_image_ids == [kept.id]
    assert references.used_in("media", gone.id).items == []


@pytest.mark.parametrize(
    ("around", "left"),
    [
        (lambda node: [node], [{"type": "paragraph"}]),
        (
            lambda node: [{"type": "blockquote", "content": [node]}],
            [{"type": "blockquote", "content": [{"type": "paragraph"}]}],
        ),
    ],
)
def test_where_nothing_else_was_there_is_an_empty_paragraph(around, left) -> None:
    document = {"type": "doc", "content": around(image("one"))}

    assert without_media(document, "one") == {"type": "doc", "content": left}
    assert without_media(document, "other") == document


def test_a_text_holds_at_most_20_different_pictures(as_role) -> None:
    many = [image(f"00000000-0000-7000-8000-{number:012}") for number in range(21)]
    form = filled(as_role("official"), content__document=json.dumps(text_with(*many)))
    form.fields.pop("content")

    answer = form.send()

    assert answer.status_code == 422
    assert "A text can contain at most 20 different pictures." in answer.content.decode()


def test_a_picture_that_is_not_in_the_library_is_refused_at_the_text(as_role) -> None:
    text = text_with(image("00000000-0000-7000-8000-000000000001"))
    form = filled(as_role("official"), content__document=json.dumps(text))
    form.fields.pop("content")

    answer = form.send()

    assert answer.status_code == 422
    assert "A picture in this text no longer exists." in answer.content.decode()


def test_readers_see_them_by_the_same_two_requests() -> None:
    cover, within = picture("A.jpg", colour="red"), picture("B.jpg", colour="navy", alt="The hall")
    article("Derby", published=True, image_ids=[cover.id], content=text_with(image(within.id)))

    with metering.metered() as meter:
        page = Client().get("/news/derby/").content.decode()

    assert meter.operations == ["Query", "BatchGetItem"]
    assert f'src="{within.thumbnail}" alt="The hall" loading="lazy" srcset="{within.srcset}"' in page
    assert 'width="600" height="400"' in page


def test_the_words_of_a_text_come_before_those_of_the_library() -> None:
    within = picture(alt="The hall")
    publish("Derby", image(within.id, "Our hall on Sunday"))

    assert 'alt="Our hall on Sunday"' in Client().get("/news/derby/").content.decode()


def test_the_preview_shows_them_too(as_role) -> None:
    within = picture(alt="The hall")
    item = article(content=text_with(image(within.id)))

    page = as_role("official").get(address_of(item, "preview")).content.decode()

    assert f'src="{within.thumbnail}" alt="The hall"' in page


def test_which_pictures_a_text_holds_is_no_news_in_the_history() -> None:
    within = picture()
    item = article(content=text_with())

    news.update(
        news.get(item.id, strong=True), {"content": text_with(image(within.id))}, actor=MODERATOR.actor
    )

    assert media_ids(news.get(item.id, strong=True).content) == [within.id]
    assert "textImageIds" not in history.entries("news", item.id).items[0].fields
