"""The parameters of a stack, set at its deployment."""

from core.dynamo.cloudformation.resources import WATCHED, Json


def parameters(app: str) -> Json:
    return _OF_TABLES | (_OF_ALARMS if app in WATCHED else {}) | _OF_OTHER_SERVICES.get(app, {})


def _number(default: int, description: str) -> Json:
    return {"Type": "Number", "Default": default, "MinValue": 1, "Description": description}


def _arn(pattern: str, description: str) -> Json:
    return {"Type": "String", "AllowedPattern": f"^arn:aws[a-z-]*:{pattern}$", "Description": description}


_OF_TABLES: Json = {
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
    "TableKeyArn": {
        "Type": "String",
        "Default": "",
        "AllowedPattern": "^(arn:aws[a-z-]*:kms:[a-z0-9-]+:[0-9]{12}:key/.+)?$",
        "Description": "A KMS key of your own for the tables; else one of AWS's, which costs nothing.",
    },
}
_OF_ALARMS: Json = {
    "AlarmTopicArn": _arn("sns:[a-z0-9-]+:[0-9]{12}:.+", "The SNS topic that is told of every alarm."),
    "WriteUnitsAlarm": _number(30_000, "Alarm when a table uses more write units than this in 5 minutes."),
}
_OF_OTHER_SERVICES: dict[str, Json] = {
    "accounts": {
        "UserPoolArn": _arn(
            "cognito-idp:[a-z0-9-]+:[0-9]{12}:userpool/.+",
            "The Cognito user pool whose people administrators manage.",
        ),
    },
    "cms": {"MediaBucketArn": _arn("s3:::[a-z0-9.-]+", "The S3 bucket for pictures and files.")},
}
