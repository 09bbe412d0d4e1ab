"""Resources of records with a slug."""

from collections.abc import Mapping
from typing import Any, ClassVar

from cms.base.repository import AddressedRepository
from core.content.slugs import is_made_from, slugify
from core.crud.publication import PublishedResource
from core.dynamo.errors import AlreadyExists
from core.dynamo.items import Item


class AddressedResource(PublishedResource):
    repository: ClassVar[AddressedRepository[Any]]

    def on_duplicate(self, fields: Mapping[str, Any], refused: AlreadyExists) -> Mapping[str, Any] | None:
        """Number a slug that was made from the title; None for a chosen one, which the person must change."""
        title, slug = fields.get(self.repository.label, ""), fields.get("slug", "")
        if refused.field != "slug" or not is_made_from(title, slug):
            return None
        return {**fields, "slug": self.repository.next_free(slugify(title))}

    def copied(self, record: Item) -> dict[str, Any]:
        return super().copied(record) | {"slug": ""}
