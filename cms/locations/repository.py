"""Repository of locations."""

from typing import Unpack

from cms.locations.models import Location
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions
from core.dynamo.repository import Repository


class LocationRepository(Repository[Location]):
    model = Location
    entity = "location"
    scope = "cms"
    label = "name"
    searched = ("name", "street", "city")
    list_index = "GSI-Name"

    def by_age(self, **options: Unpack[PageOptions]) -> Page[Location]:
        return self.page("location", index="GSI-List", **options)

    def by_name(self, **options: Unpack[PageOptions]) -> Page[Location]:
        return self.page("location", index="GSI-Name", **options)


locations = LocationRepository()
