"""Item of an article."""

from typing import Any

from pynamodb.attributes import BooleanAttribute, UnicodeAttribute

from cms.base.indexes import listing
from cms.base.models import PicturedItem
from core.content.status import PUBLISHED
from core.dynamo.attributes import JSONListAttribute, JSONMapAttribute, TimestampAttribute, now
from core.dynamo.items import table_name

NEWS_COLUMNS = ("title", "slug", "excerpt", "authorIds", "imageIds", "publishAt", "publishedDate", "status")


class News(PicturedItem):
    """An article. `publish_at` is the chosen date; `published_date` is that or else the creation time."""

    entity = UnicodeAttribute(default="news")
    title = UnicodeAttribute()
    content = JSONMapAttribute(null=True)
    excerpt = UnicodeAttribute(null=True)
    publish_at = TimestampAttribute(attr_name="publishAt", null=True)
    published_date = TimestampAttribute(attr_name="publishedDate", null=True)
    author_ids = JSONListAttribute(attr_name="authorIds", default_for_new=list)
    image_ids = JSONListAttribute(attr_name="imageIds", default_for_new=list)
    tags = JSONListAttribute(default_for_new=list)
    # The Lexical original from Payload as a JSON string, if KEEP_LEXICAL was set at the import.
    content_lexical = UnicodeAttribute(attr_name="contentLexical", null=True)
    shared_to_mastodon = BooleanAttribute(attr_name="sharedToMastodon", default_for_new=False)
    by_date = listing("GSI-Date", "entity", "publishedDate", *NEWS_COLUMNS)
    by_published_date = listing("GSI-PublishedDate", "status", "publishedDate", *NEWS_COLUMNS)
    by_slug = listing("GSI-Slug", "slug", None, *NEWS_COLUMNS, "textImageIds")

    class Meta:
        table_name = table_name("vcm-news", variable="CMS_NEWS_TABLE")
        stream_view_type = "NEW_AND_OLD_IMAGES"

    def derived(self) -> dict[str, Any]:
        return super().derived() | {
            # Drafts need a date too: without one they would not be in the GSIs of the lists.
            "published_date": self.publish_at or self.created_at,
            # Listed as derived to keep it out of the history.
            "content_lexical": self.content_lexical,
        }

    def is_scheduled(self) -> bool:
        # A record of another program may lack its date.
        return self.status == PUBLISHED and bool(self.published_date) and self.published_date > now()

    def is_public(self) -> bool:
        """Whether it is published and its date has come; every public page checks this."""
        return self.status == PUBLISHED and bool(self.published_date) and self.published_date <= now()
