"""Changes of the stores by administrators. Each checks the right and writes the history.

The store is changed first: if the history cannot be written, the message says so.
"""

from typing import NamedTuple

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.accounts.rights import may
from core.accounts.user import User
from core.common.logs import events
from core.dynamo import history, transactions
from core.dynamo.attributes import now
from core.dynamo.errors import DataError, NotFound
from core.stores.cache import CacheStore
from core.stores.cache.store import KIND as CACHE
from core.stores.cache.store import is_value
from core.stores.dedupe import DedupeStore
from core.stores.http.client import CLIENTS, Outbound
from core.stores.limits import LIMITERS, Limiter
from core.stores.table import StoreTable

ENTITY = "store"
SCOPE = "admin"
UPDATE = "stores.dashboard.update"
# The most that one request has time for; `manage.py stores clear` has no limit.
MOST_CLEARED = 1000
LONGEST_LABEL = 60


class ChangedStore(NamedTuple):
    """The message, and whether the history was written."""

    text: str
    is_recorded: bool


def may_change(actor: User) -> bool:
    return may(actor, UPDATE) and not settings.STORES_DASHBOARD_READ_ONLY


def ensure_may_change(actor: User) -> None:
    if not may_change(actor):
        raise PermissionDenied


def delete_value(actor: User, hash: str) -> ChangedStore:
    ensure_may_change(actor)
    if not CacheStore().delete(hash):
        raise NotFound
    return _done(actor, "cache", "cache_delete", hash, _("Value removed from the cache."))


def clear_cache(actor: User) -> ChangedStore:
    """Delete at most MOST_CLEARED cached values, those that expire first."""
    ensure_may_change(actor)
    table = StoreTable(None, store="cache")
    listed, _more = table.listed(CACHE, limit=MOST_CLEARED)
    table.delete_many({"PK": item["PK"], "SK": item["SK"]} for item in listed)
    removed = sum(map(is_value, listed))
    text = ngettext("%d value removed.", "%d values removed.", removed) % removed
    if len(listed) == MOST_CLEARED:
        text += " " + _("There may be more. Clear the cache again to remove them too.")
    return _done(actor, "cache", "cache_clear", ngettext("%d value", "%d values", removed) % removed, text)


def release_job(actor: User, hash: str, job_id: str) -> ChangedStore:
    """Fail a job whose owner hangs: waiting processes get the error, and the next request starts it again."""
    ensure_may_change(actor)
    reason = RuntimeError(_("An administrator released this job."))
    DedupeStore().fail(hash, reason, job_id=job_id)
    return _done(actor, "dedupe", "dedupe_release", hash, _("Job released."))


def reset_limit(actor: User, name: str, key: str) -> ChangedStore:
    ensure_may_change(actor)
    limiter = limiter_of(name)
    limiter.reset(key)
    # The history does not name the key of the limit, which may be a person.
    return _done(actor, "limits", "limit_reset", str(limiter.about), _("Limit reset."))


def recalculate(actor: User, name: str) -> ChangedStore:
    ensure_may_change(actor)
    client_of(name).limits.recalculate(name)
    return _done(actor, "adaptive", "adaptive_recalculate", name, _("Shares recalculated."))


def reset_client(actor: User, name: str) -> ChangedStore:
    ensure_may_change(actor)
    client_of(name).limits.reset(name)
    return _done(actor, "adaptive", "adaptive_reset", name, _("Limit reset."))


def limiter_of(name: str) -> Limiter:
    if name not in LIMITERS:
        raise NotFound
    return LIMITERS[name]


def client_of(name: str) -> Outbound:
    if name not in CLIENTS:
        raise NotFound
    return CLIENTS[name]


def _done(actor: User, key: str, verb: str, label: str, text: str) -> ChangedStore:
    """Write the history entry; the message says if that failed."""
    entry = history.entry(
        entity=ENTITY,
        key=key,
        scope=SCOPE,
        label=label if len(label) <= LONGEST_LABEL else f"{label[:LONGEST_LABEL]}…",
        verb=verb,
        actor=actor.actor,
        at=now(),
        fields=[],
        before={},
    )
    try:
        transactions.send(entry)
    except DataError:
        events.error("history_not_written", verb=verb, by=actor.sub)
        problem = _("It could not be added to the history.")
        return ChangedStore(f"{text} {problem}", is_recorded=False)
    events.info("store_changed", verb=verb, by=actor.sub)
    return ChangedStore(text, is_recorded=True)
