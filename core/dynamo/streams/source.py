"""Read the tables' streams: their shards, each by shard iterators."""

import logging
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from django.core.exceptions import ImproperlyConfigured

from core.dynamo import tables
from core.dynamo.maintenance import Refused, request, stream_request
from core.dynamo.streams.changes import Change

log = logging.getLogger(__name__)

AT_ONCE = 100


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
        description = stream_request("DescribeStream", StreamArn=stream.arn, **start)["StreamDescription"]
        for shard in description["Shards"]:
            yield Shard(stream, shard["ShardId"], shard.get("ParentShardId"))
        if "LastEvaluatedShardId" not in description:
            return
        start = {"ExclusiveStartShardId": description["LastEvaluatedShardId"]}


def iterator_after(shard: Shard, sequence_number: str | None) -> str:
    """A shard iterator after this change, or at the oldest change that is kept."""
    if sequence_number is not None:
        try:
            return _iterator(shard, ShardIteratorType="AFTER_SEQUENCE_NUMBER", SequenceNumber=sequence_number)
        except Refused as refusal:
            if refusal.code != "TrimmedDataAccessException":
                raise
            # Later changes are not lost: go on with the oldest one.
            log.error(
                "Changes of table %s were lost: nobody read its stream for a day. docs/streams.md says how "
                "to make that good.",
                shard.stream.table,
            )
    return _iterator(shard, ShardIteratorType="TRIM_HORIZON")


def _iterator(shard: Shard, **where: str) -> str:
    answer = stream_request("GetShardIterator", StreamArn=shard.stream.arn, ShardId=shard.id, **where)
    return str(answer["ShardIterator"])


def read(shard: Shard, iterator: str) -> Batch:
    try:
        answer: dict[str, Any] = stream_request("GetRecords", ShardIterator=iterator, Limit=AT_ONCE)
    except Refused as refusal:
        if refusal.code in ("ExpiredIteratorException", "TrimmedDataAccessException"):
            raise IteratorExpired from refusal
        raise
    changes = [Change.from_stream(shard.stream.table, record) for record in answer["Records"]]
    return Batch(changes, answer.get("NextShardIterator"))
