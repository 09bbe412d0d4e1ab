"""Item of a location, where the club trains or plays."""

from pynamodb.attributes import UnicodeAttribute

from cms.base.indexes import by_name
from cms.base.models import NamedItem
from core.dynamo.items import table_name

LOCATION_COLUMNS = ("name", "street", "postal", "city")


class Location(NamedItem):
    entity = UnicodeAttribute(default="location")
    description = UnicodeAttribute(null=True)
    street = UnicodeAttribute(null=True)
    postal = UnicodeAttribute(null=True)
    city = UnicodeAttribute(null=True)
    by_name = by_name(*LOCATION_COLUMNS)

    class Meta:
        table_name = table_name("vcm-locations", variable="CMS_LOCATIONS_TABLE")
        stream_view_type = "NEW_AND_OLD_IMAGES"

    @property
    def address(self) -> str:
        """The address on one line, such as "Am Sportplatz 1, 79379 Müllheim"."""
        town = " ".join(filter(None, [self.postal, self.city]))
        return ", ".join(filter(None, [self.street, town]))
