"""Records with a status. What readers see of them changes only when somebody publishes."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _
from pynamodb.attributes import UnicodeAttribute

from accounts.user import User
from crud import services
from crud.listing import Badge
from crud.opening import Opened, Seen
from crud.resource import Resource
from dynamo.errors import Text
from dynamo.idempotency import Once
from dynamo.items import Item

DRAFT, PUBLISHED, ARCHIVED = "draft", "published", "archived"
STATUSES: list[tuple[str, Text]] = [
    (DRAFT, _("Draft")),
    (PUBLISHED, _("Published")),
    (ARCHIVED, _("Archived")),
]
CHANGED = Badge("changed", _("Changed"))


class PublishableItem(Item):
    status = UnicodeAttribute(default=DRAFT)


class PublishedResource(Resource):
    """A resource whose records are published. Saving a published record keeps a working copy."""

    has_copies: ClassVar[bool] = True

    def is_live(self, record: Any) -> bool:
        """Whether changes must wait in the working copy until they are published."""
        return bool(record is not None and record.status == PUBLISHED)

    def state(self, record: Any) -> Badge:
        """The status as people should read it."""
        return Badge(record.status, dict(STATUSES)[record.status])

    def fields_to_publish(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """What publishing sets beside the status."""
        return {}

    def told_published(self, record: Any) -> Text:
        """What is said after publishing; a date in the future is worth a word."""
        return _("Published.")

    def preview(self, record: Any) -> tuple[str, dict[str, Any]]:
        """The template that readers get this record from, and its context."""
        raise NotImplementedError


def publish(
    user: User,
    resource: PublishedResource,
    opened: Opened,
    fields: Mapping[str, Any],
    *,
    seen: Seen,
    once: Once | None = None,
) -> Item:
    """Make the fields, which were checked as a whole, what readers see."""
    complete = {**fields, **resource.fields_to_publish(fields), "status": PUBLISHED}
    return services.write(user, opened, complete, seen=seen, verb="publish", once=once)


def change_status(user: User, resource: Resource, record: Item, status: str, *, seen_version: int) -> Item:
    """Unpublish or archive; the working copy stays."""
    verb = {DRAFT: "unpublish", ARCHIVED: "archive"}[status]
    resource.ensure(user, "update", record)
    changed: Item = resource.repository.update(
        record, {"status": status}, actor=user.actor, verb=verb, seen_version=seen_version
    )
    return changed
