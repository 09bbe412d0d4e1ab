"""Defaults for the fields of an article: its summary and date. Its slug is made in `cms/base/rules.py`."""

from collections.abc import Mapping
from typing import Any

from cms.news.models import News
from core.content.richtext import excerpt
from core.dynamo.attributes import now


def prepare(news: News | None, values: Mapping[str, Any]) -> dict[str, Any]:
    """The fields to store for valid values, with defaults for those left empty."""
    fields = dict(values)
    is_bare = news is not None and not news.excerpt and news.content == fields["content"]
    fields["excerpt"] = fields["excerpt"] or (None if is_bare else excerpt(fields["content"]) or None)
    if fields["publish_at"] is None and news and news.was_public and news.published_date <= now():
        # A form that was opened before publishing has no date; an article that was public keeps its date.
        fields["publish_at"] = news.publish_at or news.published_date
    return fields
