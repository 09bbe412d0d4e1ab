"""The records that refer to a record."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from core.accounts.user import User
from core.crud.registry import has_resource, resource_for
from core.crud.resource import Resource
from core.dynamo import references
from core.dynamo.registry import records_at


@dataclass(frozen=True)
class Use:
    """A record that uses another one; one that the person may not see is not named."""

    label: str = ""
    kind: str = ""
    address: str = ""


def uses_of(user: User, resource: Resource, key: str) -> list[Use]:
    return list(_uses(user, resource, key))


def _uses(user: User, resource: Resource, key: str) -> Iterator[Use]:
    """Each record once; their labels are read by one BatchGet."""
    rows = references.used_in(resource.entity, key).items
    places = list(dict.fromkeys((row.entity, row.key) for row in rows if has_resource(row.entity)))
    found = records_at(places)
    for entity, other_key in places:
        other, record = resource_for(entity), found.get((entity, other_key))
        if record is None or not other.may(user, "view", record):
            yield Use()
            continue
        label = other.repository.label_of(record) or _("Untitled")
        yield Use(label, str(other.singular), other.record_address(other_key))
