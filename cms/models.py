"""The items of the website's content: one table each, keyed by id."""

from datetime import datetime
from typing import Any

from pynamodb.attributes import BooleanAttribute, UnicodeAttribute

from cms.indexes import by_age, by_name, by_published_date, by_slug
from crud.publication import DRAFT, PUBLISHED, PublishableItem
from dynamo.attributes import JSONListAttribute, JSONMapAttribute, TimestampAttribute, now
from dynamo.items import Item, new_id, table_name
from dynamo.words import sort_form


class Role(Item):
    """What a member does for the club; `vorstand` marks those of the board."""

    id = UnicodeAttribute(hash_key=True, default_for_new=new_id)
    entity = UnicodeAttribute(default="role")
    name = UnicodeAttribute()
    sort_name = UnicodeAttribute(attr_name="sortName", null=True)
    vorstand = BooleanAttribute(default=False)
    by_age = by_age("name", "vorstand")
    by_name = by_name("name", "vorstand")

    class Meta:
        table_name = table_name("vcm-roles", variable="CMS_ROLES_TABLE")

    def derived(self) -> dict[str, Any]:
        return {"sort_name": sort_form(self.name)}


NEWS_COLUMNS = ("title", "slug", "excerpt", "authorIds", "publishAt", "publishedDate", "status")


class News(PublishableItem):
    """An article. `publish_at` is the date that was chosen; `published_date` is the one that it has."""

    id = UnicodeAttribute(hash_key=True, default_for_new=new_id)
    entity = UnicodeAttribute(default="news")
    title = UnicodeAttribute()
    slug = UnicodeAttribute(null=True)
    old_slugs = JSONListAttribute(attr_name="oldSlugs", default_for_new=list)
    content = JSONMapAttribute(null=True)
    excerpt = UnicodeAttribute(null=True)
    publish_at = TimestampAttribute(attr_name="publishAt", null=True)
    published_date = TimestampAttribute(attr_name="publishedDate", null=True)
    first_published_at = TimestampAttribute(attr_name="firstPublishedAt", null=True)
    author_ids = JSONListAttribute(attr_name="authorIds", default_for_new=list)
    image_ids = JSONListAttribute(attr_name="imageIds", default_for_new=list)
    tags = JSONListAttribute(default_for_new=list)
    shared_to_mastodon = BooleanAttribute(attr_name="sharedToMastodon", default_for_new=False)
    by_age = by_age(*NEWS_COLUMNS)
    by_published_date = by_published_date(*NEWS_COLUMNS)
    by_slug = by_slug(*NEWS_COLUMNS)

    class Meta:
        table_name = table_name("vcm-news", variable="CMS_NEWS_TABLE")

    def derived(self) -> dict[str, Any]:
        first_published = self.updated_at if self.status == PUBLISHED else None
        return {
            # What another program wrote gets its place in the lists with its first change here.
            "entity": "news",
            # A draft has a date as well: without one it would be missing in the index.
            "published_date": self.publish_at or self.created_at,
            "first_published_at": self.first_published_at or first_published,
        }

    @property
    def shown_date(self) -> datetime | None:
        """The date that people gave it; of a draft that has none, nothing, although it is listed by one."""
        chosen: datetime | None = self.publish_at
        return chosen or (self.published_date if self.status != DRAFT else None)

    # What another program wrote may lack its date.

    def is_scheduled(self) -> bool:
        return self.status == PUBLISHED and bool(self.published_date) and self.published_date > now()

    def is_public(self) -> bool:
        """Whether readers see it. Every public page asks this."""
        return self.status == PUBLISHED and bool(self.published_date) and self.published_date <= now()
