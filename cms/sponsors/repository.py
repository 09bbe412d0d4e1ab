"""Repository of sponsors."""

from typing import Unpack

from django.utils.translation import gettext_lazy as _

from cms.sponsors.models import Sponsor
from core.dynamo.guards import Unique
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions, every
from core.dynamo.references import Reference
from core.dynamo.repository import Repository
from core.dynamo.search_index import sort_form


class SponsorRepository(Repository[Sponsor]):
    model = Sponsor
    entity = "sponsor"
    scope = "cms"
    label = "name"
    searched = ("name",)
    list_index = "GSI-Name"
    unique = (
        Unique(
            "name", value=lambda sponsor: sort_form(sponsor.name), message=_("Another sponsor has this name.")
        ),
    )
    references = (Reference("logo_id", to="media"),)

    def by_age(self, **options: Unpack[PageOptions]) -> Page[Sponsor]:
        return self.page("sponsor", index="GSI-List", **options)

    def by_name(self, **options: Unpack[PageOptions]) -> Page[Sponsor]:
        return self.page("sponsor", index="GSI-Name", **options)

    def public(self) -> list[Sponsor]:
        """Sponsors that have not expired, by name; DynamoDB may take days to delete expired ones."""
        return [sponsor for sponsor in every(self.by_name) if sponsor.is_shown()]


sponsors = SponsorRepository()
