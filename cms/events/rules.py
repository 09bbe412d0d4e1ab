"""Defaults for the fields of an event: its authors and slug."""

from collections.abc import Mapping
from typing import Any

from cms.base.rules import slug_for
from cms.events.models import Event
from core.accounts.user import User


def prepare(user: User, event: Event | None, values: Mapping[str, Any]) -> dict[str, Any]:
    """The fields to store for valid values, with defaults for those left empty."""
    fields = dict(values)
    fields["author_ids"] = fields["author_ids"] or [user.sub]
    fields["variant"] = fields["variant"] or None
    fields["slug"] = fields["slug"] or slug_for(fields["title"] or "", event)
    return fields
