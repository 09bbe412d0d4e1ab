"""TransactWriteItems: a write with its history and side items is one transaction, all or nothing."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypedDict, TypeVar, Unpack
from uuid import uuid4

from django.utils.translation import gettext_lazy as _
from pynamodb.exceptions import VerboseClientError
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path
from pynamodb.expressions.update import Action, Update

from core.common.logs import events
from core.dynamo import prefetch
from core.dynamo.connection import CANCELED, CONTENDED_REASONS, connection
from core.dynamo.errors import AlreadyExists, Conflict, Invalid, KeyReused, Missing, Replayed, TooLarge
from core.dynamo.items import RawItem, StoredModel, Target, size_of, surely_fits, target_of

MOST_OPERATIONS = 100
LARGEST_ITEM = 400 * 1024
LARGEST_TRANSACTION = 4 * 1024 * 1024
MOST_TRIES = 3
# How often a transaction is put together anew because of what is stored: see `Operation.unless_stored`.
MOST_REPLACEMENTS = 6

T = TypeVar("T")
ErrorOf = Callable[[RawItem | None], Exception]


def _conflict(current: RawItem | None) -> Exception:
    return Conflict()


@dataclass
class Operation:
    """One write of a transaction. `refused` makes the error for a failed condition from the stored item."""

    kind: Literal["Put", "Update", "Delete", "ConditionCheck"]
    model: type[StoredModel]
    key: RawItem
    item: RawItem | None = None
    actions: list[Action] = field(default_factory=list)
    condition: Condition | None = None
    refused: ErrorOf = _conflict
    # If several conditions fail, the error of the lowest rank is raised.
    rank: int = 1
    # What the transaction has instead if this item is not stored; the first of them stores it.
    unless_stored: tuple["Operation", ...] = ()
    # If its condition fails, the others are sent without it.
    is_optional: bool = False
    # Logged once the transaction is committed.
    event: Mapping[str, str] | None = None

    def request(self) -> dict[str, Any]:
        """The operation as TransactWriteItems takes it."""
        names: dict[str, str] = {}
        values: dict[str, Any] = {}
        body: dict[str, Any] = {"TableName": self.model.Meta.table_name}
        if self.item is not None:
            body["Item"] = self.item
        else:
            body["Key"] = self.key
        if self.actions:
            body["UpdateExpression"] = Update(*self.actions).serialize(names, values)
        if self.condition is not None:
            body["ConditionExpression"] = self.condition.serialize(names, values)
            body["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
        if names:
            body["ExpressionAttributeNames"] = {placeholder: name for name, placeholder in names.items()}
        if values:
            body["ExpressionAttributeValues"] = values
        return {self.kind: body}

    @property
    def target(self) -> Target:
        return target_of(self.model.Meta.table_name, self.key)


class Terms(TypedDict, total=False):
    """The condition of a write, and what follows if it fails: see `Operation`."""

    condition: Condition | None
    refused: ErrorOf
    rank: int
    is_optional: bool


def put(item: StoredModel, **terms: Unpack[Terms]) -> Operation:
    return put_raw(type(item), item.serialize(), **terms)


def put_raw(model: type[StoredModel], raw: RawItem, **terms: Unpack[Terms]) -> Operation:
    key = {name: raw[name] for name in model.key_names()}
    return Operation("Put", model, key, item=raw, **terms)


def update(
    model: type[StoredModel], key: RawItem, actions: Iterable[Action], **terms: Unpack[Terms]
) -> Operation:
    return Operation("Update", model, key, actions=list(actions), **terms)


def delete(model: type[StoredModel], key: RawItem, **terms: Unpack[Terms]) -> Operation:
    return Operation("Delete", model, key, **terms)


def check(
    model: type[StoredModel], key: RawItem, condition: Condition, *, refused: ErrorOf = _conflict
) -> Operation:
    return Operation("ConditionCheck", model, key, condition=condition, refused=refused)


def exists(model: type[StoredModel]) -> Condition:
    return Path([model.key_names()[0]]).exists()


def absent(model: type[StoredModel]) -> Condition:
    return Path([model.key_names()[0]]).does_not_exist()


def send(operation: Operation) -> None:
    """Send one write without a transaction, at half the cost."""
    ((kind, request),) = operation.request().items()
    try:
        prefetch.forget()
        connection().dispatch(f"{kind}Item", request)
    except VerboseClientError as error:
        if error.response["Error"]["Code"] == "ConditionalCheckFailedException":
            # PynamoDB's own error drops the stored item.
            answer: dict[str, Any] = getattr(error.__cause__, "response", {})
            raise operation.refused(answer.get("Item")) from error
        raise


@dataclass
class _Count:
    model: type[StoredModel]
    key: RawItem
    steps: dict[str, int]
    refused: ErrorOf
    rank: int
    unless_stored: Callable[[int], tuple[Operation, ...]] | None


def commit(*operations: Operation) -> None:
    """Send these as one transaction."""
    transaction = Transaction()
    transaction.add(*operations)
    transaction.commit()


class Transaction:
    """Collects operations and sends them as one request; its client token makes retries idempotent."""

    def __init__(self) -> None:
        self._operations: dict[Target, Operation] = {}
        self._counts: dict[Target, _Count] = {}
        self._token = str(uuid4())

    def add(self, *operations: Operation) -> None:
        for operation in operations:
            target = operation.target
            if target in self._operations:
                raise ValueError("A transaction can hold only one operation on one item.")
            self._operations[target] = operation

    def count(
        self,
        model: type[StoredModel],
        key: RawItem,
        attribute: str,
        change: int,
        *,
        refused: ErrorOf = _conflict,
        rank: int = 1,
        unless_stored: Callable[[int], tuple[Operation, ...]] | None = None,
    ) -> None:
        """Add to a counter of an item that must exist; several changes of one counter are summed.

        `unless_stored` makes the operations for an item that may be missing, from the sum of its counter.
        """
        count = self._counts.setdefault(
            target_of(model.Meta.table_name, key),
            _Count(model, key, {}, refused, rank, unless_stored),
        )
        count.steps[attribute] = count.steps.get(attribute, 0) + change

    def operations(self) -> list[Operation]:
        """The operations to send; counts are merged into other operations on the same items."""
        merged = dict(self._operations)
        for target, count in self._counts.items():
            steps = {attribute: step for attribute, step in count.steps.items() if step}
            if steps:
                merged[target] = _with_counts(merged.get(target), count, steps)
        return list(merged.values())

    def commit(self) -> None:
        """Send it. For a failed condition the error of its operation is raised."""
        operations = self.operations()
        if not operations:
            return
        missing: set[Target] = set()
        for left in reversed(range(MOST_REPLACEMENTS)):
            sent = _with_replacements(operations, missing)
            try:
                self._send(sent)
            except VerboseClientError as error:
                otherwise = _stored_otherwise(error, sent, missing)
                if not left or not otherwise:
                    raise _meaning(error, sent) from error
                missing ^= otherwise
                # The same token with other operations would be refused.
                self._token = str(uuid4())
            else:
                break
        for operation in operations:
            if operation.event:
                events.info("changed", **operation.event)

    def _send(self, operations: list[Operation]) -> None:
        _refuse_too_large(operations)
        request = {
            "TransactItems": [operation.request() for operation in operations],
            "ClientRequestToken": self._token,
        }
        prefetch.forget()
        connection().dispatch("TransactWriteItems", request)


def retry_on_conflict(
    prepare: Callable[[Transaction], T], *, tries: int = MOST_TRIES, wait: Callable[[int], None] | None = None
) -> T:
    """Commit what `prepare` adds to a transaction; on a conflict prepare and commit it again.

    For writes that no person has to decide about again. Errors raised by `prepare` are not retried.
    """
    for attempt in range(tries):
        transaction = Transaction()
        prepared = prepare(transaction)
        try:
            transaction.commit()
        except (AlreadyExists, Conflict):
            if attempt + 1 == tries:
                raise
            if wait is not None:
                wait(attempt)
        else:
            break
    return prepared


def _with_counts(write: Operation | None, count: _Count, steps: dict[str, int]) -> Operation:
    actions: list[Action] = [Path([attribute]).add({"N": str(step)}) for attribute, step in steps.items()]
    if write is None:
        write = update(count.model, count.key, actions, condition=exists(count.model), refused=count.refused)
        otherwise = count.unless_stored(*steps.values()) if count.unless_stored else ()
        # Where the item is gone there is nothing to count down.
        is_only_down = max(steps.values()) < 0
        return replace(
            write, rank=count.rank, unless_stored=otherwise, is_optional=is_only_down and not otherwise
        )
    if write.kind == "Update":
        return replace(write, actions=[*write.actions, *actions])
    if write.kind == "ConditionCheck":
        # A transaction may have only one operation per item: the check becomes the condition of the update.
        return replace(write, kind="Update", actions=actions, condition=exists(write.model) & write.condition)
    if write.item is not None:
        counted = {name: int(write.item.get(name, {"N": "0"})["N"]) + step for name, step in steps.items()}
        return replace(write, item=write.item | {name: {"N": str(total)} for name, total in counted.items()})
    if max(steps.values()) < 0:
        # Its last references are removed in the transaction that deletes it: there is nothing left to count.
        return write
    raise ValueError("A record cannot be deleted and counted up in one transaction.")


def _with_replacements(operations: list[Operation], missing: set[Target]) -> list[Operation]:
    """With other operations for those of which the item is missing, and without optional ones that fail."""
    if not missing:
        return operations
    sent = {operation.target: operation for operation in operations if operation.target not in missing}
    for operation in operations:
        for instead in operation.unless_stored if operation.target in missing else ():
            # A write of the same item depends on it as much as a check.
            sent.setdefault(instead.target, instead)
    return list(sent.values())


def _stored_otherwise(error: VerboseClientError, sent: list[Operation], missing: set[Target]) -> set[Target]:
    """The items that turned out to be missing, or not to be; empty if anything else was refused for good."""
    if error.response["Error"]["Code"] != CANCELED:
        return set()
    found: set[Target] = set()
    for reason, operation in zip(error.cancellation_reasons, sent, strict=False):
        if reason is None or reason.code in CONTENDED_REASONS:
            continue
        is_otherwise = (
            bool(reason.raw_item)
            if operation.target in missing
            else (operation.is_optional or (bool(operation.unless_stored) and not reason.raw_item))
        )
        if reason.code != "ConditionalCheckFailed" or not is_otherwise:
            return set()
        found.add(operation.target)
    return found


def _refuse_too_large(operations: list[Operation]) -> None:
    if len(operations) > MOST_OPERATIONS:
        raise TooLarge(_("This change is too large. Make it in smaller steps."))
    items = [operation.item for operation in operations if operation.item is not None]
    if surely_fits(items, LARGEST_ITEM):
        return
    sizes = [size_of(item) for item in items]
    if max(sizes) > LARGEST_ITEM or sum(sizes) > LARGEST_TRANSACTION:
        raise TooLarge


def _meaning(error: VerboseClientError, operations: list[Operation]) -> Exception:
    """The error for a cancelled transaction."""
    if error.response["Error"]["Code"] != CANCELED:
        return error
    reasons = zip(error.cancellation_reasons, operations, strict=False)
    failed = [(operation.rank, reason, operation) for reason, operation in reasons if reason is not None]
    refusals: list[Exception] = []
    for _rank, reason, operation in sorted(failed, key=lambda entry: entry[0]):
        if reason.code == "ConditionalCheckFailed":
            refusals.append(operation.refused(reason.raw_item))
        elif reason.code == "ValidationError" and "size" in (reason.message or ""):
            refusals.append(TooLarge())
    # A replay comes first: other conditions fail because the request was carried out before.
    refusals.sort(key=lambda refusal: not isinstance(refusal, Replayed | KeyReused))
    return _first_of(refusals) if refusals else Invalid()


def _first_of(refusals: list[Exception]) -> Exception:
    """The first one; a `Missing` collects the records of all others."""
    first = refusals[0]
    if isinstance(first, Missing):
        missing = [each for each in refusals if isinstance(each, Missing)]
        first.records = [record for each in missing for record in each.records]
    return first
