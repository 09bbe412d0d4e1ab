"""Tables as code: what the models declare, what the engine has, and the steps that remove the difference."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.core.exceptions import ImproperlyConfigured
from pynamodb.attributes import TTLAttribute

import core.dynamo.support_table  # noqa: F401 - importing it declares the support table; apps declare theirs in models.py
from core.dynamo.errors import Unavailable
from core.dynamo.items import StoredModel, all_models, models_of, schema_of
from core.dynamo.maintenance import RequestRefused, is_aws, request

WAIT_SECONDS = 900


class Key(NamedTuple):
    """A key attribute and its type (S, N or B)."""

    name: str
    type: str

    def __str__(self) -> str:
        return f"{self.name} ({self.type})"


@dataclass(frozen=True)
class Index:
    """A global secondary index; `included` are the projected attributes besides the keys."""

    name: str
    keys: tuple[Key, ...]
    projection: str
    included: tuple[str, ...] = ()


@dataclass(frozen=True)
class TableSpec:
    """One table, as the models declare it or as the engine has it."""

    name: str
    keys: tuple[Key, ...]
    indexes: tuple[Index, ...] = ()
    ttl: str | None = None
    stream: str | None = None
    # None: the engine does not support it.
    point_in_time_recovery: bool | None = True
    deletion_protection: bool | None = True

    def index(self, name: str) -> Index | None:
        return next((index for index in self.indexes if index.name == name), None)


class Step(NamedTuple):
    """One request that changes a table towards its declaration, and the text for the operator."""

    done: str
    operation: str
    arguments: dict[str, Any]


def specs() -> list[TableSpec]:
    """What the models declare, by table name."""
    return [spec_of(name) for name in sorted({model.Meta.table_name for model in all_models()})]


def spec_of(name: str) -> TableSpec:
    """The declaration of one table; models that contradict each other raise `ImproperlyConfigured`."""
    models = models_of(name)
    spec = from_schema(schema_of(name))
    for model in models:
        _refuse_contradiction(spec, model)

    def declared(option: str, what: str, default: Any) -> Any:
        values = {getattr(model.Meta, option) for model in models if hasattr(model.Meta, option)}
        return _agreed(name, what, values, default)

    attributes = [each for model in models for each in model.get_attributes().values()]
    ttls = {each.attr_name for each in attributes if isinstance(each, TTLAttribute)}
    return replace(
        spec,
        ttl=_agreed(name, "TTL attribute", ttls, None),
        stream=declared("stream_view_type", "stream view type", None),
        point_in_time_recovery=declared("point_in_time_recovery", "point-in-time recovery", True),
        deletion_protection=declared("deletion_protection", "deletion protection", True),
    )


def ensure_tables(wanted: list[TableSpec], *, dry_run: bool = False) -> Iterator[str]:
    """Create these tables or add what is missing, and yield what was done; a dry run changes nothing.

    Differences that cannot be changed without harm are left; `check_all` names them.
    """
    existing = existing_names()
    missing = [spec for spec in wanted if spec.name not in existing]
    # All at once, then wait: on AWS each takes some ten seconds.
    for spec in missing:
        if not dry_run:
            _create(spec)
        yield f"Table {spec.name}: created."
    for spec in wanted:
        if dry_run and spec in missing:
            continue
        wait_until_active(spec.name)
        steps = list(_steps(spec, read_spec(spec.name)))
        for step in steps:
            if not dry_run:
                _apply(spec.name, step)
            yield f"Table {spec.name}: {step.done}."
        if not steps and spec not in missing:
            yield f"Table {spec.name}: already there."


def check_all() -> list[str]:
    """Every difference between declaration and engine, one sentence each."""
    existing = existing_names()
    drifts: list[str] = []
    for spec in specs():
        if spec.name in existing:
            drifts += [f"Table {spec.name}: {drift}." for drift in _drifts(spec, read_spec(spec.name))]
        else:
            drifts.append(f"Table {spec.name}: it is missing.")
    return drifts


def existing_names() -> set[str]:
    names: set[str] = set()
    start: dict[str, str] = {}
    while True:
        answer = request("ListTables", **start)
        names.update(answer["TableNames"])
        if "LastEvaluatedTableName" not in answer:
            return names
        start = {"ExclusiveStartTableName": answer["LastEvaluatedTableName"]}


def read_spec(name: str) -> TableSpec:
    """The table as the engine has it."""
    table = request("DescribeTable", TableName=name)["Table"]
    stream = table.get("StreamSpecification", {})
    return replace(
        from_schema(table),
        ttl=_ttl(name),
        stream=stream.get("StreamViewType") if stream.get("StreamEnabled") else None,
        point_in_time_recovery=_point_in_time_recovery(name),
        deletion_protection=table.get("DeletionProtectionEnabled", False) if is_aws() else None,
    )


def wait_until_active(name: str) -> None:
    """Wait for the table and its indexes; filling a new index of a large table takes long."""
    deadline = time.monotonic() + WAIT_SECONDS
    pause = 0.01
    while True:
        table = request("DescribeTable", TableName=name)["Table"]
        states = {table["TableStatus"]} | {
            index["IndexStatus"] for index in table.get("GlobalSecondaryIndexes", [])
        }
        if states == {"ACTIVE"}:
            return
        if time.monotonic() > deadline:
            raise Unavailable(f"Table {name} is still {', '.join(sorted(states))}; run this again later.")
        time.sleep(pause)
        pause = min(2, pause * 2)


def create_request(spec: TableSpec) -> dict[str, Any]:
    """The arguments of CreateTable; also the CloudFormation properties, without TTL and recovery."""
    keys = {*spec.keys, *(key for index in spec.indexes for key in index.keys)}
    arguments: dict[str, Any] = {
        "TableName": spec.name,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [
            {"AttributeName": key.name, "AttributeType": key.type} for key in sorted(keys)
        ],
        "KeySchema": key_schema(spec.keys),
    }
    if spec.indexes:
        arguments["GlobalSecondaryIndexes"] = [index_request(index) for index in spec.indexes]
    if spec.stream:
        arguments["StreamSpecification"] = {"StreamEnabled": True, "StreamViewType": spec.stream}
    return arguments


def index_request(index: Index) -> dict[str, Any]:
    projection: dict[str, Any] = {"ProjectionType": index.projection}
    if index.included:
        projection["NonKeyAttributes"] = list(index.included)
    return {"IndexName": index.name, "KeySchema": key_schema(index.keys), "Projection": projection}


def key_schema(keys: tuple[Key, ...]) -> list[dict[str, str]]:
    return [
        {"AttributeName": key.name, "KeyType": kind}
        for key, kind in zip(keys, ("HASH", "RANGE"), strict=False)
    ]


def _create(spec: TableSpec) -> None:
    # Not for local tables, which should be easy to drop.
    protection = {"DeletionProtectionEnabled": True} if spec.deletion_protection and is_aws() else {}
    try:
        request("CreateTable", **create_request(spec), **protection)
    except RequestRefused as refusal:
        if refusal.code != "ResourceInUseException":  # somebody else made it since we looked
            raise


def _steps(wanted: TableSpec, actual: TableSpec) -> Iterator[Step]:
    """What is missing and can be added without harm, so not a different key, projection or stream."""
    for index in wanted.indexes:
        if actual.index(index.name) is None:
            definitions = {"AttributeDefinitions": create_request(wanted)["AttributeDefinitions"]}
            added = {"GlobalSecondaryIndexUpdates": [{"Create": index_request(index)}]}
            yield Step(f"index {index.name} added", "UpdateTable", definitions | added)
    if wanted.stream and not actual.stream:
        stream = {"StreamSpecification": {"StreamEnabled": True, "StreamViewType": wanted.stream}}
        yield Step("stream switched on", "UpdateTable", stream)
    if wanted.deletion_protection and actual.deletion_protection is False:
        yield Step("deletion protection switched on", "UpdateTable", {"DeletionProtectionEnabled": True})
    if wanted.ttl and not actual.ttl:
        ttl = {"TimeToLiveSpecification": {"Enabled": True, "AttributeName": wanted.ttl}}
        yield Step(f"TTL switched on for {wanted.ttl}", "UpdateTimeToLive", ttl)
    if wanted.point_in_time_recovery and actual.point_in_time_recovery is False:
        recovery = {"PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True}}
        yield Step("point-in-time recovery switched on", "UpdateContinuousBackups", recovery)


def _apply(name: str, step: Step) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            request(step.operation, TableName=name, **step.arguments)
            break
        except RequestRefused as refusal:
            # A new table's backups need a moment before recovery can be switched on.
            if refusal.code != "ContinuousBackupsUnavailableException" or time.monotonic() > deadline:
                raise
            time.sleep(2)
    wait_until_active(name)


def _drifts(wanted: TableSpec, actual: TableSpec) -> Iterator[str]:
    if wanted.keys != actual.keys:
        yield f"its keys are {_list(actual.keys)} and should be {_list(wanted.keys)}"
    for index in wanted.indexes:
        yield from _index_drifts(index, actual.index(index.name))
    for index in actual.indexes:
        if wanted.index(index.name) is None:
            yield f"index {index.name} is not declared by any model"
    if wanted.ttl != actual.ttl:
        yield f"TTL is {_on(actual.ttl)} and should be {_on(wanted.ttl)}"
    if wanted.stream != actual.stream:
        yield f"its stream is {_on(actual.stream)} and should be {_on(wanted.stream)}"
    if is_aws():
        if wanted.point_in_time_recovery and not actual.point_in_time_recovery:
            yield "point-in-time recovery is off and should be on"
        if wanted.deletion_protection and not actual.deletion_protection:
            yield "deletion protection is off and should be on"


def _index_drifts(wanted: Index, actual: Index | None) -> Iterator[str]:
    if actual is None:
        yield f"index {wanted.name} is missing"
        return
    if wanted.keys != actual.keys:
        yield f"the keys of index {wanted.name} are {_list(actual.keys)} and should be {_list(wanted.keys)}"
    if (wanted.projection, wanted.included) != (actual.projection, actual.included):
        yield f"index {wanted.name} projects {_projected(actual)} and should project {_projected(wanted)}"


def _list(keys: tuple[Key, ...]) -> str:
    return ", ".join(map(str, keys))


def _on(value: str | None) -> str:
    return f"on ({value})" if value else "off"


def _projected(index: Index) -> str:
    return " ".join((index.projection, *index.included))


def _ttl(name: str) -> str | None:
    ttl = request("DescribeTimeToLive", TableName=name)["TimeToLiveDescription"]
    on = ttl["TimeToLiveStatus"] in ("ENABLED", "ENABLING")
    return ttl["AttributeName"] if on else None


def _point_in_time_recovery(name: str) -> bool | None:
    try:
        answer = request("DescribeContinuousBackups", TableName=name)["ContinuousBackupsDescription"]
    except RequestRefused as refusal:
        if refusal.code == "UnknownOperationException" and not is_aws():
            return None
        raise
    recovery = answer.get("PointInTimeRecoveryDescription", {})
    return bool(recovery.get("PointInTimeRecoveryStatus") == "ENABLED")


def from_schema(schema: dict[str, Any]) -> TableSpec:
    """From the arguments of CreateTable or the answer of DescribeTable."""
    types = {part["AttributeName"]: part["AttributeType"] for part in schema["AttributeDefinitions"]}

    def keys(part: dict[str, Any]) -> tuple[Key, ...]:
        ordered = sorted(part["KeySchema"], key=lambda key: str(key["KeyType"]))  # HASH before RANGE
        return tuple(Key(key["AttributeName"], types[key["AttributeName"]]) for key in ordered)

    indexes = [
        Index(
            name=index["IndexName"],
            keys=keys(index),
            projection=index["Projection"]["ProjectionType"],
            included=tuple(sorted(index["Projection"].get("NonKeyAttributes", []))),
        )
        for index in schema.get("GlobalSecondaryIndexes", [])
    ]
    return TableSpec(
        name=schema["TableName"],
        keys=keys(schema),
        indexes=tuple(sorted(indexes, key=lambda index: index.name)),
    )


def _refuse_contradiction(spec: TableSpec, model: type[StoredModel]) -> None:
    """Refuse a model that differs from the spec, which is the union of all models of the table."""
    own = from_schema(schema_of(spec.name, [model]))
    if own.keys != spec.keys:
        raise ImproperlyConfigured(
            f"Table {spec.name}: its models declare different keys; see {model.__name__}."
        )
    for index in own.indexes:
        if index != spec.index(index.name):
            raise ImproperlyConfigured(
                f"Table {spec.name}: its models declare index {index.name} differently; see {model.__name__}."
            )


def _agreed(name: str, what: str, values: set[Any], default: Any) -> Any:
    if len(values) > 1:
        listed = ", ".join(sorted(map(str, values)))
        raise ImproperlyConfigured(f"Table {name}: its models declare more than one {what}: {listed}.")
    return values.pop() if values else default
