"""Home as it is read in tests, and what was done before."""

import re
from collections.abc import Callable
from html import unescape
from typing import Any

from django.http import HttpResponse
from django.test import Client

from cms.news.models import News
from cms.news.repository import news
from core.dynamo import working_copies
from core.dynamo.actors import Actor

AsRole = Callable[[str], Client]


def text_of(response: HttpResponse) -> str:
    """The page as people read it."""
    page = response.content.decode()
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", "", page[page.index("<main") :])))


def happened(client: Client) -> list[str]:
    """The lines of the recent activity."""
    sentences = (each.sentence for each in client.get("/desk/activity").context["lines"])
    return [unescape(re.sub(r"<[^>]+>", "", sentence)) for sentence in sentences]


def keep(actor: Actor, key: str, label: str, *, based_on: int | None = None, entity: str = "news") -> None:
    working_copies.save(
        entity=entity, key=key, label=label, values={}, seen_version=0, based_on=based_on, actor=actor
    )


def article(actor: Actor, title: str, **fields: Any) -> News:
    return news.create(News(title=title, author_ids=[actor.sub], **fields), actor=actor)
