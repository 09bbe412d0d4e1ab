"""Working copies: edits of a record that are not applied yet, shared by all its editors."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_lazy as _
from pynamodb.attributes import BinaryAttribute, NumberAttribute, UnicodeAttribute
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from core.dynamo import transactions
from core.dynamo.actors import Actor
from core.dynamo.attributes import TimestampAttribute, now, to_iso, unwrap, wrap
from core.dynamo.changeset import Changed
from core.dynamo.errors import Conflict, NotFound
from core.dynamo.items import Item, RawItem
from core.dynamo.paging import DEFAULT_LIMIT, Page, StartKey
from core.dynamo.prefetch import Wanted
from core.dynamo.queries import get as get_item
from core.dynamo.queries import get_many, query
from core.dynamo.repository import Repository
from core.dynamo.support_table import RecordSupportItem, pack, unpack
from core.dynamo.transactions import Operation

# The partition of GSI1 that holds the copies with a schedule, by the time at which they are applied.
DUE = "DUE"


@dataclass(frozen=True)
class Schedule:
    """A change of the record that is applied at a time, validated when it was scheduled.

    `changed` are the new stored attributes, None for one that is removed; `before` are the old ones. Later
    edits of the copy are not part of it: `typed` is a digest of the copy's values when it was scheduled.
    """

    at: datetime
    actor: Actor
    changed: Changed
    before: RawItem
    typed: str

    def packed(self) -> bytes:
        kept = {name: value for name, value in self.changed.items() if value is not None}
        removed = [name for name, value in self.changed.items() if value is None]
        who = {"actor": self.actor.sub, "actorName": self.actor.name, "typed": self.typed}
        texts = {name: {"S": text} for name, text in who.items()}
        return pack({"changed": {"M": kept}, "removed": wrap(removed), "before": {"M": self.before}, **texts})

    @classmethod
    def unpacked(cls, at: datetime, data: bytes) -> "Schedule":
        raw = unpack(data)
        removed: Changed = dict.fromkeys(unwrap(raw["removed"]))
        return cls(
            at=at,
            actor=Actor(raw["actor"]["S"], raw["actorName"]["S"]),
            changed=removed | raw["changed"]["M"],
            before=raw["before"]["M"],
            typed=raw["typed"]["S"],
        )


class WorkingCopy(RecordSupportItem):
    """`version` changes with each save of the copy; `base_version` is the record's version that it edits."""

    version = NumberAttribute()
    # 0: it edits no record yet. Absent: it edits one of version 0, such as that of another program.
    based_on = NumberAttribute(attr_name="basedOn", null=True)
    contents = BinaryAttribute(legacy_encoding=False)
    form_id = UnicodeAttribute(attr_name="formId", null=True)
    apply_at = TimestampAttribute(attr_name="applyAt", null=True)
    scheduled = BinaryAttribute(null=True, legacy_encoding=False)
    # Why a schedule could not be carried out.
    problem = UnicodeAttribute(null=True)

    @property
    def is_of_new(self) -> bool:
        """Whether its record was never saved."""
        return bool(self.based_on == 0)

    @property
    def base_version(self) -> int:
        return int(self.based_on or 0)

    @property
    def schedule(self) -> Schedule | None:
        if self.apply_at is None or self.scheduled is None:
            return None
        return Schedule.unpacked(self.apply_at, self.scheduled)

    @property
    def is_edited_since(self) -> bool:
        """Whether the copy was edited after the change was scheduled."""
        return self.schedule is not None and self.schedule.typed != digest(self.values)

    @property
    def values(self) -> dict[str, Any]:
        """The edited values, by form field."""
        return {name: unwrap(value) for name, value in unpack(self.contents).items()}


def get(entity: str, key: str) -> WorkingCopy | None:
    return get_item(WorkingCopy, raw_key(entity, key), strong=True)


def records_and_copies(
    repository: Repository[Any], keys: Iterable[str], *, have_copies: bool
) -> tuple[dict[str, Item], dict[str, WorkingCopy]]:
    """The records that exist and their working copies, by key; strong BatchGets of a hundred."""
    wanted = [pair for key in keys for pair in keys_of(repository, key, have_copies=have_copies)]
    records: dict[str, Item] = {}
    copies: dict[str, WorkingCopy] = {}
    for found in get_many(wanted, strong=True):
        if isinstance(found, WorkingCopy):
            copies[found.key] = found
        elif isinstance(found, Item):
            records[repository.key_of(found)] = found
    return records, copies


def keys_of(repository: Repository[Any], key: str, *, have_copies: bool) -> list[Wanted]:
    """The stored keys of a record and of its working copy; none if no record can have this key."""
    try:
        wanted: list[Wanted] = [(repository.model, repository.raw_key(key))]
    except NotFound:
        return []
    return [*wanted, (WorkingCopy, raw_key(repository.entity, key))] if have_copies else wanted


def last_edited_by(
    sub: str, *, limit: int = DEFAULT_LIMIT, start: StartKey | None = None
) -> Page[WorkingCopy]:
    """The copies whose last editor is this person, newest first, without their contents."""
    return query(WorkingCopy, f"MINE#{sub}", index="GSI1", newest_first=True, limit=limit, start=start)


def save(
    *,
    entity: str,
    key: str,
    label: str,
    values: Mapping[str, Any],
    seen_version: int,
    based_on: int | None,
    actor: Actor,
    form_id: str = "",
    also: Iterable[Operation] = (),
    scheduled: datetime | None = None,
    schedule: Schedule | None = None,
) -> WorkingCopy:
    """Save the copy of a record's version, or of a new record, which is based on None.

    Refused if the copy was saved since `seen_version` (0: there was none).

    A form with an id may replace what it saved itself, even if it did not get the answer to that save.
    `also` are operations for the same transaction. `scheduled` is the schedule time of the copy that is
    replaced: if somebody scheduled or cancelled meanwhile, the save is refused.
    """
    moment = now()
    copy = WorkingCopy(
        pk=f"COPY#{entity}#{key}",
        sk="COPY",
        gsi1_pk=DUE if schedule else f"MINE#{actor.sub}",
        gsi1_sk=to_iso(schedule.at if schedule else moment),
        entity=entity,
        key=key,
        label=label,
        at=moment,
        # A number that no earlier copy had, so that a form of a copy published meanwhile is stale.
        version=max(seen_version + 1, int(moment.timestamp() * 1000)),
        based_on=0 if based_on is None else based_on or None,
        form_id=form_id or None,
        contents=pack({name: wrap(value) for name, value in values.items()}),
        apply_at=schedule.at if schedule else None,
        scheduled=schedule.packed() if schedule else None,
    ).by(actor)
    condition = _as_seen(seen_version, form_id) & _scheduled_for(scheduled)
    transactions.commit(transactions.put(copy, condition=condition, refused=_conflict), *also)
    return copy


def discard(entity: str, key: str, seen_version: int, *, form_id: str = "") -> Operation:
    """Delete the copy, in the transaction that applies it or alone."""
    return transactions.delete(
        WorkingCopy, raw_key(entity, key), condition=_as_seen(seen_version, form_id), refused=_conflict
    )


def rebase(copy: WorkingCopy, to_version: int, *, cancels_schedule: bool = False) -> Operation:
    """Base the copy on a new version of the record that changes nothing that the copy edits."""
    actions = [WorkingCopy.based_on.set(to_version), *(_without_schedule(copy) if cancels_schedule else ())]
    based_on = WorkingCopy.based_on
    is_base = based_on.does_not_exist() if copy.based_on is None else based_on == copy.based_on
    return _update(copy, actions, is_base & _scheduled_for(copy.apply_at))


# --- Scheduled copies --------------------------------------------------------------------------------------


def due(moment: datetime, *, limit: int = DEFAULT_LIMIT, start: StartKey | None = None) -> Page[WorkingCopy]:
    """The copies whose schedule is due, the earliest first, without their contents."""
    return query(WorkingCopy, DUE, index="GSI1", at_most=to_iso(moment), limit=limit, start=start)


def cancel_schedule(copy: WorkingCopy, *, problem: str = "") -> Operation:
    """Remove the schedule; the copy stays. `problem` says why the schedule could not be applied."""
    problem_action = [WorkingCopy.problem.set(problem)] if problem else []
    is_scheduled = _scheduled_for(copy.apply_at) & transactions.exists(WorkingCopy)
    return _update(copy, [*_without_schedule(copy), *problem_action], is_scheduled)


def carry_out_schedule(copy: WorkingCopy, to_version: int) -> Operation:
    """For the transaction that applies the scheduled change: delete the copy, or rebase later edits."""
    unchanged = (WorkingCopy.version == copy.version) & _scheduled_for(copy.apply_at)
    if not copy.is_edited_since:
        return transactions.delete(WorkingCopy, copy.raw_key(), condition=unchanged, refused=_conflict)
    return _update(copy, [WorkingCopy.based_on.set(to_version), *_without_schedule(copy)], unchanged)


def digest(values: Mapping[str, Any]) -> str:
    """A hash for comparing the values of two copies."""
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def _update(copy: WorkingCopy, actions: list[Action], condition: Condition) -> Operation:
    return transactions.update(WorkingCopy, copy.raw_key(), actions, condition=condition, refused=_conflict)


def _without_schedule(copy: WorkingCopy) -> list[Action]:
    """Update actions: no schedule, and listed again for its last editor."""
    return [
        WorkingCopy.apply_at.remove(),
        WorkingCopy.scheduled.remove(),
        WorkingCopy.gsi1_pk.set(f"MINE#{copy.actor}"),
        WorkingCopy.gsi1_sk.set(to_iso(copy.at)),
    ]


def _scheduled_for(moment: datetime | None) -> Condition:
    condition: Condition = WorkingCopy.apply_at == moment if moment else WorkingCopy.apply_at.does_not_exist()
    return condition


def _as_seen(version: int, form_id: str) -> Condition:
    unchanged = WorkingCopy.version == version if version else WorkingCopy.pk.does_not_exist()
    return unchanged | (WorkingCopy.form_id == form_id) if form_id else unchanged


def _conflict(stored: RawItem | None) -> Exception:
    current = WorkingCopy.from_raw_data(stored) if stored else None
    if current is None:
        return Conflict(_("Someone else published or discarded these changes in the meantime."))
    return Conflict(
        _("%(name)s changed this draft in the meantime.") % {"name": current.actor_name}, current=current
    )


def raw_key(entity: str, key: str) -> RawItem:
    return {"PK": {"S": f"COPY#{entity}#{key}"}, "SK": {"S": "COPY"}}
