"""Pictures and documents."""

from datetime import timedelta
from typing import Any

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from cms.base.indexes import by_age
from core.dynamo.attributes import JSONListAttribute, from_iso, now
from core.dynamo.items import Item, new_id, table_name
from core.media.addresses import public_address

MEDIA_COLUMNS = (
    *("originalName", "alt", "caption", "s3Key", "mimeType", "size", "width", "height", "variants"),
    "uploadedBy",
)
WEBP = "webp"
# A file that was replaced stays so long: pages that browsers and others have kept still name it.
REPLACED_STAY = timedelta(days=1)


class MediaFile(Item):
    """A file in S3. `variants` are smaller copies of a picture: width, height, format and s3Key of each."""

    id = UnicodeAttribute(hash_key=True, default_for_new=new_id)
    entity = UnicodeAttribute(default="media")
    filename = UnicodeAttribute()
    original_name = UnicodeAttribute(attr_name="originalName")
    s3_key = UnicodeAttribute(attr_name="s3Key")
    s3_bucket = UnicodeAttribute(attr_name="s3Bucket")
    # For other programs; we go by `address`, which follows the setting of the moment.
    url = UnicodeAttribute(null=True)
    alt = UnicodeAttribute(null=True)
    caption = UnicodeAttribute(null=True)
    mime_type = UnicodeAttribute(attr_name="mimeType")
    size = NumberAttribute()
    width = NumberAttribute(null=True)
    height = NumberAttribute(null=True)
    # Of the bytes that were uploaded, to tell when somebody uploads them again.
    content_hash = UnicodeAttribute(attr_name="contentHash", null=True)
    variants = JSONListAttribute(default_for_new=list)
    # The files that it had before: s3Key of each, and `at`, when it was replaced.
    replaced = JSONListAttribute(attr_name="replacedKeys", default_for_new=list)
    uploaded_by = UnicodeAttribute(attr_name="uploadedBy", null=True)
    by_age = by_age(*MEDIA_COLUMNS)

    class Meta:
        table_name = table_name("vcm-media", variable="CMS_MEDIA_TABLE")
        stream_view_type = "NEW_AND_OLD_IMAGES"

    def derived(self) -> dict[str, Any]:
        return {"entity": "media", "url": self.address}

    @property
    def is_image(self) -> bool:
        return str(self.mime_type).startswith("image/")

    @property
    def address(self) -> str:
        """Where everybody finds the file."""
        return public_address(self.s3_key)

    @property
    def thumbnail(self) -> str:
        """The smallest copy of a picture, or the picture itself where there is none."""
        copies = sorted(self._copies_of(exclude=WEBP), key=lambda copy: int(copy["width"]))
        return public_address(copies[0]["s3Key"]) if copies else self.address

    @property
    def preview(self) -> str:
        """A small picture of it; a document has none."""
        return self.thumbnail if self.is_image else ""

    @property
    def lacks_description(self) -> bool:
        """Whether somebody who does not see the picture is told nothing."""
        return self.is_image and not self.alt

    @property
    def srcset(self) -> str:
        """The copies that every browser reads, for `srcset` of an img; empty where there are none."""
        return _srcset([*self._copies_of(exclude=WEBP), self._itself()]) if self.variants else ""

    @property
    def webp_srcset(self) -> str:
        """The smaller copies for browsers that read WebP, for a source of a picture element."""
        return _srcset([copy for copy in self.variants or () if copy["format"] == WEBP])

    @property
    def s3_keys(self) -> list[str]:
        """What it is in S3 now."""
        return [str(self.s3_key), *(str(copy["s3Key"]) for copy in self.variants or ())]

    @property
    def recently_replaced(self) -> list[dict[str, Any]]:
        since = now() - REPLACED_STAY
        return [former for former in self.replaced or () if from_iso(former["at"]) > since]

    @property
    def needed_keys(self) -> list[str]:
        """What it is in S3 now, and what it was a short while ago."""
        return [*self.s3_keys, *(str(former["s3Key"]) for former in self.recently_replaced)]

    def _copies_of(self, *, exclude: str) -> list[dict[str, Any]]:
        return [copy for copy in self.variants or () if copy["format"] != exclude]

    def _itself(self) -> dict[str, Any]:
        return {"width": int(self.width), "s3Key": self.s3_key}


def _srcset(copies: list[dict[str, Any]]) -> str:
    ordered = sorted(copies, key=lambda copy: int(copy["width"]))
    return ", ".join(f"{public_address(copy['s3Key'])} {copy['width']}w" for copy in ordered)
