"""Repository of news."""

from datetime import timedelta
from typing import Unpack

from django.utils.translation import gettext_lazy as _

from cms.base.repository import SluggedRepository, pictures_in, unique_address
from cms.news.models import News
from core.content.status import PUBLISHED
from core.dynamo.attributes import now, to_iso
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions
from core.dynamo.references import Reference


class NewsRepository(SluggedRepository[News]):
    model = News
    entity = "news"
    adopts = True
    label = "title"
    searched = ("title", "tags")
    list_index = "GSI-Date"
    unique = (unique_address(_("Another article already uses this address. Choose another one.")),)
    references = (
        Reference("image_ids", to="media"),
        pictures_in("content"),
    )
    redirect_fields = ("id", "slug", "status", "published_date", "author_ids", "image_ids")

    def by_date(self, **options: Unpack[PageOptions]) -> Page[News]:
        return self.page("news", index="GSI-Date", **options)

    def with_status(self, status: str, **options: Unpack[PageOptions]) -> Page[News]:
        return self.page(status, index="GSI-PublishedDate", **options)

    def public(self, **options: Unpack[PageOptions]) -> Page[News]:
        """Published news whose date has come, by that date."""
        return self.page(PUBLISHED, index="GSI-PublishedDate", at_most=to_iso(now()), **options)

    def scheduled(self, **options: Unpack[PageOptions]) -> Page[News]:
        """Published news whose date is in the future, by that date."""
        later = to_iso(now() + timedelta(milliseconds=1))
        return self.page(PUBLISHED, index="GSI-PublishedDate", at_least=later, **options)


news = NewsRepository()
