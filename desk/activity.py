"""The recent activity of people in the user's scopes, what one person did in one go as one line."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.accounts.rights import may
from core.accounts.user import User, initials_of
from core.club.repository import club_settings
from core.crud import registry, verbs
from core.crud.home import MOST_REQUESTS
from core.crud.record_search import may_view
from core.crud.registry import ACTIVITY_SCOPES, ADMIN, scopes_of
from core.dynamo import deadline, history
from core.dynamo.actors import SYSTEM
from core.dynamo.errors import Text
from core.dynamo.history import HistoryEntry
from core.dynamo.items import Item
from core.dynamo.registry import RecordRef, records_at
from core.people.services import ENTITY as ACCOUNT
from desk.stores.services import ENTITY as STORE

CLUB = club_settings.entity
MOST_SHOWN = 8
# Of a scope and a month: more than MOST_SHOWN, because many entries are about the same or are hidden.
MOST_READ = 60
# The names in one line, and of how many records of a line the right to see them is checked one by one.
MOST_NAMED = 2
MOST_CHECKED = 8
# The right to see entries about entities that have no resource.
RIGHTS_WITHOUT_RESOURCE = {
    ACCOUNT: "accounts.user.view",
    STORE: "stores.dashboard.view",
    CLUB: "club.settings.view",
}
# Of several changes of a record by a person on a day, any other verb says more than these.
WEAK_VERBS = ("update", "create")

Records = Mapping[RecordRef, Item]


@dataclass
class Group:
    """The entries of one line: the same person, day, verb and kind of record; the newest first."""

    entries: list[HistoryEntry] = field(default_factory=list)


@dataclass(frozen=True)
class ActivityLine:
    sentence: SafeString
    initials: str
    # What kind of records it is about; empty where the sentence says it.
    kind: Text
    at: datetime


def visible_scopes(user: User) -> list[str]:
    scopes = [scope for scope in scopes_of(user) if scope in ACTIVITY_SCOPES]
    return [*scopes, ADMIN] if user.is_admin else scopes


def recent_activity(user: User) -> list[ActivityLine]:
    """What people did lately, the newest first; without what the system did: imports, examples, expiry.

    Requests: the entries of each scope of this month, then of the month before as far as the budget of Home
    goes; the records that they are about.
    """
    entries = [entry for entry in _read(user) if entry.actor != SYSTEM.sub and _is_visible(user, entry)]
    entries.sort(key=lambda entry: entry.at, reverse=True)
    groups = list(_grouped(entries))[:MOST_SHOWN]
    records = records_at(
        dict.fromkeys(
            _record_ref(entry)
            for group in groups
            for entry in group.entries[:MOST_CHECKED]
            if entry.entity not in RIGHTS_WITHOUT_RESOURCE
        )
    )
    return list(_lines(user, groups, records))


def _read(user: User) -> Iterator[HistoryEntry]:
    now, scopes = timezone.now(), visible_scopes(user)
    found = 0
    for scope in scopes:
        page = history.activity(scope, now.strftime("%Y-%m"), limit=MOST_READ)
        found += len(page.items)
        yield from page.items
    month_before = (now.replace(day=1) - timedelta(days=1)).strftime("%Y-%m")
    for scope in scopes:
        # One request is left for the records.
        if found < MOST_READ and deadline.requests_sent() < MOST_REQUESTS - 1:
            yield from history.activity(scope, month_before, limit=MOST_READ).items


def _is_visible(user: User, entry: HistoryEntry) -> bool:
    if entry.entity in RIGHTS_WITHOUT_RESOURCE:
        return may(user, RIGHTS_WITHOUT_RESOURCE[entry.entity])
    return registry.has_resource(entry.entity) and registry.resource_for(entry.entity).is_shown_to(user)


# --- Grouping ----------------------------------------------------------------------------------------------


def _grouped(entries: Sequence[HistoryEntry]) -> Iterator[Group]:
    """Groups by their newest entry. Each record is in one group of a person and a day only."""
    groups: dict[tuple[str, date, str, str], Group] = {}
    for entry in _telling(entries):
        key = (entry.actor, _day(entry), entry.verb, entry.entity)
        groups.setdefault(key, Group()).entries.append(entry)
    yield from groups.values()


def _telling(entries: Sequence[HistoryEntry]) -> Iterable[HistoryEntry]:
    """Of each record, person and day the newest entry that says most."""
    found: dict[tuple[str, date, RecordRef], HistoryEntry] = {}
    for entry in entries:
        key = (entry.actor, _day(entry), _record_ref(entry))
        if key not in found or _strength(entry) > _strength(found[key]):
            found[key] = entry
    return sorted(found.values(), key=lambda entry: entry.at, reverse=True)


def _strength(entry: HistoryEntry) -> int:
    return WEAK_VERBS.index(entry.verb) if entry.verb in WEAK_VERBS else len(WEAK_VERBS)


def _day(entry: HistoryEntry) -> date:
    return timezone.localdate(entry.at)


# --- Lines -------------------------------------------------------------------------------------------------


def _lines(user: User, groups: Iterable[Group], records: Records) -> Iterator[ActivityLine]:
    for group in groups:
        shown = [
            entry
            for entry in group.entries[:MOST_CHECKED]
            if entry.entity in RIGHTS_WITHOUT_RESOURCE
            or may_view(user, entry.entity, records.get(_record_ref(entry)))
        ]
        if shown:
            newest = shown[0]
            count = len(shown) + (len(group.entries[MOST_CHECKED:]) if _sees_all(user, newest.entity) else 0)
            names = [_named(entry, exists=_record_ref(entry) in records) for entry in shown[:MOST_NAMED]]
            who = format_html("<strong>{}</strong>", newest.actor_name)
            sentence = verbs.sentence(newest.verb, who=who, what=_enumerated(names, count - len(names)))
            kind = _kind(newest.entity, is_plural=count > 1)
            yield ActivityLine(sentence, initials_of(newest.actor_name), kind, newest.at)


def _sees_all(user: User, entity: str) -> bool:
    """Whether the user may view all records of a kind; those who may not are not told how many others."""
    return entity in RIGHTS_WITHOUT_RESOURCE or registry.resource_for(entity).may(user, "view")


def _enumerated(names: Sequence[str], others: int) -> str:
    """One or two names as part of a sentence, and how many others there are."""
    if others:
        text = ngettext("{names} and {count} other", "{names} and {count} others", others)
        return format_html(text, names=format_html(", ".join(["{}"] * len(names)), *names), count=others)
    if len(names) == 1:
        return names[0]
    return format_html(_("{first} and {second}"), first=names[0], second=names[1])


def _kind(entity: str, *, is_plural: bool) -> Text:
    if entity in RIGHTS_WITHOUT_RESOURCE:
        return ""
    resource = registry.resource_for(entity)
    return resource.plural if is_plural else resource.singular


def _named(entry: HistoryEntry, *, exists: bool) -> str:
    """The name of a record, as a link if it still exists."""
    name = _("“%s”") % (entry.label or _("Untitled"))
    address = _record_url(entry, exists=exists)
    return format_html('<a href="{}">{}</a>', address, name) if address else name


def _record_url(entry: HistoryEntry, *, exists: bool) -> str:
    if entry.entity == ACCOUNT:
        return reverse("accounts:person", args=[entry.key])
    if entry.entity == CLUB:
        return reverse("club:settings")
    if entry.entity == STORE:
        return reverse(f"stores:{entry.key}")
    return registry.resource_for(entry.entity).record_address(entry.key) if exists else ""


def _record_ref(entry: HistoryEntry) -> RecordRef:
    return entry.entity, entry.key
