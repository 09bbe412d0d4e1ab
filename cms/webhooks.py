"""What webhooks are told about the website: only what everybody can read there."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from cms.news.models import News
from cms.news.repository import news
from core.content.status import PUBLISHED
from core.dynamo.attributes import to_iso
from core.webhooks.registry import Kind, declare

# A new record of an older date was imported, or is back from the trash.
NEW_WITHIN = timedelta(days=1)


def becomes_public(before: News | None, after: News, at: datetime) -> datetime | None:
    """From when readers see an article that they could not see before."""
    if after.status != PUBLISHED or not after.published_date:
        return None
    if before is None:
        is_told = after.published_date > at - NEW_WITHIN
    elif before.status == PUBLISHED and before.published_date:
        was_to_come = before.published_date > at
        is_told = was_to_come and before.published_date != after.published_date
    else:
        is_told = True
    return max(after.published_date, at) if is_told else None


def is_public_since(article: News, moment: datetime) -> bool:
    """Whether an article was published at its date, which it still has."""
    return article.is_public() and article.published_date == moment


def document(article: News) -> Mapping[str, Any]:
    return {
        "id": article.id,
        "address": f"/api/v1/website/news/{article.id}",
        "page": reverse("public:article", args=[article.slug]) if article.slug else None,
        "title": article.title,
        "slug": article.slug,
        "excerpt": article.excerpt,
        "publishedDate": to_iso(article.published_date),
    }


declare(
    Kind(
        name="news.published",
        title=_("News published"),
        entity=news.entity,
        occurs=becomes_public,
        data=document,
        still_occurs=is_public_since,
    )
)
