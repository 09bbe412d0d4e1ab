"""Repository of static pages."""

from typing import Unpack

from django.utils.translation import gettext_lazy as _

from cms.base.repository import AddressedRepository, pictures_in, unique_address
from cms.pages.models import Page
from core.dynamo import paging
from core.dynamo.queries import PageOptions


class PageRepository(AddressedRepository[Page]):
    model = Page
    entity = "page"
    scope = "cms"
    label = "title"
    searched = ("title",)
    list_index = "GSI-List"
    unique = (unique_address(_("Another page has this address. Choose another one.")),)
    references = (pictures_in("content"),)

    def by_age(self, **options: Unpack[PageOptions]) -> paging.Page[Page]:
        return self.page("page", index="GSI-List", **options)

    def public(self, **options: Unpack[PageOptions]) -> paging.Page[Page]:
        """Published pages, by creation time."""
        options["keep"] = Page.is_public
        return self.by_age(**options)


pages = PageRepository()
