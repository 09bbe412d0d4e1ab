"""What administrators do to the stores. Each verb checks the right, does it, and is recorded.

The store comes first: a change that could not be written to the history is made, and told as such.
"""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.rights import ensure
from accounts.user import User
from config.logs import events
from dynamo import history, transactions
from dynamo.attributes import now
from dynamo.errors import DataError, NotFound
from dynamo.items import AttributeValue
from stores.cache import CacheStore
from stores.cache.store import KIND as CACHE
from stores.dedupe import DedupeStore
from stores.http.client import CLIENTS, HttpClient
from stores.limits import LIMITERS, Limiter
from stores.table import StoreTable

ENTITY = "store"
SCOPE = "admin"
UPDATE = "stores.dashboard.update"
# As much as one request has time for; `manage.py stores clear` has no such limit.
MOST_CLEARED = 1000
LONGEST_LABEL = 60


class Closed:
    """Results that are nobody's business here: they are neither read nor written."""

    def encode(self, pk: str, value: Any) -> AttributeValue:
        raise NotImplementedError

    def decode(self, pk: str, stored: AttributeValue) -> None:
        return None


def delete_value(actor: User, hash: str) -> bool:
    """Remove one cached value. Each verb tells whether the history has it."""
    ensure(actor, UPDATE)
    if not CacheStore().delete(hash):
        raise NotFound
    return _record(actor, "cache", "cache_delete", hash)


def clear_cache(actor: User) -> tuple[int, bool]:
    """Remove cached values, those that end first first; answers how many."""
    ensure(actor, UPDATE)
    table = StoreTable(None, store="cache")
    listed, _more = table.listed(CACHE, limit=MOST_CLEARED)
    table.delete_many({"PK": item["PK"], "SK": item["SK"]} for item in listed)
    removed = len(listed)
    label = ngettext("%d value", "%d values", removed) % removed
    return removed, _record(actor, "cache", "cache_clear", label)


def release_job(actor: User, hash: str, job_id: str) -> bool:
    """End a job whose owner hangs: those who wait are told so, and the next one may begin it anew."""
    ensure(actor, UPDATE)
    reason = RuntimeError(_("An administrator released this job."))
    DedupeStore(codec=Closed()).fail(hash, reason, job_id=job_id)
    return _record(actor, "dedupe", "dedupe_release", hash)


def reset_limit(actor: User, name: str, key: str) -> bool:
    ensure(actor, UPDATE)
    limiter = limiter_of(name)
    limiter.reset(key)
    # Whose it was stays hidden in the history too.
    return _record(actor, "limits", "limit_reset", str(limiter.about))


def recalculate(actor: User, name: str) -> bool:
    ensure(actor, UPDATE)
    client_of(name).limits.recalculate(name)
    return _record(actor, "adaptive", "adaptive_recalculate", name)


def reset_client(actor: User, name: str) -> bool:
    ensure(actor, UPDATE)
    client_of(name).limits.reset(name)
    return _record(actor, "adaptive", "adaptive_reset", name)


def limiter_of(name: str) -> Limiter:
    if name not in LIMITERS:
        raise NotFound
    return LIMITERS[name]


def client_of(name: str) -> HttpClient:
    if name not in CLIENTS:
        raise NotFound
    return CLIENTS[name]


def _record(actor: User, key: str, verb: str, label: str) -> bool:
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
        return False
    events.info("store_changed", verb=verb, by=actor.sub)
    return True
