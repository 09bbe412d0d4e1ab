"""News."""

from typing import Any

from pynamodb.attributes import BooleanAttribute, UnicodeAttribute

from cms.base.indexes import by_date, by_published_date, by_slug
from cms.base.models import AddressedItem
from core.content.richtext import media_ids
from core.content.status import PUBLISHED
from core.dynamo.attributes import JSONListAttribute, JSONMapAttribute, TimestampAttribute, now
from core.dynamo.items import new_id, table_name

NEWS_COLUMNS = ("title", "slug", "excerpt", "authorIds", "imageIds", "publishAt", "publishedDate", "status")


class News(AddressedItem):
    """An article. `publish_at` is the date that was chosen; `published_date` is the one that it has."""

    id = UnicodeAttribute(hash_key=True, default_for_new=new_id)
    entity = UnicodeAttribute(default="news")
    title = UnicodeAttribute()
    content = JSONMapAttribute(null=True)
    excerpt = UnicodeAttribute(null=True)
    publish_at = TimestampAttribute(attr_name="publishAt", null=True)
    published_date = TimestampAttribute(attr_name="publishedDate", null=True)
    author_ids = JSONListAttribute(attr_name="authorIds", default_for_new=list)
    image_ids = JSONListAttribute(attr_name="imageIds", default_for_new=list)
    # So that the index which finds an article also tells what its page shows.
    text_image_ids = JSONListAttribute(attr_name="textImageIds", default_for_new=list)
    tags = JSONListAttribute(default_for_new=list)
    # As it came from Payload, while KEEP_LEXICAL is set: JSON as text.
    content_lexical = UnicodeAttribute(attr_name="contentLexical", null=True)
    shared_to_mastodon = BooleanAttribute(attr_name="sharedToMastodon", default_for_new=False)
    by_date = by_date(*NEWS_COLUMNS)
    by_published_date = by_published_date(*NEWS_COLUMNS)
    by_slug = by_slug(*NEWS_COLUMNS, "textImageIds")

    class Meta:
        table_name = table_name("vcm-news", variable="CMS_NEWS_TABLE")

    def derived(self) -> dict[str, Any]:
        return super().derived() | {
            # What another program wrote gets its place in the lists with its first change here.
            "entity": "news",
            "text_image_ids": media_ids(self.content),
            # A draft has a date as well, when it was begun: without one it would be missing in the lists.
            "published_date": self.publish_at or self.created_at,
            # Nobody decides about it, so no history tells of it.
            "content_lexical": self.content_lexical,
        }

    def is_scheduled(self) -> bool:
        # A record that another program wrote may lack its date.
        return self.status == PUBLISHED and bool(self.published_date) and self.published_date > now()

    def is_public(self) -> bool:
        """Whether readers see it now; every public page checks this."""
        return self.status == PUBLISHED and bool(self.published_date) and self.published_date <= now()
