"""Repository of static pages."""

from typing import Unpack

from django.utils.translation import gettext_lazy as _

from cms.base.repository import AgedRepository, SluggedRepository, pictures_in, unique_address
from cms.pages.models import Page
from core.dynamo import paging
from core.dynamo.queries import PageOptions


class PageRepository(SluggedRepository[Page], AgedRepository[Page]):
    model = Page
    entity = "page"
    label = "title"
    searched = ("title",)
    list_index = "GSI-List"
    unique = (unique_address(_("Another page already uses this address. Choose another one.")),)
    references = (pictures_in("content"),)

    def public(self, **options: Unpack[PageOptions]) -> paging.Page[Page]:
        """Published pages, by creation time."""
        options["keep"] = Page.is_public
        return self.by_age(**options)


pages = PageRepository()
