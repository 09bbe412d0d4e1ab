"""Resource of static pages, such as imprint, privacy, statutes."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from cms.base.resource import SluggedResource, newest_first, status_badge
from cms.pages import repository
from cms.pages.forms import PageForm
from cms.pages.models import FRONT, Page
from cms.pages.presenters import page_context, related
from core.accounts.user import User
from core.content.status import STATUSES
from core.crud.cached_urls import address_of
from core.crud.listing import Column, Filter
from core.dynamo.registry import records_at


class PageResource(SluggedResource):
    repository = repository.pages
    form = PageForm
    slug = "pages"
    icon = "info"
    singular = _("page")
    plural = _("Pages")
    new_title = _("New page")
    lead = _("Imprint, privacy policy, statutes and other pages.")
    empty = _("No pages yet. Start with the imprint, which every website needs.")
    columns = (
        Column("title", _("Title")),
        Column("status", _("Status"), kind="badge", value=status_badge),
        Column("slug", _("Address")),
        Column("created_at", _("Created"), kind="time"),
        Column("updated_at", _("Changed"), kind="time"),
    )
    filters = (Filter("status", _("Status"), STATUSES, keep=lambda page, status: page.status == status),)
    titles = {"old_slugs": _("Earlier addresses")}
    orders = newest_first("created_at")
    public_route = "public:page"

    def public_address(self, record: Page) -> str:
        address = super().public_address(record)
        return address_of("public:home") if address and record.slug == FRONT else address

    def preview(self, user: User, record: Page) -> tuple[str, dict[str, Any]]:
        return "cms/pages/page.html#page", page_context(record, records_at(related(record)))


pages = PageResource()
