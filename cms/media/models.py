"""Item of the media library: pictures and documents."""

import mimetypes
from datetime import timedelta
from typing import Any, Self

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from cms.base.indexes import by_age
from cms.base.models import ContentItem
from core.dynamo.attributes import JSONListAttribute, from_iso, now
from core.dynamo.items import RawItem, table_name
from core.media.file_urls import public_address
from core.media.processing import DOCUMENT, IMAGE

MEDIA_COLUMNS = (
    *("originalName", "alt", "caption", "s3Key", "mimeType", "size", "width", "height", "variants"),
    "uploadedBy",
)
WEBP = "webp"
# Replaced files are kept this long, because cached pages still link to them.
REPLACED_STAY = timedelta(days=1)


class MediaFile(ContentItem):
    """A file in S3. `variants` are the smaller copies of a picture: width, height, format and s3Key each."""

    documented = ("url",)
    entity = UnicodeAttribute(default="media")
    filename = UnicodeAttribute()
    original_name = UnicodeAttribute(attr_name="originalName")
    s3_key = UnicodeAttribute(attr_name="s3Key")
    s3_bucket = UnicodeAttribute(attr_name="s3Bucket")
    # For other programs; this application uses `address`, which follows the current settings.
    url = UnicodeAttribute(null=True)
    alt = UnicodeAttribute(null=True)
    caption = UnicodeAttribute(null=True)
    mime_type = UnicodeAttribute(attr_name="mimeType")
    # Another program does not store it.
    size = NumberAttribute(null=True)
    width = NumberAttribute(null=True)
    height = NumberAttribute(null=True)
    # SHA-256 of the uploaded bytes, to detect duplicates.
    content_hash = UnicodeAttribute(attr_name="contentHash", null=True)
    variants = JSONListAttribute(default_for_new=list)
    # Former files: s3Key of each, and `at`, the time of the replacement.
    replaced = JSONListAttribute(attr_name="replacedKeys", default_for_new=list)
    uploaded_by = UnicodeAttribute(attr_name="uploadedBy", null=True)
    by_age = by_age(*MEDIA_COLUMNS)

    class Meta:
        table_name = table_name("vcm-media", variable="CMS_MEDIA_TABLE")
        stream_view_type = "NEW_AND_OLD_IMAGES"

    @classmethod
    def from_raw_data(cls, data: RawItem) -> Self:
        """Another program stores neither the name of the uploaded file nor its type."""
        media = super().from_raw_data(data)
        values = media.attribute_values
        if (key := values.get("s3_key")) is not None:
            if values.get("original_name") is None:
                values["original_name"] = values.get("filename") or key.rpartition("/")[2]
            if values.get("mime_type") is None:
                values["mime_type"] = mimetypes.guess_type(key)[0] or "application/octet-stream"
        return media

    def derived(self) -> dict[str, Any]:
        return super().derived() | {"url": self.url or self.address}

    def adopted(self) -> dict[str, Any]:
        return self.derived() | {"original_name": self.original_name, "mime_type": self.mime_type}

    @property
    def is_image(self) -> bool:
        return str(self.mime_type).startswith("image/")

    @property
    def kind(self) -> str:
        return IMAGE if self.is_image else DOCUMENT

    @property
    def address(self) -> str:
        """The public URL of the file."""
        return public_address(self.s3_key)

    @property
    def thumbnail(self) -> str:
        """URL of the smallest variant that is not WebP, or of the file itself without variants."""
        copies = sorted(self._copies(), key=lambda copy: int(copy["width"]))
        return public_address(copies[0]["s3Key"]) if copies else self.address

    @property
    def preview(self) -> str:
        """URL of the thumbnail; empty for a document."""
        return self.thumbnail if self.is_image else ""

    @property
    def lacks_description(self) -> bool:
        """Whether it is a picture without alternative text."""
        return self.is_image and not self.alt

    @property
    def srcset(self) -> str:
        """`srcset` of an img: file and variants except WebP; empty without variants."""
        if not self.variants:
            return ""
        return _srcset([*self._copies(), {"width": int(self.width), "s3Key": self.s3_key}])

    @property
    def webp_srcset(self) -> str:
        """`srcset` of a source element with the WebP variants."""
        return _srcset([copy for copy in self.variants or () if copy["format"] == WEBP])

    @property
    def s3_keys(self) -> list[str]:
        """S3 keys of the current file and its variants."""
        return [str(self.s3_key), *(str(copy["s3Key"]) for copy in self.variants or ())]

    @property
    def recently_replaced(self) -> list[dict[str, Any]]:
        since = now() - REPLACED_STAY
        return [former for former in self.replaced or () if from_iso(former["at"]) > since]

    @property
    def needed_keys(self) -> list[str]:
        """S3 keys of the current and the recently replaced files."""
        return [*self.s3_keys, *(str(former["s3Key"]) for former in self.recently_replaced)]

    def _copies(self) -> list[dict[str, Any]]:
        """The variants in a format that every browser knows."""
        return [copy for copy in self.variants or () if copy["format"] != WEBP]


def _srcset(copies: list[dict[str, Any]]) -> str:
    ordered = sorted(copies, key=lambda copy: int(copy["width"]))
    return ", ".join(f"{public_address(copy['s3Key'])} {copy['width']}w" for copy in ordered)
