"""Item of a location, where the club trains or plays."""

from typing import Any

from pynamodb.attributes import UnicodeAttribute

from cms.base.indexes import by_age, by_name
from core.dynamo.items import Item, new_id, table_name
from core.dynamo.search_index import sort_form

LOCATION_COLUMNS = ("name", "street", "postal", "city")


class Location(Item):
    id = UnicodeAttribute(hash_key=True, default_for_new=new_id)
    entity = UnicodeAttribute(default="location")
    name = UnicodeAttribute()
    sort_name = UnicodeAttribute(attr_name="sortName", null=True)
    description = UnicodeAttribute(null=True)
    street = UnicodeAttribute(null=True)
    postal = UnicodeAttribute(null=True)
    city = UnicodeAttribute(null=True)
    by_age = by_age(*LOCATION_COLUMNS)
    by_name = by_name(*LOCATION_COLUMNS)

    class Meta:
        table_name = table_name("vcm-locations", variable="CMS_LOCATIONS_TABLE")

    def derived(self) -> dict[str, Any]:
        return {"entity": "location", "sort_name": sort_form(self.name)}

    @property
    def address(self) -> str:
        """The address on one line, such as "Am Sportplatz 1, 79379 Müllheim"."""
        town = " ".join(filter(None, [self.postal, self.city]))
        return ", ".join(filter(None, [self.street, town]))
