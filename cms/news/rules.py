"""What follows from the values of an article: its authors, summary, slug and date."""

from collections.abc import Mapping
from typing import Any

from cms.base.rules import slug_for
from cms.news.models import News
from core.accounts.user import User
from core.content.richtext import excerpt
from core.dynamo.attributes import now


def prepare(user: User, news: News | None, values: Mapping[str, Any]) -> dict[str, Any]:
    """The fields to store for valid values; what was left empty is made from the rest."""
    fields = dict(values)
    fields["author_ids"] = fields["author_ids"] or [user.sub]
    fields["excerpt"] = fields["excerpt"] or excerpt(fields["content"]) or None
    fields["slug"] = fields["slug"] or slug_for(fields["title"] or "", news)
    if fields["publish_at"] is None and news is not None and was_readable(news):
        # A form that stays open after publishing does not know the date; what readers saw keeps it.
        fields["publish_at"] = news.publish_at
    return fields


def was_readable(news: News) -> bool:
    """Whether its date has come while, or before, it was published."""
    return bool(news.first_published_at and news.published_date <= now())
