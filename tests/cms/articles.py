"""News as tests need them: written through the pages, or put there as a person of the cast would have."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.test import Client

from cms.news.models import News
from cms.news.repository import news
from cms.news.resource import news as resource
from core.content.richtext import from_plain_text
from core.crud import edit_session, services
from core.crud.edit_session import Seen
from core.crud.publication import publish
from core.dynamo.attributes import now
from tests.cast import CAST
from tests.core.crud.pages import OpenForm, open_form

NEW = "/cms/news/new"
LONG_AGO = datetime(2026, 1, 5, 17, 30, tzinfo=UTC)


def in_future() -> datetime:
    return now() + timedelta(days=30)


def filled(client: Client, **fields: Any) -> OpenForm:
    """The form of a new article, filled in without JavaScript."""
    return open_form(client, NEW).fill(**{"title": "Derby", "content": "Five sets.", **fields})


def of_form(form: OpenForm) -> News:
    """The article that a form has saved."""
    return news.get(form.action.split("/")[-2], strong=True)


def article(
    title: str = "Derby",
    *,
    by: str = "official",
    published: bool = False,
    text: str = "Five sets.",
    **fields: Any,
) -> News:
    """An article as that person would have saved or published it."""
    user, opened = CAST[by], edit_session.new(resource)
    values = {
        **dict.fromkeys(resource.form.base_fields),
        "title": title,
        "content": from_plain_text(text),
        "tags": [],
        "image_ids": [],
        **fields,
    }
    complete = resource.prepare(user, None, values)
    if published:
        return publish(user, resource, opened, complete, seen=Seen())  # type: ignore[return-value]
    return services.write(user, opened, complete, seen=Seen())  # type: ignore[return-value]


def address_of(item: News, screen: str = "") -> str:
    return f"/cms/news/{item.id}/{screen}"
