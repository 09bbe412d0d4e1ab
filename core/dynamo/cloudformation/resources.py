"""The resources of one table: itself with its indexes, auto-scaling for each of them, and alarms."""

import re
from collections.abc import Iterator
from typing import Any

from core.dynamo.tables import TableSpec, create_request

Json = dict[str, Any]

# Apps whose table is watched, because AWS charges for each metric: every save writes to the support table and
# every page reads its session from the stores' table, so throttling and errors show there first.
WATCHED = ("dynamo", "stores")
# Without it DynamoDB encrypts with a key that AWS owns.
OWN_KEY: Json = {"SSEEnabled": True, "SSEType": "KMS", "KMSMasterKeyId": {"Ref": "TableKeyArn"}}
NOTHING = {"Ref": "AWS::NoValue"}


def logical_id(name: str) -> str:
    """`stand-forms` becomes StandFormsTable: CloudFormation takes letters and digits only."""
    return f"{_joined(name)}Table"


def _joined(name: str) -> str:
    return "".join(word[0].upper() + word[1:] for word in re.findall(r"[A-Za-z0-9]+", name))


def resources_of(app: str, spec: TableSpec) -> Json:
    table = logical_id(spec.name)
    resources = {table: _table(spec)}
    if app in WATCHED:
        resources |= {f"{table}{name}": alarm for name, alarm in _alarms(app, spec)}
    for index in (None, *(index.name for index in spec.indexes)):
        resources |= _scaling(table, index)
    return resources


def _table(spec: TableSpec) -> Json:
    units = {"ReadCapacityUnits": {"Ref": "LeastReadUnits"}, "WriteCapacityUnits": {"Ref": "LeastWriteUnits"}}
    throughput = {"ProvisionedThroughput": {"Fn::If": ["Provisioned", units, NOTHING]}}
    properties = create_request(spec) | {
        "BillingMode": {"Ref": "BillingMode"},
        **throughput,
        "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": bool(spec.point_in_time_recovery)},
        "DeletionProtectionEnabled": bool(spec.deletion_protection),
        "SSESpecification": {"Fn::If": ["OwnKey", OWN_KEY, NOTHING]},
    }
    for index in properties.get("GlobalSecondaryIndexes", []):
        index |= throughput
    if spec.stream:
        properties["StreamSpecification"] = {"StreamViewType": spec.stream}
    if spec.ttl:
        properties["TimeToLiveSpecification"] = {"Enabled": True, "AttributeName": spec.ttl}
    return {
        "Type": "AWS::DynamoDB::Table",
        "DeletionPolicy": "Retain",
        "UpdateReplacePolicy": "Retain",
        "Properties": properties,
    }


def _scaling(table: str, index: str | None) -> Json:
    """Keep provisioned capacity of a table, or of one index, at 70 % use."""
    kind = "index" if index else "table"
    place = f"table/${{{table}}}/index/{index}" if index else f"table/${{{table}}}"
    resources: Json = {}
    for direction in ("Read", "Write"):
        target = f"{table}{_joined(index) if index else ''}{direction}Target"
        resources[target] = {
            "Type": "AWS::ApplicationAutoScaling::ScalableTarget",
            "Condition": "Provisioned",
            "Properties": {
                "ServiceNamespace": "dynamodb",
                "ResourceId": {"Fn::Sub": place},
                "ScalableDimension": f"dynamodb:{kind}:{direction}CapacityUnits",
                "MinCapacity": {"Ref": f"Least{direction}Units"},
                "MaxCapacity": {"Ref": f"Most{direction}Units"},
            },
        }
        resources[f"{target}Policy"] = {
            "Type": "AWS::ApplicationAutoScaling::ScalingPolicy",
            "Condition": "Provisioned",
            "Properties": {
                "PolicyName": f"{direction}At70Percent",
                "PolicyType": "TargetTrackingScaling",
                "ScalingTargetId": {"Ref": target},
                "TargetTrackingScalingPolicyConfiguration": {
                    "PredefinedMetricSpecification": {
                        "PredefinedMetricType": f"DynamoDB{direction}CapacityUtilization"
                    },
                    "TargetValue": 70,
                },
            },
        }
    return resources


def _alarms(app: str, spec: TableSpec) -> Iterator[tuple[str, Json]]:
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
    total = {
        "Id": "total",
        "Expression": "SUM(FILL(METRICS(), 0))",
        "Label": description,
        "ReturnData": True,
    }
    metrics = [
        {
            "Id": f"part{number}",
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
        for number, (metric, dimensions) in enumerate(watched)
    ]
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
            "Metrics": [total, *metrics],
        },
    }
