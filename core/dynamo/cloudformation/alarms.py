"""CloudWatch alarms on two tables only, because AWS charges for each metric that is watched.

Every save writes to the support table and every page reads its session from the stores' table, so throttling
and errors show there first.
"""

from collections.abc import Iterator

from core.dynamo.cloudformation.names import Json, logical_id
from core.dynamo.tables import TableSpec

# Apps whose table is watched.
WATCHED = ("dynamo", "stores")


def alarms(app: str, spec: TableSpec) -> Iterator[tuple[str, Json]]:
    if app not in WATCHED:
        return
    table: Json = {"TableName": {"Ref": logical_id(spec.name)}}
    throttled = [("ReadThrottleEvents", table), ("WriteThrottleEvents", table)]
    yield "Throttled", _alarm(f"{spec.name}: reads or writes are throttled.", throttled, 0)
    # Errors are counted by operation only; an alarm on the table alone would never ring.
    saves = [("SystemErrors", table | {"Operation": "TransactWriteItems"})]
    if app == "dynamo":
        yield "Errors", _alarm(f"{spec.name}: DynamoDB answers to saves with errors.", saves, 0)
    used = [("ConsumedWriteCapacityUnits", table)]
    threshold = {"Ref": "WriteUnitsAlarm"}
    yield "WriteUnitsHigh", _alarm(f"{spec.name}: more is written than expected.", used, threshold)


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
