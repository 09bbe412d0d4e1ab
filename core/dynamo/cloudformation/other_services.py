"""AWS services that an app uses besides its tables: their parameters and IAM policies, by app."""

from core.dynamo.cloudformation.names import Json
from core.dynamo.cloudformation.rights import policy

COGNITO_OPERATIONS = [
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
                    "Action": [f"cognito-idp:{operation}" for operation in COGNITO_OPERATIONS],
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
                    # Without it S3 answers 403 instead of 404 for a file that does not exist.
                    "Sid": "ListFiles",
                    "Effect": "Allow",
                    "Action": "s3:ListBucket",
                    "Resource": {"Ref": "MediaBucketArn"},
                },
            ],
        ),
    },
}
