"""Item of a static page, such as imprint, privacy, statutes."""

from typing import Any

from pynamodb.attributes import UnicodeAttribute

from cms.base.indexes import by_age, by_slug
from cms.base.models import AddressedItem
from core.content.richtext import media_ids
from core.dynamo.attributes import JSONListAttribute, JSONMapAttribute
from core.dynamo.items import new_id, table_name

PAGE_COLUMNS = ("title", "slug", "status")

# Slugs that the footer of the website links to.
IMPRINT, PRIVACY = "impressum", "datenschutz"
# Slug of the page whose text is the intro of the home page.
FRONT = "home"


class Page(AddressedItem):
    id = UnicodeAttribute(hash_key=True, default_for_new=new_id)
    entity = UnicodeAttribute(default="page")
    title = UnicodeAttribute()
    content = JSONMapAttribute(null=True)
    # Projected into GSI-Slug, so that one batch read gets the page and the pictures of its text.
    text_image_ids = JSONListAttribute(attr_name="textImageIds", default_for_new=list)
    by_age = by_age(*PAGE_COLUMNS)
    by_slug = by_slug(*PAGE_COLUMNS, "textImageIds")

    class Meta:
        table_name = table_name("vcm-pages", variable="CMS_PAGES_TABLE")

    def derived(self) -> dict[str, Any]:
        return super().derived() | {"entity": "page", "text_image_ids": media_ids(self.content)}
