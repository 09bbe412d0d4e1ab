"""Resources of content: lists by name and by time, records with a slug."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _

from cms.base.forms import SluggedForm
from cms.base.models import SluggedItem
from cms.base.repository import SluggedRepository
from cms.base.rules import slug_for
from core.accounts.rights import is_author
from core.accounts.user import User
from core.content.slugs import is_made_from
from core.content.status import STATUSES
from core.crud.cached_urls import address_of
from core.crud.listing import Badge, Filter, Sort
from core.crud.publication import PublishedResource
from core.crud.resource import Resource
from core.dynamo.errors import AlreadyExists, Text
from core.dynamo.items import Item

BY_NAME = (Sort("name", _("Name")), Sort("name", _("Name (Z to A)"), newest_first=True))


def newest_first(column: str) -> tuple[Sort, Sort]:
    return (Sort(column, _("Newest first"), newest_first=True), Sort(column, _("Oldest first")))


def earliest_first(column: str) -> tuple[Sort, Sort]:
    return (Sort(column, _("Earliest first")), Sort(column, _("Latest first"), newest_first=True))


def status_badge(record: SluggedItem) -> Badge:
    return Badge(record.status, dict(STATUSES).get(record.status, record.status))


def mine(name: str, title: Text, is_own: Callable[[User, Any], bool]) -> Filter:
    """A filter of the user's own records."""
    own = (("me", _("Me")),)
    return Filter(name, title, own, keep_for=lambda user, record, _me: is_own(user, record))


BY_ME = mine("author", _("Author"), is_author)


class NamedResource(Resource):
    app = "cms"
    orders: ClassVar[Sequence[Sort]] = BY_NAME


class SluggedResource(PublishedResource):
    app = "cms"
    repository: ClassVar[SluggedRepository[Any]]
    form: ClassVar[type[SluggedForm]]
    # The route of its public page.
    public_route: ClassVar[str]

    def public_address(self, record: Any) -> str:
        # A record of another program may lack its slug.
        return address_of(self.public_route, record.slug) if record.slug and record.is_public() else ""

    def prepare(self, user: User, record: Any, values: Mapping[str, Any]) -> dict[str, Any]:
        title = values[self.form.named_by] or ""
        return {**values, "slug": values["slug"] or slug_for(title, record, make=self.form.make_slug)}

    def on_duplicate(self, fields: Mapping[str, Any], refused: AlreadyExists) -> Mapping[str, Any] | None:
        """Number a slug that was made from the title; None for a chosen one, which the person must change."""
        title, make = fields[self.form.named_by] or "", self.form.make_slug
        if refused.field != "slug" or not is_made_from(title, fields["slug"], make=make):
            return None
        return {**fields, "slug": self.repository.next_free(make(title))}

    def copied(self, record: Item) -> dict[str, Any]:
        return super().copied(record) | {"slug": ""}


class AuthoredResource(SluggedResource):
    """Records with authors: by default the person who writes."""

    def initial(self, user: User) -> dict[str, Any]:
        return {"author_ids": [user.sub]}

    def prepare(self, user: User, record: Any, values: Mapping[str, Any]) -> dict[str, Any]:
        fields = super().prepare(user, record, values)
        if record is not None and not record.author_ids:
            # From another program, which does not store who wrote it.
            return fields
        return fields | {"author_ids": fields["author_ids"] or [user.sub]}

    def copied(self, record: Item) -> dict[str, Any]:
        return super().copied(record) | {"author_ids": []}
