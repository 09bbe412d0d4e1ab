"""IAM policies: of the web servers, of operators and of the stream handlers."""

from collections.abc import Iterable, Iterator, Sequence

from core.dynamo.cloudformation.resources import Json, logical_id
from core.dynamo.items import Item, models_of
from core.dynamo.tables import TableSpec

# A managed policy holds 6,144 characters: room for this many tables with their indexes and streams.
TABLES_PER_POLICY = 15

READS = ["GetItem", "BatchGetItem", "Query", "ConditionCheckItem"]
# Within a transaction IAM asks for these too; TransactWriteItems is no permission of its own.
WRITES = ["PutItem", "UpdateItem", "DeleteItem"]
STREAM_READS = ["DescribeStream", "GetRecords", "GetShardIterator"]
IN_TRANSACTIONS_ONLY = {
    "ForAnyValue:StringEquals": {"dynamodb:EnclosingOperation": ["TransactWriteItems"]},
}


COGNITO_OPERATIONS = [
    *("AdminAddUserToGroup", "AdminCreateUser", "AdminDeleteUser", "AdminDisableUser", "AdminEnableUser"),
    *("AdminGetUser", "AdminListGroupsForUser", "AdminRemoveUserFromGroup", "AdminSetUserPassword"),
    *("AdminUserGlobalSignOut", "ListUsers", "ListUsersInGroup"),
]


def policies(app: str, specs: Sequence[TableSpec]) -> Json:
    found: Json = {}
    for number, start in enumerate(range(0, len(specs), TABLES_PER_POLICY), start=1):
        some = specs[start : start + TABLES_PER_POLICY]
        found[f"WebPolicy{number}"] = _policy("What the web servers may do with the tables", _web(some))
        found[f"OperatorPolicy{number}"] = _policy(
            "What operators and the handlers of streams may do", _operator(some)
        )
    if app == "accounts":
        operations = [f"cognito-idp:{operation}" for operation in COGNITO_OPERATIONS]
        manage_people = _statement("ManagePeople", operations, {"Ref": "UserPoolArn"})
        found["PeoplePolicy"] = _policy("What the web servers may do with accounts", [manage_people])
    if app == "cms":
        description = "What servers and handlers of streams may do with files"
        found["FilesPolicy"] = _policy(description, _keep_files())
    return found


def _keep_files() -> Iterator[Json]:
    operations = ["s3:DeleteObject", "s3:GetObject", "s3:PutObject"]
    yield _statement("KeepFiles", operations, {"Fn::Sub": "${MediaBucketArn}/*"})
    # Without it S3 answers 403 instead of 404 for a file that does not exist.
    yield _statement("ListFiles", "s3:ListBucket", {"Ref": "MediaBucketArn"})


def _web(specs: Sequence[TableSpec]) -> Iterator[Json]:
    """What requests need. Records are written in transactions only, so that each change has its history."""
    records = [spec for spec in specs if all(issubclass(model, Item) for model in models_of(spec.name))]
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
    """For the management commands; tables themselves are changed by their stack alone."""
    describes = ["DescribeTable", "DescribeTimeToLive", "DescribeContinuousBackups"]
    backups = ["CreateBackup", "ListBackups"]
    yield _allow("Work", [*READS, *WRITES, "BatchWriteItem", "Scan", *describes, *backups], _tables(specs))
    if indexes := _indexes(specs):
        yield _allow("ReadIndexes", ["Query"], indexes)
    if streams := [spec for spec in specs if spec.stream]:
        arns: list[Json] = [{"Fn::GetAtt": [logical_id(spec.name), "StreamArn"]} for spec in streams]
        yield _allow("ReadStreams", STREAM_READS, arns)
    yield _allow("List", ["ListTables", "ListStreams"], "*")


def _policy(description: str, statements: Iterable[Json]) -> Json:
    return {
        "Type": "AWS::IAM::ManagedPolicy",
        "Properties": {
            "Description": description,
            "PolicyDocument": {"Version": "2012-10-17", "Statement": list(statements)},
        },
    }


def _allow(sid: str, operations: list[str], resources: list[Json] | str) -> Json:
    return _statement(sid, _actions(operations), resources)


def _statement(sid: str, actions: list[str] | str, resources: list[Json] | Json | str) -> Json:
    return {"Sid": sid, "Effect": "Allow", "Action": actions, "Resource": resources}


def _actions(operations: list[str]) -> list[str]:
    return [f"dynamodb:{operation}" for operation in sorted(operations)]


def _tables(specs: Sequence[TableSpec]) -> list[Json]:
    return [{"Fn::GetAtt": [logical_id(spec.name), "Arn"]} for spec in specs]


def _indexes(specs: Sequence[TableSpec]) -> list[Json]:
    """All indexes of a table in one line: a policy that named each would soon be too long."""
    return [{"Fn::Sub": f"${{{logical_id(spec.name)}.Arn}}/index/*"} for spec in specs if spec.indexes]
