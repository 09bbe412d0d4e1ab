"""Base items of content: with a name, with a public page, with pictures in its text."""

from typing import Any, ClassVar

from pynamodb.attributes import UnicodeAttribute

from core.content.richtext import media_ids
from core.content.status import PUBLISHED, PublishableItem
from core.dynamo.attributes import JSONListAttribute, TimestampAttribute
from core.dynamo.items import Item, new_id
from core.dynamo.search_index import sort_form


class ContentItem(Item):
    """A record with a random id; `entity` is the hash key of the GSIs of all records."""

    id = UnicodeAttribute(hash_key=True, default_for_new=new_id)
    entity: UnicodeAttribute

    def derived(self) -> dict[str, Any]:
        # Adds records of other programs, which may lack it, to the GSIs with their first update here.
        return {"entity": type(self).entity.default}


class NamedItem(ContentItem):
    name = UnicodeAttribute()
    sort_name = UnicodeAttribute(attr_name="sortName", null=True)

    def derived(self) -> dict[str, Any]:
        return super().derived() | {"sort_name": sort_form(self.name)}


class SluggedItem(ContentItem, PublishableItem):
    """A record with a slug; `old_slugs` are those it had since it was first published."""

    slug = UnicodeAttribute(null=True)
    old_slugs = JSONListAttribute(attr_name="oldSlugs", default_for_new=list)
    first_published_at = TimestampAttribute(attr_name="firstPublishedAt", null=True)

    def derived(self) -> dict[str, Any]:
        first_published = self.updated_at if self.status == PUBLISHED else None
        return super().derived() | {"first_published_at": self.first_published_at or first_published}

    @property
    def was_public(self) -> bool:
        """Whether it is or was published; another program does not store since when."""
        return self.status == PUBLISHED or self.first_published_at is not None

    def is_public(self) -> bool:
        """Whether it is published; every public page checks this."""
        return bool(self.status == PUBLISHED)


class PicturedItem(SluggedItem):
    """A record with a rich text, in the attribute `text_field`."""

    text_field: ClassVar[str] = "content"
    # Projected into GSI-Slug, so that one batch read gets the record and the pictures of its text.
    text_image_ids = JSONListAttribute(attr_name="textImageIds", default_for_new=list)

    @property
    def text(self) -> dict[str, Any] | None:
        text: dict[str, Any] | None = getattr(self, self.text_field)
        return text

    def derived(self) -> dict[str, Any]:
        return super().derived() | {"text_image_ids": media_ids(self.text)}
