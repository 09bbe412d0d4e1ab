"""The templates: one per app, because CloudFormation limits the resources of a stack."""

from collections import Counter
from collections.abc import Sequence

from django.apps import apps
from django.core.exceptions import ImproperlyConfigured

from core.dynamo import tables
from core.dynamo.cloudformation.parameters import parameters
from core.dynamo.cloudformation.resources import Json, logical_id, resources_of
from core.dynamo.cloudformation.rights import policies
from core.dynamo.items import StoredModel, models_of
from core.dynamo.tables import TableSpec

MOST_RESOURCES = 500


def templates() -> dict[str, Json]:
    """The template of each app that has tables, by the app's name."""
    by_app: dict[str, list[TableSpec]] = {}
    for spec in tables.specs():
        by_app.setdefault(app_of(spec.name), []).append(spec)
    return {app: template(app, by_app[app]) for app in sorted(by_app)}


def template(app: str, specs: Sequence[TableSpec]) -> Json:
    """A whole template with these tables, ready for json.dumps."""
    _refuse_equal_ids(specs)
    resources: Json = {}
    for spec in specs:
        resources |= resources_of(app, spec)
    resources |= policies(app, specs)
    if len(resources) > MOST_RESOURCES:
        raise ImproperlyConfigured(
            f"The template of {app} would have {len(resources)} resources; "
            f"CloudFormation allows {MOST_RESOURCES}."
        )
    return {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Description": f"Fieldhouse: the tables of {app}, their alarms and the rights to them",
        "Parameters": parameters(app),
        "Conditions": {
            "Provisioned": {"Fn::Equals": [{"Ref": "BillingMode"}, "PROVISIONED"]},
            "OwnKey": {"Fn::Not": [{"Fn::Equals": [{"Ref": "TableKeyArn"}, ""]}]},
        },
        "Resources": resources,
        "Outputs": _outputs(specs, resources),
    }


def app_of(table_name: str) -> str:
    """The app that declares the table. Other apps may keep items in it, by models that inherit its `Meta`."""
    owners = (model for model in models_of(table_name) if "Meta" in vars(model))
    packages = sorted({_app_label(model) for model in owners})
    if len(packages) > 1:
        raise ImproperlyConfigured(
            f"Table {table_name}: the models in it belong to {' and '.join(packages)}; one app must own it."
        )
    return packages[0]


def _app_label(model: type[StoredModel]) -> str:
    app = apps.get_containing_app_config(model.__module__)
    return app.label if app else model.__module__.partition(".")[0]


def _refuse_equal_ids(specs: Sequence[TableSpec]) -> None:
    for identifier, times in Counter(logical_id(spec.name) for spec in specs).items():
        if times > 1:
            raise ImproperlyConfigured(
                f"Two tables would both be called {identifier} in CloudFormation: rename one."
            )


def _outputs(specs: Sequence[TableSpec], resources: Json) -> Json:
    granted = [name for name, resource in resources.items() if resource["Type"] == "AWS::IAM::ManagedPolicy"]
    streamed = [logical_id(spec.name) for spec in specs if spec.stream]
    return {f"{name}Arn": {"Value": {"Ref": name}} for name in granted} | {
        f"{name}StreamArn": {"Value": {"Fn::GetAtt": [name, "StreamArn"]}} for name in streamed
    }
