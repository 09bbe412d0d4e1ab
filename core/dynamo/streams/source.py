"""Read the tables' streams: their shards, each by shard iterators."""

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from django.core.exceptions import ImproperlyConfigured

from core.dynamo import tables
from core.dynamo.errors import Unavailable
from core.dynamo.maintenance import RequestRefused, request, stream_request
from core.dynamo.streams.changes import Change

AT_ONCE = 100
# What botocore has retried before; it passes.
NOT_NOW = {
    "InternalServerError",
    "LimitExceededException",
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
    "ServiceUnavailable",
    "ThrottlingException",
}


class Stream(NamedTuple):
    table: str
    arn: str

    @property
    def label(self) -> str:
        """The label that tells this stream from an earlier one of the same table."""
        return self.arn.rpartition("/")[2]


class Shard(NamedTuple):
    """Its changes come after those of its parent."""

    stream: Stream
    id: str
    parent: str | None


class Batch(NamedTuple):
    """`next_iterator` is None at the end of a shard that is closed."""

    changes: list[Change]
    next_iterator: str | None


class IteratorExpired(Exception):
    """The shard iterator is too old: get a new one."""


class Trimmed(Exception):
    """The changes after the place that was asked for are no longer kept: a stream holds them for a day."""


class ShardGone(Exception):
    """The shard is no longer kept, or its stream was switched off."""


def streamed_tables(only: Collection[str] = ()) -> list[str]:
    """The tables that declare a stream; `only` chooses among them."""
    names = [spec.name for spec in tables.specs() if spec.stream]
    if unknown := sorted(set(only) - set(names)):
        raise ImproperlyConfigured(
            f"No stream is declared for {', '.join(unknown)}. There is one for {', '.join(names)}."
        )
    return [name for name in names if name in only] if only else names


def stream_of(table: str) -> Stream:
    arn = request("DescribeTable", TableName=table)["Table"].get("LatestStreamArn")
    if arn is None:
        raise ImproperlyConfigured(f"Table {table} has no stream: run `manage.py tables create`.")
    return Stream(table, arn)


def shards_of(stream: Stream) -> Iterator[Shard]:
    start: dict[str, str] = {}
    while True:
        description = _ask("DescribeStream", StreamArn=stream.arn, **start)["StreamDescription"]
        for shard in description["Shards"]:
            yield Shard(stream, shard["ShardId"], shard.get("ParentShardId"))
        if "LastEvaluatedShardId" not in description:
            return
        start = {"ExclusiveStartShardId": description["LastEvaluatedShardId"]}


def iterator_after(shard: Shard, sequence_number: str | None) -> str:
    """A shard iterator after this change, or at the oldest change that is kept."""
    if sequence_number is None:
        return _iterator(shard, ShardIteratorType="TRIM_HORIZON")
    return _iterator(shard, ShardIteratorType="AFTER_SEQUENCE_NUMBER", SequenceNumber=sequence_number)


def read(shard: Shard, iterator: str) -> Batch:
    answer = _ask_shard("GetRecords", ShardIterator=iterator, Limit=AT_ONCE)
    changes = [Change.from_stream(shard.stream.table, record) for record in answer["Records"]]
    return Batch(changes, answer.get("NextShardIterator"))


def _iterator(shard: Shard, **where: str) -> str:
    answer = _ask_shard("GetShardIterator", StreamArn=shard.stream.arn, ShardId=shard.id, **where)
    return str(answer["ShardIterator"])


def _ask_shard(operation: str, **arguments: Any) -> dict[str, Any]:
    try:
        return _ask(operation, **arguments)
    except RequestRefused as refusal:
        match refusal.code:
            case "ExpiredIteratorException":
                raise IteratorExpired from refusal
            case "TrimmedDataAccessException":
                raise Trimmed from refusal
            case "ResourceNotFoundException":
                raise ShardGone from refusal
        raise


def _ask(operation: str, **arguments: Any) -> dict[str, Any]:
    try:
        return stream_request(operation, **arguments)
    except RequestRefused as refusal:
        if refusal.code in NOT_NOW:
            raise Unavailable(str(refusal)) from refusal
        raise
