"""Views that save and remove a saved view of a list."""

from urllib.parse import urlencode

from django.utils.translation import gettext as _

from core.crud import saved_views
from core.crud.form_page import ActionPage
from core.crud.resource import Resource
from core.crud.rows import listing_from
from core.dynamo.errors import Invalid, TooLarge


class SavedViewAction(ActionPage):
    """Leads back to the list as it was shown."""

    toast_errors = (Invalid, TooLarge)

    def load(self) -> None:
        self.resource: Resource = self.kwargs["resource"]
        self.listing = listing_from(self.resource, self.request.POST)
        self.name = self.request.POST.get("name", "")

    def success_url(self) -> str:
        return f"{self.resource.list_address}?{urlencode(self.listing.query)}"


class Save(SavedViewAction):
    def save(self) -> None:
        user, listing = self.request.user, self.listing
        self.name = saved_views.save(self.request, user, self.resource, self.name, listing)

    def message(self) -> str:
        return _("View saved as “%(name)s”.") % {"name": self.name}


class Forget(SavedViewAction):
    def save(self) -> None:
        saved_views.forget(self.request, self.request.user, self.resource, self.name)

    def message(self) -> str:
        return _("View “%(name)s” removed.") % {"name": self.name}
