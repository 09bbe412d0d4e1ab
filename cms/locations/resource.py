"""Resource of locations."""

from collections.abc import Mapping, Sequence
from typing import Unpack

from django.utils.translation import gettext_lazy as _

from cms.locations import repository
from cms.locations.forms import LocationForm
from cms.locations.models import Location
from core.accounts.user import User
from core.crud.listing import Column, Listing, Sort
from core.crud.resource import Resource
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions


class LocationResource(Resource):
    app = "cms"
    repository = repository.locations
    form = LocationForm
    slug = "locations"
    icon = "pin"
    singular = _("location")
    plural = _("Locations")
    lead = _("Where the club trains and plays.")
    empty = _("No locations yet. Enter the first gym; teams then train there.")
    columns = (
        Column("name", _("Name")),
        Column("street", _("Street")),
        Column("postal", _("Postal code")),
        Column("city", _("Town")),
        Column("updated_at", _("Changed"), kind="time"),
    )

    def sorts(self, filters: Mapping[str, str]) -> Sequence[Sort]:
        return Sort("name", _("Name")), Sort("name", _("Name, from Z"), newest_first=True)

    def page(self, listing: Listing, **options: Unpack[PageOptions]) -> Page[Location]:
        return repository.locations.by_name(**options)

    def detail_of(self, user: User, record: Location) -> str:
        return record.address


locations = LocationResource()
