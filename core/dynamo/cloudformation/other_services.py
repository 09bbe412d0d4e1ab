"""What an app works with beside its tables: where it is, said at the deployment, and the rights to it."""

from core.dynamo.cloudformation.names import Json
from core.dynamo.cloudformation.rights import policy

PEOPLE = [
    *("AdminAddUserToGroup", "AdminCreateUser", "AdminDeleteUser", "AdminDisableUser", "AdminEnableUser"),
    *("AdminGetUser", "AdminListGroupsForUser", "AdminRemoveUserFromGroup", "AdminSetUserPassword"),
    *("AdminUserGlobalSignOut", "ListUsers", "ListUsersInGroup"),
]

PARAMETERS: dict[str, Json] = {
    "accounts": {
        "UserPoolArn": {
            "Type": "String",
            "AllowedPattern": "^arn:aws[a-z-]*:cognito-idp:[a-z0-9-]+:[0-9]{12}:userpool/.+$",
            "Description": "The Cognito user pool whose people administrators manage.",
        },
    },
    "cms": {
        "MediaBucketArn": {
            "Type": "String",
            "AllowedPattern": "^arn:aws[a-z-]*:s3:::[a-z0-9.-]+$",
            "Description": "The S3 bucket for pictures and files.",
        },
    },
}

POLICIES: dict[str, Json] = {
    "accounts": {
        "PeoplePolicy": policy(
            "What the web servers may do with accounts",
            [
                {
                    "Sid": "ManagePeople",
                    "Effect": "Allow",
                    "Action": [f"cognito-idp:{operation}" for operation in PEOPLE],
                    "Resource": {"Ref": "UserPoolArn"},
                }
            ],
        ),
    },
    "cms": {
        "FilesPolicy": policy(
            "What servers and handlers of streams may do with files",
            [
                {
                    "Sid": "KeepFiles",
                    "Effect": "Allow",
                    "Action": ["s3:DeleteObject", "s3:GetObject", "s3:PutObject"],
                    "Resource": {"Fn::Sub": "${MediaBucketArn}/*"},
                },
                {
                    # Who may not list is told of a missing file that it is forbidden.
                    "Sid": "ListFiles",
                    "Effect": "Allow",
                    "Action": "s3:ListBucket",
                    "Resource": {"Ref": "MediaBucketArn"},
                },
            ],
        ),
    },
}
