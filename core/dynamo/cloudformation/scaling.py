"""Auto-scaling, for those who choose provisioned capacity."""

from core.dynamo.cloudformation.names import DIRECTIONS, Json, joined


def scaling(table: str, index: str | None) -> Json:
    """Keep provisioned capacity of a table, or of one index, at 70 % use."""
    kind = "index" if index else "table"
    place = f"table/${{{table}}}/index/{index}" if index else f"table/${{{table}}}"
    resources: Json = {}
    for direction in DIRECTIONS:
        target = f"{table}{joined(index) if index else ''}{direction}Target"
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
