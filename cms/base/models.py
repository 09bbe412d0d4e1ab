"""Base item of content with a public page."""

from typing import Any

from pynamodb.attributes import UnicodeAttribute

from core.content.status import PUBLISHED, PublishableItem
from core.dynamo.attributes import JSONListAttribute, TimestampAttribute


class AddressedItem(PublishableItem):
    """A record with a slug; `old_slugs` are those it had since it was first published."""

    slug = UnicodeAttribute(null=True)
    old_slugs = JSONListAttribute(attr_name="oldSlugs", default_for_new=list)
    first_published_at = TimestampAttribute(attr_name="firstPublishedAt", null=True)

    def derived(self) -> dict[str, Any]:
        first_published = self.updated_at if self.status == PUBLISHED else None
        return {"first_published_at": self.first_published_at or first_published}

    def is_public(self) -> bool:
        """Whether it is published; every public page checks this."""
        return bool(self.status == PUBLISHED)
