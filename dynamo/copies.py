"""Working copies: edits of a record that are not applied yet, shared by all its editors."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _
from pynamodb.attributes import BinaryAttribute, NumberAttribute, UnicodeAttribute
from pynamodb.expressions.condition import Condition

from dynamo import transactions
from dynamo.actors import Actor
from dynamo.attributes import now, to_iso, unwrap, wrap
from dynamo.errors import Conflict, NotFound
from dynamo.items import Item, RawItem
from dynamo.paging import DEFAULT_LIMIT, Page, StartKey
from dynamo.prefetch import Wanted
from dynamo.queries import get as get_item
from dynamo.queries import get_many, query
from dynamo.repository import Repository
from dynamo.support import Deed, pack, unpack
from dynamo.transactions import Operation, Transaction


class WorkingCopy(Deed):
    """`version` counts the saves of the copy; `based_on` is the record's version when it was begun."""

    version = NumberAttribute()
    based_on = NumberAttribute(attr_name="basedOn")
    contents = BinaryAttribute(legacy_encoding=False)
    form_id = UnicodeAttribute(attr_name="formId", null=True)

    @property
    def values(self) -> dict[str, Any]:
        """What was typed, by field."""
        return {name: unwrap(value) for name, value in unpack(self.contents).items()}


def get(entity: str, key: str) -> WorkingCopy | None:
    return get_item(WorkingCopy, raw_key(entity, key), strong=True)


def with_records(
    repository: Repository[Any], keys: Iterable[str], *, have_copies: bool
) -> tuple[dict[str, Item], dict[str, WorkingCopy]]:
    """The records that exist, and their copies where they can have some, by strong BatchGets of a hundred."""
    wanted = [pair for key in keys for pair in keys_of(repository, key, have_copies=have_copies)]
    records: dict[str, Item] = {}
    waiting: dict[str, WorkingCopy] = {}
    for found in get_many(wanted, strong=True):
        if isinstance(found, WorkingCopy):
            waiting[found.key] = found
        elif isinstance(found, Item):
            records[repository.key_of(found)] = found
    return records, waiting


def keys_of(repository: Repository[Any], key: str, *, have_copies: bool) -> list[Wanted]:
    """Where a record is stored, and its copy where it can have one; nowhere if it can be no key."""
    try:
        wanted: list[Wanted] = [(repository.model, repository.raw_key(key))]
    except NotFound:
        return []
    return [*wanted, (WorkingCopy, raw_key(repository.entity, key))] if have_copies else wanted


def mine(sub: str, *, limit: int = DEFAULT_LIMIT, start: StartKey | None = None) -> Page[WorkingCopy]:
    """The copies that a person was the last to edit, newest first, without their contents."""
    return query(WorkingCopy, f"MINE#{sub}", index="GSI1", newest_first=True, limit=limit, start=start)


def save(
    *,
    entity: str,
    key: str,
    label: str,
    values: Mapping[str, Any],
    seen_version: int,
    based_on: int,
    actor: Actor,
    form_id: str = "",
    of_record: Operation | None = None,
) -> WorkingCopy:
    """Keep what was typed; refused when the copy was saved since the version seen (0: there was none).

    A form that carries an id may replace what it has saved itself, even if it never heard of that save.
    `of_record` is what must hold of the record in the same request.
    """
    moment = now()
    copy = WorkingCopy(
        pk=f"COPY#{entity}#{key}",
        sk="COPY",
        gsi1_pk=f"MINE#{actor.sub}",
        gsi1_sk=to_iso(moment),
        entity=entity,
        key=key,
        label=label,
        at=moment,
        # A number that no earlier copy had: a form made from a copy that was published meanwhile is stale.
        version=max(seen_version + 1, int(moment.timestamp() * 1000)),
        based_on=based_on,
        form_id=form_id or None,
        contents=pack({name: wrap(value) for name, value in values.items()}),
    ).by(actor)
    keeping = Transaction()
    keeping.add(transactions.put(copy, condition=_as_seen(seen_version, form_id), refused=_changed))
    if of_record is not None:
        keeping.add(of_record)
    keeping.commit()
    return copy


def discard(entity: str, key: str, seen_version: int, *, form_id: str = "") -> Operation:
    """Remove the copy, in the transaction that applies it or alone."""
    return transactions.delete(
        WorkingCopy, raw_key(entity, key), condition=_as_seen(seen_version, form_id), refused=_changed
    )


def rebase(entity: str, key: str, *, from_version: int, to_version: int) -> Operation:
    """The record got a version that changed nothing of what the copy edits, such as another status."""
    return transactions.update(
        WorkingCopy,
        raw_key(entity, key),
        [WorkingCopy.based_on.set(to_version)],
        condition=WorkingCopy.based_on == from_version,
        refused=_changed,
    )


def _as_seen(version: int, form_id: str) -> Condition:
    unchanged = WorkingCopy.version == version if version else WorkingCopy.pk.does_not_exist()
    return unchanged | (WorkingCopy.form_id == form_id) if form_id else unchanged


def _changed(stored: RawItem | None) -> Exception:
    current = WorkingCopy.from_raw_data(stored) if stored else None
    if current is None:
        return Conflict(_("Somebody else published or discarded these changes in the meantime."))
    return Conflict(
        _("%(name)s changed this draft in the meantime.") % {"name": current.actor_name}, current=current
    )


def raw_key(entity: str, key: str) -> RawItem:
    return {"PK": {"S": f"COPY#{entity}#{key}"}, "SK": {"S": "COPY"}}
