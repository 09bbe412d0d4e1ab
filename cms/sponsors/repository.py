"""Repository of sponsors."""

from django.utils.translation import gettext_lazy as _

from cms.base.repository import NamedRepository, unique_name
from cms.sponsors.models import Sponsor
from core.dynamo.queries import every
from core.dynamo.references import Reference


class SponsorRepository(NamedRepository[Sponsor]):
    model = Sponsor
    entity = "sponsor"
    unique = (unique_name(_("Another sponsor has this name.")),)
    references = (Reference("logo_id", to="media"),)

    def public(self) -> list[Sponsor]:
        """Sponsors that have not expired, by name; DynamoDB may take days to delete expired ones."""
        return [sponsor for sponsor in every(self.by_name) if sponsor.is_shown()]


sponsors = SponsorRepository()
