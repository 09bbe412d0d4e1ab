"""Rows that are selected, and what became of each."""

from collections.abc import Callable
from typing import Any

from django.test import Client

from cms.news.models import News
from cms.news.repository import news
from tests.core.crud.roles import MAKER

AsRole = Callable[[str], Client]
TEXT = {
    "type": "doc",
    "content": [{"type": "paragraph", "content": [{"type": "text", "text": "Two hours, five sets."}]}],
}


def rows(*records: Any) -> list[str]:
    return [f"{record.id}@{record.seen_version}" for record in records]


def results_of(response: Any) -> list[tuple[str, str, str]]:
    return [(result.label, result.state, str(result.text)) for result in response.context["results"]]


def article(title: str, **fields: Any) -> News:
    values = {"slug": title.lower(), "content": TEXT, "author_ids": ["x"]} | fields
    return news.create(News(title=title, **values), actor=MAKER)
