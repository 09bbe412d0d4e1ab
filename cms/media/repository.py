"""Repository of the media library."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from cms.base.repository import AgedRepository
from cms.media.models import MediaFile
from core.dynamo import guards
from core.dynamo.errors import AlreadyExists
from core.dynamo.guards import Unique

HASH = "content_hash"


class MediaRepository(AgedRepository[MediaFile]):
    model = MediaFile
    entity = "media"
    adopts = True
    label = "original_name"
    searched = ("original_name", "alt", "caption")
    list_index = "GSI-List"
    unique = (Unique(HASH, message=_("This file is already in the library.")),)

    def key_with_hash(self, content_hash: str) -> str | None:
        """The key of the record whose file has this content hash."""
        return guards.owners_of(self.entity, HASH, [content_hash]).get(content_hash)

    def restore(self, trash_id: str, *, fields: Mapping[str, Any] | None = None, **options: Any) -> MediaFile:
        """Restore; if the same file was uploaded meanwhile, without `content_hash`, which must be unique."""
        try:
            return super().restore(trash_id, fields=fields, **options)
        except AlreadyExists as error:
            if error.field != HASH:
                raise
            return super().restore(trash_id, fields={**(fields or {}), HASH: None}, **options)


media = MediaRepository()
