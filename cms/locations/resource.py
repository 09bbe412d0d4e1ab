"""Resource of locations."""

from django.utils.translation import gettext_lazy as _

from cms.base.resource import NamedResource
from cms.locations import repository
from cms.locations.forms import LocationForm
from cms.locations.models import Location
from core.accounts.user import User
from core.crud.listing import Column


class LocationResource(NamedResource):
    repository = repository.locations
    form = LocationForm
    slug = "locations"
    icon = "pin"
    singular = _("location")
    plural = _("Locations")
    new_title = _("New location")
    lead = _("Where the club trains and plays.")
    empty = _("No locations yet. Add the first gym so that teams can train there.")
    columns = (
        Column("name", _("Name")),
        Column("street", _("Street")),
        Column("postal", _("Postal code")),
        Column("city", _("Town")),
        Column("updated_at", _("Changed"), kind="time"),
    )

    def detail_of(self, user: User, record: Location) -> str:
        return record.address


locations = LocationResource()
