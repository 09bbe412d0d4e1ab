"""The alarms of a table and its indexes."""

from collections.abc import Iterator

from dynamo.cloudformation.names import DIRECTIONS, Json, logical_id
from dynamo.tables import TableSpec

# CloudWatch takes no more in one alarm.
MOST_METRICS = 10
MEASURED = [
    *("GetItem", "BatchGetItem", "Query", "Scan"),
    *("PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"),
]


def alarms(spec: TableSpec) -> Iterator[tuple[str, Json]]:
    table: Json = {"TableName": {"Ref": logical_id(spec.name)}}
    # Throttling of an index is not counted under its table.
    places = [table, *(table | {"GlobalSecondaryIndexName": index.name} for index in spec.indexes)]
    yield from _throttling(spec.name, places)
    for direction in DIRECTIONS:
        yield (
            f"{direction}UnitsHigh",
            _alarm(
                f"{spec.name}: more {direction.lower()} units are used than expected.",
                _watched(f"Consumed{direction}CapacityUnits", places),
                {"Ref": f"{direction}UnitsAlarm"},
            ),
        )
    # Errors are counted by operation only; an alarm on the table alone would never ring.
    by_operation = [table | {"Operation": operation} for operation in MEASURED]
    yield (
        "Errors",
        _alarm(f"{spec.name}: DynamoDB answers with errors.", _watched("SystemErrors", by_operation), 0),
    )


def _throttling(name: str, places: list[Json]) -> Iterator[tuple[str, Json]]:
    """One alarm for reads and writes, for a template holds few resources; two where one cannot hold both."""
    watched = {direction: _watched(f"{direction}ThrottleEvents", places) for direction in DIRECTIONS}
    together = [metric for metrics in watched.values() for metric in metrics]
    if len(together) <= MOST_METRICS:
        yield "Throttled", _alarm(f"{name}: reads or writes are throttled.", together, 0)
        return
    for direction, metrics in watched.items():
        yield f"{direction}sThrottled", _alarm(f"{name}: {direction.lower()}s are throttled.", metrics, 0)


def _watched(metric: str, places: list[Json]) -> list[tuple[str, Json]]:
    return [(metric, dimensions) for dimensions in places]


def _alarm(description: str, watched: list[tuple[str, Json]], threshold: int | Json) -> Json:
    """Rings when the sum of all that is watched is above the threshold within five minutes."""
    topic = [{"Ref": "AlarmTopicArn"}]
    return {
        "Type": "AWS::CloudWatch::Alarm",
        "Properties": {
            "AlarmDescription": description,
            "ComparisonOperator": "GreaterThanThreshold",
            "Threshold": threshold,
            "EvaluationPeriods": 1,
            "TreatMissingData": "notBreaching",
            "AlarmActions": topic,
            "OKActions": topic,
            "Metrics": [
                {
                    "Id": "total",
                    "Expression": "SUM(FILL(METRICS(), 0))",
                    "Label": description,
                    "ReturnData": True,
                },
                *(
                    _metric(f"part{number}", metric, dimensions)
                    for number, (metric, dimensions) in enumerate(watched)
                ),
            ],
        },
    }


def _metric(identifier: str, metric: str, dimensions: Json) -> Json:
    return {
        "Id": identifier,
        "ReturnData": False,
        "MetricStat": {
            "Metric": {
                "Namespace": "AWS/DynamoDB",
                "MetricName": metric,
                "Dimensions": [{"Name": name, "Value": value} for name, value in dimensions.items()],
            },
            "Period": 300,
            "Stat": "Sum",
        },
    }
