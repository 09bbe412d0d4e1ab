"""A table with its indexes, encryption and recovery, and the key that encrypts it."""

from dynamo.cloudformation.names import Json
from dynamo.tables import TableSpec, create_request


def key(app: str) -> Json:
    """Our own key rather than AWS's: the club can see each use of it, and can shut it."""
    return {
        "Type": "AWS::KMS::Key",
        # Without its key a kept table cannot be read.
        "DeletionPolicy": "Retain",
        "UpdateReplacePolicy": "Retain",
        "Properties": {
            "Description": f"Encrypts the Fieldhouse tables of {app}",
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


def table(spec: TableSpec) -> Json:
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
