"""The tables as a CloudFormation template: capacity, encryption, alarms, and who may do what.

One template describes one environment: it carries the table names of the current settings.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from dynamo.items import Item, models_of
from dynamo.tables import TableSpec, create_request

Json = dict[str, Any]

MOST_RESOURCES = 500
# CloudWatch takes no more in one alarm.
MOST_METRICS = 10
DIRECTIONS = ("Read", "Write")
# A managed policy holds 6,144 characters: room for this many tables with their indexes.
TABLES_PER_POLICY = 10

READS = ["GetItem", "BatchGetItem", "Query", "ConditionCheckItem"]
# Within a transaction IAM asks for these too; TransactWriteItems is no permission of its own.
WRITES = ["PutItem", "UpdateItem", "DeleteItem"]
STREAM_READS = ["DescribeStream", "GetRecords", "GetShardIterator"]
MEASURED = [
    *("GetItem", "BatchGetItem", "Query", "Scan"),
    *("PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"),
]
PEOPLE = [
    *("AdminAddUserToGroup", "AdminCreateUser", "AdminDisableUser", "AdminEnableUser", "AdminGetUser"),
    *("AdminListGroupsForUser", "AdminRemoveUserFromGroup", "AdminSetUserPassword"),
    *("AdminUserGlobalSignOut", "ListUsers"),
]
IN_TRANSACTIONS_ONLY = {
    "ForAnyValue:StringEquals": {"dynamodb:EnclosingOperation": ["TransactWriteItems"]},
}


def template(specs: Sequence[TableSpec]) -> Json:
    """The whole template, ready for json.dumps."""
    _refuse_equal_ids(specs)
    resources: Json = {"TableKey": _key()}
    for spec in specs:
        resources |= _table_resources(spec)
    resources |= _policies(specs)
    if len(resources) > MOST_RESOURCES:
        raise ImproperlyConfigured(
            f"The template would have {len(resources)} resources; CloudFormation allows {MOST_RESOURCES}."
        )
    return {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Description": "Fieldhouse: its tables, their alarms and the rights to them",
        "Parameters": _parameters(),
        "Conditions": {"Provisioned": {"Fn::Equals": [{"Ref": "BillingMode"}, "PROVISIONED"]}},
        "Resources": resources,
        "Outputs": _outputs(specs, resources),
    }


def logical_id(name: str) -> str:
    """`stand-forms` becomes StandFormsTable: CloudFormation takes letters and digits only."""
    return f"{_joined(name)}Table"


def _joined(name: str) -> str:
    return "".join(word[0].upper() + word[1:] for word in re.findall(r"[A-Za-z0-9]+", name))


def _refuse_equal_ids(specs: Sequence[TableSpec]) -> None:
    for identifier, times in Counter(logical_id(spec.name) for spec in specs).items():
        if times > 1:
            raise ImproperlyConfigured(
                f"Two tables would both be called {identifier} in CloudFormation: rename one."
            )


def _parameters() -> Json:
    return {
        "BillingMode": {
            "Type": "String",
            "Default": "PAY_PER_REQUEST",
            "AllowedValues": ["PAY_PER_REQUEST", "PROVISIONED"],
            "Description": "PROVISIONED reserves capacity and scales it between the limits below.",
        },
        "LeastReadUnits": _number(5, "Provisioned only: read units each table and index always has."),
        "MostReadUnits": _number(100, "Provisioned only: read units auto-scaling may reach."),
        "LeastWriteUnits": _number(5, "Provisioned only: write units each table and index always has."),
        "MostWriteUnits": _number(100, "Provisioned only: write units auto-scaling may reach."),
        "AlarmTopicArn": {
            "Type": "String",
            "AllowedPattern": "^arn:aws[a-z-]*:sns:[a-z0-9-]+:[0-9]{12}:.+$",
            "Description": "The SNS topic that is told of every alarm.",
        },
        "UserPoolArn": {
            "Type": "String",
            "AllowedPattern": "^arn:aws[a-z-]*:cognito-idp:[a-z0-9-]+:[0-9]{12}:userpool/.+$",
            "Description": "The Cognito user pool whose people administrators manage.",
        },
        "MediaBucketArn": {
            "Type": "String",
            "AllowedPattern": "^arn:aws[a-z-]*:s3:::[a-z0-9.-]+$",
            "Description": "The S3 bucket for pictures and files.",
        },
        "ReadUnitsAlarm": _number(30_000, "Alarm when a table uses more read units than this in 5 minutes."),
        "WriteUnitsAlarm": _number(
            30_000, "Alarm when a table uses more write units than this in 5 minutes."
        ),
    }


def _number(default: int, description: str) -> Json:
    return {"Type": "Number", "Default": default, "MinValue": 1, "Description": description}


def _outputs(specs: Sequence[TableSpec], resources: Json) -> Json:
    policies = [name for name, resource in resources.items() if resource["Type"] == "AWS::IAM::ManagedPolicy"]
    streamed = [logical_id(spec.name) for spec in specs if spec.stream]
    return {f"{name}Arn": {"Value": {"Ref": name}} for name in policies} | {
        f"{name}StreamArn": {"Value": {"Fn::GetAtt": [name, "StreamArn"]}} for name in streamed
    }


# --- Tables --------------------------------------------------------------------------------------------


def _key() -> Json:
    """Our own key rather than AWS's: the club can see each use of it, and can shut it."""
    return {
        "Type": "AWS::KMS::Key",
        # Without its key a kept table cannot be read.
        "DeletionPolicy": "Retain",
        "UpdateReplacePolicy": "Retain",
        "Properties": {
            "Description": "Encrypts the Fieldhouse tables",
            "EnableKeyRotation": True,
            "KeyPolicy": {
                "Version": "2012-10-17",
                "Statement": [
                    {
                        "Sid": "TheAccountManagesTheKey",
                        "Effect": "Allow",
                        "Principal": {
                            "AWS": {"Fn::Sub": "arn:${AWS::Partition}:iam::${AWS::AccountId}:root"}
                        },
                        "Action": "kms:*",
                        "Resource": "*",
                    },
                    {
                        "Sid": "WhoeverMayUseTheTablesUsesTheKeyThroughDynamoDB",
                        "Effect": "Allow",
                        "Principal": {"AWS": "*"},
                        "Action": [
                            "kms:CreateGrant",
                            "kms:Decrypt",
                            "kms:DescribeKey",
                            "kms:Encrypt",
                            "kms:GenerateDataKey*",
                            "kms:ReEncrypt*",
                        ],
                        "Resource": "*",
                        "Condition": {
                            "StringEquals": {
                                "kms:CallerAccount": {"Ref": "AWS::AccountId"},
                                "kms:ViaService": {"Fn::Sub": "dynamodb.${AWS::Region}.${AWS::URLSuffix}"},
                            }
                        },
                    },
                ],
            },
        },
    }


def _table_resources(spec: TableSpec) -> Json:
    identifier = logical_id(spec.name)
    resources = {identifier: _table(spec)}
    resources |= {f"{identifier}{name}": alarm for name, alarm in _alarms(spec)}
    for part in (None, *(index.name for index in spec.indexes)):
        resources |= _scaling(identifier, part)
    return resources


def _table(spec: TableSpec) -> Json:
    properties = create_request(spec) | {
        "BillingMode": {"Ref": "BillingMode"},
        "ProvisionedThroughput": _throughput(),
        "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": bool(spec.point_in_time_recovery)},
        "DeletionProtectionEnabled": bool(spec.deletion_protection),
        "SSESpecification": {
            "SSEEnabled": True,
            "SSEType": "KMS",
            "KMSMasterKeyId": {"Fn::GetAtt": ["TableKey", "Arn"]},
        },
    }
    for index in properties.get("GlobalSecondaryIndexes", []):
        index["ProvisionedThroughput"] = _throughput()
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


def _throughput() -> Json:
    units = {"ReadCapacityUnits": {"Ref": "LeastReadUnits"}, "WriteCapacityUnits": {"Ref": "LeastWriteUnits"}}
    return {"Fn::If": ["Provisioned", units, {"Ref": "AWS::NoValue"}]}


def _scaling(table: str, index: str | None) -> Json:
    """Keep provisioned capacity of a table, or of one index, at 70 % use."""
    kind = "index" if index else "table"
    place = f"table/${{{table}}}/index/{index}" if index else f"table/${{{table}}}"
    resources: Json = {}
    for direction in DIRECTIONS:
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


# --- Alarms --------------------------------------------------------------------------------------------


def _alarms(spec: TableSpec) -> Iterator[tuple[str, Json]]:
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


# --- Rights --------------------------------------------------------------------------------------------


def _policies(specs: Sequence[TableSpec]) -> Json:
    policies: Json = {}
    for number, start in enumerate(range(0, len(specs), TABLES_PER_POLICY), start=1):
        some = specs[start : start + TABLES_PER_POLICY]
        policies[f"WebPolicy{number}"] = _policy("What the web servers may do with the tables", _web(some))
        policies[f"OperatorPolicy{number}"] = _policy(
            "What operators and the handlers of streams may do", _operator(some)
        )
    policies["PeoplePolicy"] = _policy("What the web servers may do with accounts", iter([_people()]))
    policies["FilesPolicy"] = _policy("What servers and handlers of streams may do with files", _files())
    return policies


def _files() -> Iterator[Json]:
    yield {
        "Sid": "KeepFiles",
        "Effect": "Allow",
        "Action": ["s3:DeleteObject", "s3:GetObject", "s3:PutObject"],
        "Resource": {"Fn::Sub": "${MediaBucketArn}/*"},
    }
    yield {
        # Who may not list is told of a missing file that it is forbidden.
        "Sid": "ListFiles",
        "Effect": "Allow",
        "Action": "s3:ListBucket",
        "Resource": {"Ref": "MediaBucketArn"},
    }


def _people() -> Json:
    return {
        "Sid": "ManagePeople",
        "Effect": "Allow",
        "Action": [f"cognito-idp:{operation}" for operation in PEOPLE],
        "Resource": {"Ref": "UserPoolArn"},
    }


def _web(specs: Sequence[TableSpec]) -> Iterator[Json]:
    """What pages need. Records are written in transactions only, so that none changes without its history."""
    records = [spec for spec in specs if _holds_only_records(spec)]
    others = [spec for spec in specs if spec not in records]
    yield _allow("Read", READS, _tables(specs))
    if indexes := _indexes(specs):
        yield _allow("ReadIndexes", ["Query"], indexes)
    if records:
        yield _allow("WriteRecords", WRITES, _tables(records)) | {"Condition": IN_TRANSACTIONS_ONLY}
    if others:
        yield _allow("Write", [*WRITES, "BatchWriteItem"], _tables(others))
    every_table = {
        "Fn::Sub": "arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table/*",
    }
    yield {
        # Whatever else the role is given: no Scan, no change to a table, nothing AWS may invent.
        "Sid": "NothingElse",
        "Effect": "Deny",
        "NotAction": _actions([*READS, *WRITES, "BatchWriteItem"]),
        "Resource": every_table,
    }
    yield {
        "Sid": "OnlyEncrypted",
        "Effect": "Deny",
        "Action": "dynamodb:*",
        "Resource": every_table,
        "Condition": {"Bool": {"aws:SecureTransport": "false"}},
    }


def _operator(specs: Sequence[TableSpec]) -> Iterator[Json]:
    """For the management commands; tables themselves are changed by this stack alone."""
    describes = ["DescribeTable", "DescribeTimeToLive", "DescribeContinuousBackups"]
    backups = ["CreateBackup", "ListBackups"]
    yield _allow("Work", [*READS, *WRITES, "BatchWriteItem", "Scan", *describes, *backups], _tables(specs))
    if indexes := _indexes(specs):
        yield _allow("ReadIndexes", ["Query"], indexes)
    if streams := [spec for spec in specs if spec.stream]:
        yield _allow("ReadStreams", STREAM_READS, _streams(streams))
    yield _allow("List", ["ListTables", "ListStreams"], "*")


def _holds_only_records(spec: TableSpec) -> bool:
    return all(issubclass(model, Item) for model in models_of(spec.name))


def _policy(description: str, statements: Iterator[Json]) -> Json:
    return {
        "Type": "AWS::IAM::ManagedPolicy",
        "Properties": {
            "Description": description,
            "PolicyDocument": {"Version": "2012-10-17", "Statement": list(statements)},
        },
    }


def _allow(sid: str, operations: list[str], resources: list[Json] | str) -> Json:
    return {"Sid": sid, "Effect": "Allow", "Action": _actions(operations), "Resource": resources}


def _actions(operations: list[str]) -> list[str]:
    return [f"dynamodb:{operation}" for operation in sorted(operations)]


def _tables(specs: Sequence[TableSpec]) -> list[Json]:
    return [{"Fn::GetAtt": [logical_id(spec.name), "Arn"]} for spec in specs]


def _streams(specs: Sequence[TableSpec]) -> list[Json]:
    return [{"Fn::GetAtt": [logical_id(spec.name), "StreamArn"]} for spec in specs]


def _indexes(specs: Sequence[TableSpec]) -> list[Json]:
    return [
        {"Fn::Sub": f"${{{logical_id(spec.name)}.Arn}}/index/{index.name}"}
        for spec in specs
        for index in spec.indexes
    ]
