"""The parameters of a stack, set at its deployment."""

from core.dynamo.cloudformation.alarms import WATCHED
from core.dynamo.cloudformation.names import Json


def parameters(app: str) -> Json:
    return _of_tables() | (_of_alarms() if app in WATCHED else {})


def _of_tables() -> Json:
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
        "TableKeyArn": {
            "Type": "String",
            "Default": "",
            "AllowedPattern": "^(arn:aws[a-z-]*:kms:[a-z0-9-]+:[0-9]{12}:key/.+)?$",
            "Description": "A KMS key of your own for the tables; else one of AWS's, which costs nothing.",
        },
    }


def _of_alarms() -> Json:
    return {
        "AlarmTopicArn": {
            "Type": "String",
            "AllowedPattern": "^arn:aws[a-z-]*:sns:[a-z0-9-]+:[0-9]{12}:.+$",
            "Description": "The SNS topic that is told of every alarm.",
        },
        "WriteUnitsAlarm": _number(
            30_000, "Alarm when a table uses more write units than this in 5 minutes."
        ),
    }


def _number(default: int, description: str) -> Json:
    return {"Type": "Number", "Default": default, "MinValue": 1, "Description": description}
