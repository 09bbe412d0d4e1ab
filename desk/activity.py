"""The content of Home: tasks, unfinished work, and the recent activity in the user's scopes."""

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
from core.club.repository import club_settings
from core.content.status import DRAFT
from core.crud import registry, verbs
from core.crud import todo as waiting
from core.crud.listing import Badge
from core.crud.publication import CHANGED, PublishedResource
from core.crud.record_search import badge_of, may_view
from core.crud.registry import ADMIN, SCOPE_TITLES, scopes_of
from core.crud.todo import Task
from core.dynamo import history, working_copies
from core.dynamo.errors import Text
from core.dynamo.history import HistoryEntry
from core.dynamo.items import Item
from core.dynamo.registry import RecordRef, records_at
from core.dynamo.support_table import RecordSupportItem
from core.dynamo.working_copies import WorkingCopy
from core.people.services import ENTITY as ACCOUNT
from desk.stores.services import ENTITY as STORE

CLUB = club_settings.entity

MOST_SHOWN = 12
# More than MOST_SHOWN, because some entries are hidden from the user or repeat the one before.
MOST_READ = 50
MOST_REQUESTS = 6
# For the session, the user's working copies, a month of activity, and the records of both.
OWN_REQUESTS = 4
# The right to see entries about entities that have no resource.
RIGHTS_WITHOUT_RESOURCE = {
    ACCOUNT: "accounts.user.view",
    STORE: "stores.dashboard.view",
    CLUB: "club.settings.view",
}
NOT_SAVED = Badge("waiting", gettext_lazy("Not saved yet"))

Records = Mapping[RecordRef, Item]


@dataclass(frozen=True)
class ActivityLine:
    sentence: SafeString
    # What kind of record it is about; empty where the sentence says it.
    kind: Text
    at: datetime


@dataclass(frozen=True)
class HomeContent:
    """What Home shows to one user."""

    waiting: Sequence[Task]
    # Whether more tasks are loaded after the page.
    has_later: bool
    unfinished: Sequence[Task]
    happened: Sequence[ActivityLine]


def visible_scopes(user: User) -> list[str]:
    scopes = [scope for scope in scopes_of(user) if scope in SCOPE_TITLES]
    return [*scopes, ADMIN] if user.is_admin else scopes


def home_content(user: User, scopes: Sequence[str], scope: str) -> HomeContent:
    """At most MOST_REQUESTS requests, including the session's and those of the apps' tasks."""
    kept = [
        copy
        for copy in working_copies.last_edited_by(user.sub, limit=MOST_SHOWN).items
        if registry.has_resource(copy.entity)
    ]
    entries, own = _read_activity(user, scopes, scope)
    items = [*kept, *entries, *own]
    records = records_at(
        dict.fromkeys(_record_ref(item) for item in items if item.entity not in RIGHTS_WITHOUT_RESOURCE)
    )
    unfinished = [*_unsaved_copies(user, kept, records), *_unpublished_drafts(user, kept, own, records)]
    listed = {task.address for task in unfinished}
    others = (task for task in waiting.tasks(waiting.at_once(user), user) if task.address not in listed)
    return HomeContent(
        waiting=list(others),
        has_later=bool(waiting.later(user)),
        unfinished=sorted(unfinished, key=lambda task: task.at, reverse=True)[:MOST_SHOWN],
        happened=list(_activity_lines(user, entries, records)),
    )


# --- Unfinished work ---------------------------------------------------------------------------------------


def _unsaved_copies(user: User, kept: Iterable[WorkingCopy], records: Records) -> Iterator[Task]:
    """Working copies that the user was the last to edit, except those whose record is gone."""
    for copy in kept:
        resource, record = registry.resource_for(copy.entity), records.get(_record_ref(copy))
        if record is None:
            is_editable = copy.is_of_new and resource.may(user, "create")
        else:
            is_editable = may_view(user, copy.entity, record) and resource.may(user, "update", record)
        if is_editable:
            is_live = isinstance(resource, PublishedResource) and resource.is_live(record)
            yield _task(copy, badge=CHANGED if is_live else NOT_SAVED)


def _unpublished_drafts(
    user: User, kept: Iterable[WorkingCopy], own: Iterable[HistoryEntry], records: Records
) -> Iterator[Task]:
    """Drafts that the user saved recently."""
    listed = set(map(_record_ref, kept))
    for entry in own:
        ref = _record_ref(entry)
        if ref in listed or ref not in records:
            continue
        listed.add(ref)
        resource, record = registry.resource_for(entry.entity), records[ref]
        if (
            isinstance(resource, PublishedResource)
            and getattr(record, "status", None) == DRAFT
            and resource.may(user, "update", record)
        ):
            yield _task(entry, badge=badge_of(resource, record))


def _task(item: RecordSupportItem, *, badge: Badge | None) -> Task:
    resource = registry.resource_for(item.entity)
    return Task(
        title=item.label or _("Untitled"),
        address=resource.record_address(item.key),
        kind=resource.singular,
        at=item.at,
        badge=badge,
    )


# --- Recent activity ---------------------------------------------------------------------------------------


def _read_activity(
    user: User, scopes: Sequence[str], scope: str
) -> tuple[list[HistoryEntry], list[HistoryEntry]]:
    """The entries of the selected scope, and the user's own entries of their first scope."""
    if not scope:
        return [], []
    spare = MOST_REQUESTS - OWN_REQUESTS - sum(each.requests for each in waiting.at_once(user))
    is_first = scope == scopes[0]
    entries = _latest_entries(user, scope, with_month_before=spare >= (1 if is_first else 2))
    first = entries if is_first or not spare else _latest_entries(user, scopes[0], with_month_before=False)
    return entries, [entry for entry in first if entry.actor == user.sub]


def _latest_entries(user: User, scope: str, *, with_month_before: bool) -> list[HistoryEntry]:
    """The latest entries that the user may see, also of the month before if this one has few."""
    now = timezone.now()
    page = history.activity(scope, now.strftime("%Y-%m"), limit=MOST_READ)
    found = list(_without_repeats(user, page.items))
    if len(found) < MOST_SHOWN and page.next_key is None and with_month_before:
        month_before = now.replace(day=1) - timedelta(days=1)
        older = history.activity(scope, month_before.strftime("%Y-%m"), limit=MOST_READ)
        found += _without_repeats(user, older.items)
    return found[:MOST_SHOWN]


def _without_repeats(user: User, entries: Iterable[HistoryEntry]) -> Iterator[HistoryEntry]:
    """The visible entries; several in a row by the same person about the same record count as one."""
    previous = None
    for entry in entries:
        current = (entry.actor, entry.verb, *_record_ref(entry))
        if current != previous and _is_visible(user, entry):
            yield entry
        previous = current


def _is_visible(user: User, entry: HistoryEntry) -> bool:
    if entry.entity in RIGHTS_WITHOUT_RESOURCE:
        return may(user, RIGHTS_WITHOUT_RESOURCE[entry.entity])
    return registry.has_resource(entry.entity) and registry.resource_for(entry.entity).is_shown_to(user)


def _activity_lines(user: User, entries: Iterable[HistoryEntry], records: Records) -> Iterator[ActivityLine]:
    for entry in entries:
        record, is_special = records.get(_record_ref(entry)), entry.entity in RIGHTS_WITHOUT_RESOURCE
        if is_special or may_view(user, entry.entity, record):
            what = _record_link(entry, exists=record is not None)
            sentence = verbs.sentence(entry.verb, who=entry.actor_name, what=what)
            kind = "" if is_special else registry.resource_for(entry.entity).singular
            yield ActivityLine(sentence, kind, entry.at)


def _record_link(entry: HistoryEntry, *, exists: bool) -> str:
    """The name of a record, as a link if it still exists."""
    name = _("“%s”") % (entry.label or _("Untitled"))
    address = _record_url(entry, exists=exists)
    return format_html('<a class="row-link" href="{}">{}</a>', address, name) if address else name


def _record_url(entry: HistoryEntry, *, exists: bool) -> str:
    if entry.entity == ACCOUNT:
        return reverse("accounts:person", args=[entry.key])
    if entry.entity == CLUB:
        return reverse("club:settings")
    if entry.entity == STORE:
        return reverse(f"stores:{entry.key}")
    return registry.resource_for(entry.entity).record_address(entry.key) if exists else ""


def _record_ref(item: RecordSupportItem) -> RecordRef:
    return item.entity, item.key
