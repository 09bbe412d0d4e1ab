"""Creates user pool, app client, groups, demo accounts and bucket in ministack; run at every start."""

import json
from typing import Any, NamedTuple

import botocore.session
from botocore.config import Config
from botocore.exceptions import ClientError

from core.accounts import cast

NAME = "fieldhouse"
BUCKET = "fieldhouse-media"
LOCAL_CREDENTIALS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}


class UserPool(NamedTuple):
    pool_id: str
    client_id: str


def provision_user_pool(endpoint: str, region: str, site: str) -> UserPool:
    """`site` is the base URL of redirects. Existing parts are found by name: ministack's ids are random."""
    cognito = _client("cognito-idp", endpoint, region)
    pool_id = _find_or_create_pool(cognito)
    pool = UserPool(pool_id, _find_or_create_client(cognito, pool_id, site))
    for group in cast.GROUPS:
        _unless_it_exists("GroupExistsException", cognito.create_group, UserPoolId=pool_id, GroupName=group)
    for person in cast.CAST:
        _create_account(cognito, pool_id, person)
    return pool


def provision_bucket(endpoint: str, region: str, site: str) -> str:
    """A bucket with public files, except uploads and private ones; CORS lets browsers on `site` upload."""
    s3 = _client("s3", endpoint, region)
    _unless_it_exists(
        "BucketAlreadyOwnedByYou",
        s3.create_bucket,
        Bucket=BUCKET,
        CreateBucketConfiguration={"LocationConstraint": region},
    )
    # In production only CloudFront reads the bucket; here browsers read it directly.
    s3.put_public_access_block(
        Bucket=BUCKET,
        PublicAccessBlockConfiguration={
            "BlockPublicAcls": True,
            "IgnorePublicAcls": True,
            "BlockPublicPolicy": False,
            "RestrictPublicBuckets": False,
        },
    )
    reading = {
        "Effect": "Allow",
        "Principal": "*",
        "Action": "s3:GetObject",
        "NotResource": [f"arn:aws:s3:::{BUCKET}/{folder}/*" for folder in ("uploads", "private")],
    }
    policy = json.dumps({"Version": "2012-10-17", "Statement": [reading]})
    s3.put_bucket_policy(Bucket=BUCKET, Policy=policy)
    sending = {"AllowedOrigins": [site], "AllowedMethods": ["POST"], "AllowedHeaders": ["*"]}
    s3.put_bucket_cors(Bucket=BUCKET, CORSConfiguration={"CORSRules": [sending]})
    return BUCKET


def _client(service: str, endpoint: str, region: str) -> Any:
    return botocore.session.get_session().create_client(
        service,
        region_name=region,
        endpoint_url=endpoint,
        aws_access_key_id=LOCAL_CREDENTIALS["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=LOCAL_CREDENTIALS["AWS_SECRET_ACCESS_KEY"],
        config=Config(s3={"addressing_style": "path"}),
    )


def _find_or_create_pool(cognito: Any) -> str:
    for pool in cognito.list_user_pools(MaxResults=60)["UserPools"]:
        if pool["Name"] == NAME:
            return str(pool["Id"])
    created = cognito.create_user_pool(
        PoolName=NAME,
        UsernameAttributes=["email"],
        AutoVerifiedAttributes=["email"],
        AdminCreateUserConfig={"AllowAdminCreateUserOnly": True},
    )
    return str(created["UserPool"]["Id"])


def _find_or_create_client(cognito: Any, pool_id: str, site: str) -> str:
    wanted = {
        "UserPoolId": pool_id,
        "ClientName": NAME,
        "AllowedOAuthFlowsUserPoolClient": True,
        "AllowedOAuthFlows": ["code"],
        "AllowedOAuthScopes": ["openid", "email", "profile"],
        "CallbackURLs": [f"{site}/auth/callback"],
        "LogoutURLs": [f"{site}/auth/signed-out"],
        "SupportedIdentityProviders": ["COGNITO"],
        "ExplicitAuthFlows": ["ALLOW_REFRESH_TOKEN_AUTH"],
    }
    for client in cognito.list_user_pool_clients(UserPoolId=pool_id, MaxResults=60)["UserPoolClients"]:
        if client["ClientName"] == NAME:
            cognito.update_user_pool_client(ClientId=client["ClientId"], **wanted)
            return str(client["ClientId"])
    # Without a secret: PKCE protects the code flow.
    return str(cognito.create_user_pool_client(GenerateSecret=False, **wanted)["UserPoolClient"]["ClientId"])


def _create_account(cognito: Any, pool_id: str, person: cast.Person) -> None:
    account = {"UserPoolId": pool_id, "Username": person.email}
    _unless_it_exists(
        "UsernameExistsException",
        cognito.admin_create_user,
        **account,
        MessageAction="SUPPRESS",
        UserAttributes=[
            {"Name": "email", "Value": person.email},
            {"Name": "email_verified", "Value": "true"},
            {"Name": "given_name", "Value": person.given_name},
            {"Name": "family_name", "Value": person.family_name},
            {"Name": "name", "Value": person.name},
        ],
    )
    if cognito.admin_get_user(**account)["UserStatus"] == "CONFIRMED":
        return
    if person.group:
        cognito.admin_add_user_to_group(**account, GroupName=person.group)
    # Last, because it confirms the account: the next start completes an interrupted one.
    cognito.admin_set_user_password(**account, Password=cast.PASSWORD, Permanent=True)


def _unless_it_exists(code: str, create: Any, **arguments: Any) -> None:
    try:
        create(**arguments)
    except ClientError as error:
        if error.response["Error"]["Code"] != code:
            raise
