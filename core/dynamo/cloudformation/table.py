"""A table with its indexes, encryption and recovery."""

from core.dynamo.cloudformation.names import Json
from core.dynamo.tables import TableSpec, create_request

# Without it DynamoDB encrypts with a key that AWS owns.
OWN_KEY: Json = {"SSEEnabled": True, "SSEType": "KMS", "KMSMasterKeyId": {"Ref": "TableKeyArn"}}


def table(spec: TableSpec) -> Json:
    properties = create_request(spec) | {
        "BillingMode": {"Ref": "BillingMode"},
        "ProvisionedThroughput": _throughput(),
        "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": bool(spec.point_in_time_recovery)},
        "DeletionProtectionEnabled": bool(spec.deletion_protection),
        "SSESpecification": {"Fn::If": ["OwnKey", OWN_KEY, {"Ref": "AWS::NoValue"}]},
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
