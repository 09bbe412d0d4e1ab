"""What whoever deploys a stack decides."""

from dynamo.cloudformation.names import Json


def parameters() -> Json:
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
        "ReadUnitsAlarm": _number(30_000, "Alarm when a table uses more read units than this in 5 minutes."),
        "WriteUnitsAlarm": _number(
            30_000, "Alarm when a table uses more write units than this in 5 minutes."
        ),
    }


def _number(default: int, description: str) -> Json:
    return {"Type": "Number", "Default": default, "MinValue": 1, "Description": description}
