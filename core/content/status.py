"""The statuses of published content."""

from django.utils.translation import gettext_lazy as _
from pynamodb.attributes import UnicodeAttribute

from core.dynamo.errors import Text
from core.dynamo.items import Item

DRAFT, PUBLISHED, ARCHIVED = "draft", "published", "archived"
STATUSES: list[tuple[str, Text]] = [
    (DRAFT, _("Draft")),
    (PUBLISHED, _("Published")),
    (ARCHIVED, _("Archived")),
]
VERBS = {DRAFT: "unpublish", PUBLISHED: "publish", ARCHIVED: "archive"}


class PublishableItem(Item):
    status = UnicodeAttribute(default=DRAFT)
