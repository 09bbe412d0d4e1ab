"""Resource of static pages, such as imprint, privacy, statutes."""

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from cms.base.resource import AddressedResource
from cms.pages import repository
from cms.pages.forms import PageForm
from cms.pages.models import FRONT, Page
from cms.pages.presenters import page_context
from cms.pages.queries import page_content
from cms.pages.rules import prepare
from core.accounts.user import User
from core.content.status import STATUSES
from core.crud.listing import Badge, Column, Filter, Listing, Sort
from core.dynamo import paging
from core.dynamo.queries import PageOptions


def state_badge(page: Page) -> Badge:
    return Badge(page.status, dict(STATUSES).get(page.status, page.status))


class PageResource(AddressedResource):
    app = "cms"
    repository = repository.pages
    form = PageForm
    slug = "pages"
    icon = "info"
    singular = _("page")
    plural = _("Pages")
    lead = _("What every website needs: imprint, privacy, statutes.")
    empty = _("No pages yet. Begin with the imprint, which every website needs.")
    columns = (
        Column("title", _("Title")),
        Column("status", _("Status"), kind="badge", value=state_badge),
        Column("slug", _("Address")),
        Column("created_at", _("Created"), kind="time"),
        Column("updated_at", _("Changed"), kind="time"),
    )
    filters = (Filter("status", _("Status"), STATUSES, keep=lambda page, status: page.status == status),)
    titles = {"old_slugs": _("Earlier addresses")}

    def sorts(self, filters: Mapping[str, str]) -> Sequence[Sort]:
        return (
            Sort("created_at", _("Newest first"), newest_first=True),
            Sort("created_at", _("Oldest first")),
        )

    def page(self, listing: Listing, **options: Unpack[PageOptions]) -> paging.Page[Page]:
        return repository.pages.by_age(**options)

    def public_address(self, record: Page) -> str:
        # A record of another program may lack its slug.
        if not record.slug or not record.is_public():
            return ""
        return reverse("public:home") if record.slug == FRONT else reverse("public:page", args=[record.slug])

    def preview(self, user: User, record: Page) -> tuple[str, dict[str, Any]]:
        return "cms/pages/page.html#page", page_context(page_content(record))

    def prepare(self, user: User, record: Page | None, values: Mapping[str, Any]) -> dict[str, Any]:
        return prepare(user, record, values)


pages = PageResource()
