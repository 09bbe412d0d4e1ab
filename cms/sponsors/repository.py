"""Repository of sponsors."""

from typing import Unpack

from django.utils.translation import gettext_lazy as _

from cms.base.repository import NamedRepository, unique_name
from cms.sponsors.models import Sponsor
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions, both, every
from core.dynamo.references import Reference


class SponsorRepository(NamedRepository[Sponsor]):
    model = Sponsor
    entity = "sponsor"
    adopts = True
    unique = (unique_name(_("Another sponsor already has this name.")),)
    references = (Reference("logo_id", to="media"),)

    def shown(self, **options: Unpack[PageOptions]) -> Page[Sponsor]:
        """Sponsors that have not expired, by name; DynamoDB may take days to delete expired ones."""
        options["keep"] = both(Sponsor.is_shown, options.get("keep"))
        return self.by_name(**options)

    def public(self) -> list[Sponsor]:
        """All of these."""
        return every(self.shown)


sponsors = SponsorRepository()
