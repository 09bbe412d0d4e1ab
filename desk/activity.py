"""What the first page tells a person: what to go on with, and what happened in their scopes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.accounts.rights import may
from core.accounts.user import User
from core.content.status import DRAFT
from core.crud import registry, verbs
from core.crud import todo as waiting
from core.crud.listing import Badge
from core.crud.publication import CHANGED, PublishedResource
from core.crud.scopes import ADMIN, TITLES, scopes_of
from core.crud.todo import Task
from core.dynamo import history, working_copies
from core.dynamo.history import HistoryEntry
from core.dynamo.items import Item
from core.dynamo.registry import RecordRef, records_at
from core.dynamo.support_table import RecordSupportItem
from core.dynamo.working_copies import WorkingCopy
from core.people.services import ENTITY as ACCOUNT
from desk.palette import badge_of, may_view
from desk.stores.services import ENTITY as STORE

SHOWN = 12
# Some of what happened in a scope may not be for this person, or is the same thing once more.
LOOKED_THROUGH = 50
MOST_REQUESTS = 6
# The session, the person's working copies, a month of activity, and the records of both.
OWN_REQUESTS = 4
# What is no record of a resource: the right to see it. There is nothing in DynamoDB to ask about it.
ELSEWHERE = {ACCOUNT: "accounts.user.view", STORE: "stores.dashboard.view"}
NOT_SAVED = Badge("waiting", gettext_lazy("Not saved yet"))

Records = Mapping[RecordRef, Item]


@dataclass(frozen=True)
class Happened:
    sentence: SafeString
    at: datetime


@dataclass(frozen=True)
class Desk:
    """What one person finds on the first page."""

    waiting: Sequence[Task]
    # Something else may wait, which is asked for after the page.
    has_later: bool
    unfinished: Sequence[Task]
    happened: Sequence[Happened]


def shown_scopes(user: User) -> list[str]:
    scopes = [scope for scope in scopes_of(user) if scope in TITLES]
    return [*scopes, ADMIN] if user.is_admin else scopes


def desk(user: User, scopes: Sequence[str], scope: str) -> Desk:
    """At most six requests, the session's and those of other apps included."""
    kept = [
        copy
        for copy in working_copies.last_edited_by(user.sub, limit=SHOWN).items
        if registry.has_resource(copy.entity)
    ]
    entries, own = _activity_of(user, scopes, scope)
    deeds = [*kept, *entries, *own]
    records = records_at(dict.fromkeys(_place(deed) for deed in deeds if deed.entity not in ELSEWHERE))
    unfinished = [*_copies(user, kept, records), *_drafts(user, kept, own, records)]
    told = {task.address for task in unfinished}
    others = (task for task in waiting.tasks_at_once(user) if task.address not in told)
    return Desk(
        waiting=list(others),
        has_later=waiting.has_later(user),
        unfinished=sorted(unfinished, key=lambda task: task.at, reverse=True)[:SHOWN],
        happened=list(_happened(user, entries, records)),
    )


# --- What to go on with ------------------------------------------------------------------------------------


def _copies(user: User, kept: Iterable[WorkingCopy], records: Records) -> Iterator[Task]:
    """The copies that the person was the last to edit; a copy that outlived its record is of no use."""
    for copy in kept:
        resource, record = registry.resource_for(copy.entity), records.get(_place(copy))
        if record is None:
            is_editable = not copy.based_on and resource.may(user, "create")
        else:
            is_editable = may_view(user, copy.entity, record) and resource.may(user, "update", record)
        if is_editable:
            is_live = isinstance(resource, PublishedResource) and resource.is_live(record)
            yield _task(copy, badge=CHANGED if is_live else NOT_SAVED)


def _drafts(
    user: User, kept: Iterable[WorkingCopy], own: Iterable[HistoryEntry], records: Records
) -> Iterator[Task]:
    """What the person saved lately and nobody has published."""
    told = set(map(_place, kept))
    for entry in own:
        place = _place(entry)
        if place in told or place not in records:
            continue
        told.add(place)
        resource, record = registry.resource_for(entry.entity), records[place]
        if (
            isinstance(resource, PublishedResource)
            and getattr(record, "status", None) == DRAFT
            and resource.may(user, "update", record)
        ):
            yield _task(entry, badge=badge_of(resource, record))


def _task(deed: RecordSupportItem, *, badge: Badge | None) -> Task:
    resource = registry.resource_for(deed.entity)
    return Task(
        title=deed.label or _("Untitled"),
        address=resource.record_address(deed.key),
        kind=resource.singular,
        at=deed.at,
        badge=badge,
    )


# --- What happened -----------------------------------------------------------------------------------------


def _activity_of(
    user: User, scopes: Sequence[str], scope: str
) -> tuple[list[HistoryEntry], list[HistoryEntry]]:
    """What happened in the scope that is shown, and what the person did in the first one, whichever it is."""
    if not scope:
        return [], []
    spare = MOST_REQUESTS - OWN_REQUESTS - waiting.requests_at_once(user)
    is_first = scope == scopes[0]
    entries = _activity(user, scope, with_month_before=spare >= (1 if is_first else 2))
    first = entries if is_first or not spare else _activity(user, scopes[0], with_month_before=False)
    return entries, [entry for entry in first if entry.actor == user.sub]


def _activity(user: User, scope: str, *, with_month_before: bool) -> list[HistoryEntry]:
    """The latest entries about what the person may see; at the turn of a month, of the last one too."""
    now = timezone.now()
    page = history.activity(scope, now.strftime("%Y-%m"), limit=LOOKED_THROUGH)
    found = list(_worth_showing(user, page.items))
    if len(found) < SHOWN and page.next_key is None and with_month_before:
        month_before = now.replace(day=1) - timedelta(days=1)
        older = history.activity(scope, month_before.strftime("%Y-%m"), limit=LOOKED_THROUGH)
        found += _worth_showing(user, older.items)
    return found[:SHOWN]


def _worth_showing(user: User, entries: Iterable[HistoryEntry]) -> Iterator[HistoryEntry]:
    """Somebody who saves five times in a row has changed the record once."""
    before = None
    for entry in entries:
        deed = (entry.actor, entry.verb, *_place(entry))
        if deed != before and _concerns(user, entry):
            yield entry
        before = deed


def _concerns(user: User, entry: HistoryEntry) -> bool:
    if entry.entity in ELSEWHERE:
        return may(user, ELSEWHERE[entry.entity])
    return registry.has_resource(entry.entity) and registry.resource_for(entry.entity).is_shown_to(user)


def _happened(user: User, entries: Iterable[HistoryEntry], records: Records) -> Iterator[Happened]:
    for entry in entries:
        record = records.get(_place(entry))
        if entry.entity in ELSEWHERE or may_view(user, entry.entity, record):
            what = _named(entry, exists=record is not None)
            yield Happened(verbs.sentence(entry.verb, who=entry.actor_name, what=what), entry.at)


def _named(entry: HistoryEntry, *, exists: bool) -> str:
    """The kind of record, which a name alone does not tell, and its name, as a link where that leads on."""
    name = _("“%s”") % (entry.label or _("Untitled"))
    address = _address(entry, exists=exists)
    linked = format_html('<a class="row-link" href="{}">{}</a>', address, name) if address else name
    if entry.entity in ELSEWHERE:
        return linked
    kind = registry.resource_for(entry.entity).singular
    return format_html(_("the {kind} {name}"), kind=kind, name=linked)


def _address(entry: HistoryEntry, *, exists: bool) -> str:
    if entry.entity == ACCOUNT:
        return reverse("accounts:person", args=[entry.key])
    if entry.entity == STORE:
        return reverse(f"stores:{entry.key}")
    return registry.resource_for(entry.entity).record_address(entry.key) if exists else ""


def _place(deed: RecordSupportItem) -> RecordRef:
    return deed.entity, deed.key
