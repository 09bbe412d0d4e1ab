"""Actions on several selected records: one transaction and one result for each record."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.accounts.rights import may_to_some
from core.accounts.user import User
from core.common.http import MOST_DIGITS
from core.content.status import ARCHIVED, DRAFT, PUBLISHED
from core.crud import publication, services
from core.crud.edit_session import Opened
from core.crud.forms import as_posted
from core.crud.publication import PublishedResource
from core.crud.resource import Resource
from core.dynamo import working_copies
from core.dynamo.deadline import request_deadline
from core.dynamo.errors import Conflict, DataError, Invalid, NotFound, Text, Unavailable

MOST_RECORDS = 100
# A hundred transactions take longer than the deadline of a usual request.
SECONDS = 25

Act = Callable[[User, Opened], object]


@dataclass(frozen=True)
class BulkAction:
    """`act` changes one record, which was read with `strong=True`, or raises a DataError with its message."""

    name: str
    title: Text
    icon: str
    # The verb of the right that it needs, such as "update"; `act` checks it again with the record.
    verb: str
    done: Text
    act: Act
    # Deletions are confirmed first, and can be undone.
    is_deletion: bool = False


@dataclass(frozen=True)
class Result:
    """The result for one row; `opened` is None if the record was deleted meanwhile."""

    # "done", "refused", "unknown" or "skipped".
    state: str
    text: Text
    key: str
    opened: Opened | None

    @property
    def label(self) -> str:
        return (self.opened.label or _("Untitled")) if self.opened else _("No longer exists")

    @property
    def address(self) -> str:
        return self.opened.resource.record_address(self.key) if self.opened else ""


def actions_of(resource: Resource) -> Iterator[BulkAction]:
    """The actions of every resource, and those that it declares itself."""
    if isinstance(resource, PublishedResource):
        yield from (PUBLISH, UNPUBLISH, ARCHIVE)
    yield from resource.bulk
    yield DELETE


def possible_for(user: User, resource: Resource) -> list[BulkAction]:
    """The actions that the user may do to some records; the right is checked again for each record."""
    return [action for action in actions_of(resource) if may_to_some(user, resource.right(action.verb))]


def read_selection(values: Iterable[str]) -> dict[str, int]:
    """The version that the list showed of each posted row (`key@version`), without invalid ones."""
    found: dict[str, int] = {}
    for value in values:
        key, _at, version = value.rpartition("@")
        if key and version.isdecimal() and len(version) <= MOST_DIGITS:
            found.setdefault(key, int(version))
    return found


def open_many(user: User, resource: Resource, keys: Collection[str]) -> dict[str, Opened]:
    """The records that the user may view, with their working copies, by strong BatchGets of a hundred."""
    records, waiting = working_copies.records_and_copies(
        resource.repository, keys, have_copies=resource.has_copies
    )
    return {
        key: Opened(resource, key, record, waiting.get(key))
        for key, record in records.items()
        if resource.may(user, "view", record)
    }


def run(user: User, resource: Resource, action: BulkAction, selection: Mapping[str, int]) -> list[Result]:
    """Run the action on one record after the other. After a failure of DynamoDB the rest is skipped."""
    with request_deadline(SECONDS):
        opened = open_many(user, resource, selection)
        results: list[Result] = []
        outcome: tuple[str, Text] = ("", "")
        for key, version in selection.items():
            if outcome[0] in ("unknown", "skipped"):
                outcome = "skipped", _("Not done. Try again in a moment.")
            else:
                outcome = _outcome(user, action, opened.get(key), version)
            results.append(Result(*outcome, key, opened.get(key)))
        return results


def _outcome(user: User, action: BulkAction, opened: Opened | None, version: int) -> tuple[str, Text]:
    try:
        if opened is None:
            raise NotFound
        if opened.record.seen_version != version:
            raise Conflict
        action.act(user, opened)
    except Unavailable:
        return "unknown", _("The database did not respond. Check whether it worked before you try again.")
    except DataError as error:
        return "refused", error.message
    except PermissionDenied:
        return "refused", _("You do not have permission to do this.")
    return "done", action.done


# --- Actions of every resource -------------------------------------------------------------------------


def _delete(user: User, opened: Opened) -> None:
    services.delete(user, opened.resource, opened.record, seen_version=opened.record.seen_version)


def _publish(user: User, opened: Opened) -> None:
    """Publish the working copy if there is one, else the record as it is."""
    resource = cast(PublishedResource, opened.resource)
    if opened.copy is not None:
        fields = _typed_fields(user, opened)
        if resource.offline_until(opened.record, fields):
            raise Invalid(_("Its new date would take it offline. Open it to publish it."))
        publication.publish(user, resource, opened, fields, seen=opened.seen)
    elif resource.is_live(opened.record):
        raise Invalid(_("Already published."))
    else:
        _change_status(user, opened, PUBLISHED)


def _typed_fields(user: User, opened: Opened) -> dict[str, Any]:
    """The cleaned fields of the working copy; raises Invalid unless it is complete for publishing."""
    form = opened.posted_form(as_posted(opened.typed or {}), None, user, is_draft=False)
    if not form.is_valid():
        name, problems = next(iter(form.errors.items()))
        field = form.fields.get(name)
        raise Invalid(f"{field.label}: {problems[0]}" if field else str(problems[0]))
    return opened.resource.prepare(user, opened.record, form.cleaned_data)


def _unpublish(user: User, opened: Opened) -> None:
    if opened.record.status != PUBLISHED:
        raise Invalid(_("Not published."))
    _change_status(user, opened, DRAFT)


def _archive(user: User, opened: Opened) -> None:
    if opened.record.status == ARCHIVED:
        raise Invalid(_("Already archived."))
    _change_status(user, opened, ARCHIVED)


def _change_status(user: User, opened: Opened, status: str) -> None:
    resource, record = cast(PublishedResource, opened.resource), opened.record
    publication.change_status(
        user, resource, record, status, seen_version=record.seen_version, copy=opened.copy
    )


DELETE = BulkAction(
    "delete", gettext_lazy("Delete"), "trash", "delete", gettext_lazy("Deleted"), _delete, is_deletion=True
)
PUBLISH = BulkAction(
    "publish", gettext_lazy("Publish"), "send", "update", gettext_lazy("Published"), _publish
)
UNPUBLISH = BulkAction(
    "unpublish", gettext_lazy("Unpublish"), "undo", "update", gettext_lazy("Unpublished"), _unpublish
)
ARCHIVE = BulkAction(
    "archive", gettext_lazy("Archive"), "archive", "update", gettext_lazy("Archived"), _archive
)
