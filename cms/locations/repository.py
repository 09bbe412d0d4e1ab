"""Repository of locations."""

from cms.base.repository import NamedRepository
from cms.locations.models import Location


class LocationRepository(NamedRepository[Location]):
    model = Location
    entity = "location"
    adopts = True
    searched = ("name", "street", "city")


locations = LocationRepository()
