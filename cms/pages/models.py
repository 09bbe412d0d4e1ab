"""Item of a static page, such as imprint, privacy, statutes."""

from pynamodb.attributes import UnicodeAttribute

from cms.base.indexes import by_age, listing
from cms.base.models import PicturedItem
from core.dynamo.attributes import JSONMapAttribute
from core.dynamo.items import table_name

PAGE_COLUMNS = ("title", "slug", "status")

# Slug of the page whose text is the intro of the home page.
FRONT = "home"
# That of the page which says who is responsible for the website.
IMPRINT = "impressum"


class Page(PicturedItem):
    entity = UnicodeAttribute(default="page")
    title = UnicodeAttribute()
    content = JSONMapAttribute(null=True)
    by_age = by_age(*PAGE_COLUMNS)
    by_slug = listing("GSI-Slug", "slug", None, *PAGE_COLUMNS, "textImageIds")

    class Meta:
        table_name = table_name("vcm-pages", variable="CMS_PAGES_TABLE")
