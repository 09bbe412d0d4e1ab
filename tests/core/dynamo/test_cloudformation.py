"""`manage.py tables cloudformation`: for each app a template that AWS takes, with the least rights."""

import json
import re
import tomllib
from collections import Counter
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import Any

import cfnlint.api
import pytest
from cfnlint.config import ManualArgs
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command

from core.accounts.models import Person
from core.dynamo import tables
from core.dynamo.cloudformation import stacks, template
from core.dynamo.cloudformation.resources import WATCHED, logical_id
from core.dynamo.support_table import SupportItem
from core.dynamo.tables import Index, Key, TableSpec
from core.stores.models import StoreItem
from tests.core.dynamo.library import Article

Json = dict[str, Any]

SUPPORT = tables.spec_of(SupportItem.Meta.table_name)
ARTICLES = tables.spec_of(Article.Meta.table_name)
SUPPORT_ID = logical_id(SUPPORT.name)
ARTICLES_ID = logical_id(ARTICLES.name)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the templates of all apps were written; it was not there before."""
    folder = tmp_path_factory.mktemp("cloudformation") / "all" / "stacks"
    cloudformation("--to", str(folder))
    return folder


@pytest.fixture(scope="module")
def by_app(folder: Path) -> dict[str, Json]:
    return {path.stem: json.loads(path.read_text()) for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def printed(by_app: dict[str, Json]) -> Json:
    """The template with the support table."""
    return by_app["dynamo"]


def cloudformation(*arguments: str) -> str:
    output = StringIO()
    call_command("tables", "cloudformation", *arguments, stdout=output)
    return output.getvalue()


def of_type(printed: Json, kind: str) -> list[Json]:
    return [resource["Properties"] for resource in printed["Resources"].values() if resource["Type"] == kind]


def statements(printed: Json, policy: str) -> dict[str, Json]:
    document = printed["Resources"][policy]["Properties"]["PolicyDocument"]
    return {statement["Sid"]: statement for statement in document["Statement"]}


def complaints(of: Json) -> list[str]:
    found = cfnlint.api.lint(json.dumps(of), config=ManualArgs(regions=["eu-central-1", "us-east-1"]))
    return [f"{match.rule.id} {match.message}" for match in found]


@pytest.mark.slow
def test_cfn_lint_finds_nothing_to_complain_about(by_app: dict[str, Json]) -> None:
    assert {app: complaints(printed) for app, printed in by_app.items()} == {app: [] for app in by_app}


def test_cfn_lint_would_complain_about_a_wrong_property(printed: Json) -> None:
    spoilt = json.loads(json.dumps(printed))
    spoilt["Resources"][SUPPORT_ID]["Properties"]["Billing"] = "none"
    assert [complaint[:5] for complaint in complaints(spoilt)] == ["E3002"]


def test_every_table_is_in_the_template_of_the_app_that_declares_it(by_app: dict[str, Json]) -> None:
    names = {
        app: [table["TableName"] for table in of_type(printed, "AWS::DynamoDB::Table")]
        for app, printed in by_app.items()
    }
    assert names["accounts"] == [Person.Meta.table_name]
    assert names["dynamo"] == [SUPPORT.name]
    assert names["stores"] == [StoreItem.Meta.table_name]
    assert sorted(chain.from_iterable(names.values())) == [spec.name for spec in tables.specs()]


def test_the_template_of_one_app_is_printed(folder: Path) -> None:
    assert cloudformation("--app", "accounts") == (folder / "accounts.json").read_text()


def test_an_app_without_tables_is_refused_with_the_names_of_those_that_have_some() -> None:
    with pytest.raises(CommandError, match=r"^No app api has tables; these have: accounts, cms, dynamo, "):
        cloudformation("--app", "api")


def test_a_table_is_in_it_as_declared(printed: Json) -> None:
    resource = printed["Resources"][SUPPORT_ID]
    table = resource["Properties"]
    assert (resource["DeletionPolicy"], resource["UpdateReplacePolicy"]) == ("Retain", "Retain")
    assert table["TimeToLiveSpecification"] == {"Enabled": True, "AttributeName": "TTL"}
    assert table["StreamSpecification"] == {"StreamViewType": "NEW_AND_OLD_IMAGES"}
    assert table["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
    assert table["DeletionProtectionEnabled"] is True


def test_aws_encrypts_with_a_key_that_costs_nothing_unless_one_is_given(printed: Json) -> None:
    assert printed["Parameters"]["TableKeyArn"]["Default"] == ""
    assert printed["Resources"][SUPPORT_ID]["Properties"]["SSESpecification"] == {
        "Fn::If": [
            "OwnKey",
            {"SSEEnabled": True, "SSEType": "KMS", "KMSMasterKeyId": {"Ref": "TableKeyArn"}},
            {"Ref": "AWS::NoValue"},
        ]
    }
    assert printed["Conditions"]["OwnKey"] == {"Fn::Not": [{"Fn::Equals": [{"Ref": "TableKeyArn"}, ""]}]}


def test_capacity_is_paid_on_demand_unless_provisioned_is_chosen(printed: Json) -> None:
    assert printed["Parameters"]["BillingMode"]["Default"] == "PAY_PER_REQUEST"
    table = printed["Resources"][SUPPORT_ID]["Properties"]
    assert table["BillingMode"] == {"Ref": "BillingMode"}
    for part in (table, *table["GlobalSecondaryIndexes"]):
        condition, provisioned, on_demand = part["ProvisionedThroughput"]["Fn::If"]
        assert condition == "Provisioned"
        assert provisioned["ReadCapacityUnits"] == {"Ref": "LeastReadUnits"}
        assert on_demand == {"Ref": "AWS::NoValue"}


def test_provisioned_capacity_scales_for_each_table_and_index_in_both_directions() -> None:
    printed = template("library", [SUPPORT, ARTICLES])
    scaled = Counter(
        target["ResourceId"]["Fn::Sub"]
        for target in of_type(printed, "AWS::ApplicationAutoScaling::ScalableTarget")
    )
    expected = Counter(
        place
        for spec in (SUPPORT, ARTICLES)
        for place in (
            f"table/${{{logical_id(spec.name)}}}",
            *(f"table/${{{logical_id(spec.name)}}}/index/{index.name}" for index in spec.indexes),
        )
        for _direction in ("Read", "Write")
    )
    assert scaled == expected
    assert len(of_type(printed, "AWS::ApplicationAutoScaling::ScalingPolicy")) == expected.total()
    conditions = {
        resource.get("Condition")
        for resource in printed["Resources"].values()
        if resource["Type"].startswith("AWS::ApplicationAutoScaling")
    }
    assert conditions == {"Provisioned"}


def test_few_alarms_watch_the_two_tables_that_tell_of_trouble_first(by_app: dict[str, Json]) -> None:
    watched = {
        app: {
            name.partition("Table")[2]: [
                metric["MetricStat"]["Metric"]["MetricName"]
                for metric in resource["Properties"]["Metrics"]
                if "MetricStat" in metric
            ]
            for name, resource in printed["Resources"].items()
            if resource["Type"] == "AWS::CloudWatch::Alarm"
        }
        for app, printed in by_app.items()
    }
    throttled = ["ReadThrottleEvents", "WriteThrottleEvents"]
    assert {app: alarms for app, alarms in watched.items() if alarms} == {
        "dynamo": {
            "Throttled": throttled,
            "Errors": ["SystemErrors"],
            "WriteUnitsHigh": ["ConsumedWriteCapacityUnits"],
        },
        "stores": {"Throttled": throttled, "WriteUnitsHigh": ["ConsumedWriteCapacityUnits"]},
    }
    alarms = of_type(by_app["dynamo"], "AWS::CloudWatch::Alarm")
    assert all(alarm["AlarmActions"] == [{"Ref": "AlarmTopicArn"}] for alarm in alarms)
    assert [app for app, printed in by_app.items() if "AlarmTopicArn" in printed["Parameters"]] == [*WATCHED]


def test_all_stacks_together_cost_less_than_one_dollar_a_month_while_nobody_comes(
    by_app: dict[str, Json],
) -> None:
    """Resources that are made only on a wish are left out, unknown ones have no price and fail."""
    prices = tomllib.loads((settings.BASE_DIR / "core/dynamo/cloudformation/prices.toml").read_text())
    resources = [
        resource
        for app in by_app.keys() - {"tests"}
        for resource in by_app[app]["Resources"].values()
        if "Condition" not in resource
    ]
    alarms = [each for each in resources if each["Type"] == "AWS::CloudWatch::Alarm"]
    metrics = sum("MetricStat" in metric for each in alarms for metric in each["Properties"]["Metrics"])
    bill = metrics * prices["alarm_metric"] + sum(
        prices[each["Type"]] for each in resources if each not in alarms
    )

    assert bill == pytest.approx(0.70)
    assert bill < 1


class TestTheWebRole:
    def test_it_may_do_exactly_what_pages_need(self) -> None:
        allowed = {
            action
            for statement in statements(template("library", [SUPPORT, ARTICLES]), "WebPolicy1").values()
            if statement["Effect"] == "Allow"
            for action in statement["Action"]
        }
        assert allowed == {
            "dynamodb:BatchGetItem",
            "dynamodb:BatchWriteItem",
            "dynamodb:ConditionCheckItem",
            "dynamodb:DeleteItem",
            "dynamodb:GetItem",
            "dynamodb:PutItem",
            "dynamodb:Query",
            "dynamodb:UpdateItem",
        }

    def test_everything_else_on_any_table_is_denied(self, printed: Json) -> None:
        denied = statements(printed, "WebPolicy1")["NothingElse"]
        assert denied["Effect"] == "Deny"
        assert {"dynamodb:Scan", "dynamodb:DeleteTable", "dynamodb:UpdateTable"}.isdisjoint(
            denied["NotAction"]
        )
        assert denied["Resource"]["Fn::Sub"].endswith(":table/*")

    def test_it_reaches_only_our_tables_and_indexes(self) -> None:
        allowed = statements(template("library", [SUPPORT, ARTICLES]), "WebPolicy1")
        assert allowed["Read"]["Resource"] == [
            {"Fn::GetAtt": [SUPPORT_ID, "Arn"]},
            {"Fn::GetAtt": [ARTICLES_ID, "Arn"]},
        ]
        assert allowed["ReadIndexes"]["Resource"] == [
            {"Fn::Sub": f"${{{SUPPORT_ID}.Arn}}/index/*"},
            {"Fn::Sub": f"${{{ARTICLES_ID}.Arn}}/index/*"},
        ]

    def test_records_are_written_in_transactions_only(self) -> None:
        allowed = statements(template("library", [SUPPORT, ARTICLES]), "WebPolicy1")
        assert allowed["WriteRecords"]["Resource"] == [{"Fn::GetAtt": [ARTICLES_ID, "Arn"]}]
        assert allowed["WriteRecords"]["Condition"] == {
            "ForAnyValue:StringEquals": {"dynamodb:EnclosingOperation": ["TransactWriteItems"]}
        }
        assert "dynamodb:BatchWriteItem" not in allowed["WriteRecords"]["Action"]
        assert allowed["Write"]["Resource"] == [{"Fn::GetAtt": [SUPPORT_ID, "Arn"]}]
        assert "Condition" not in allowed["Write"]


def test_operators_may_read_whole_tables_but_not_drop_them(printed: Json) -> None:
    allowed = statements(printed, "OperatorPolicy1")["Work"]["Action"]
    assert {"dynamodb:Scan", "dynamodb:DescribeTable", "dynamodb:CreateBackup"} <= set(allowed)
    assert not {"dynamodb:DeleteTable", "dynamodb:UpdateTable"} & set(allowed)


def test_operators_and_the_handlers_of_streams_may_read_streams() -> None:
    allowed = statements(template("library", [SUPPORT, ARTICLES]), "OperatorPolicy1")["ReadStreams"]
    assert allowed["Action"] == [
        "dynamodb:DescribeStream",
        "dynamodb:GetRecords",
        "dynamodb:GetShardIterator",
    ]
    assert allowed["Resource"] == [{"Fn::GetAtt": [SUPPORT_ID, "StreamArn"]}]


def test_the_web_role_may_call_of_cognito_exactly_what_the_code_calls(by_app: dict[str, Json]) -> None:
    policy = by_app["accounts"]["Resources"]["PeoplePolicy"]["Properties"]["PolicyDocument"]
    code = "".join(path.read_text() for path in (settings.BASE_DIR / "core").rglob("*.py"))
    names = re.findall(r'"(admin_[a-z_]+|list_users[a-z_]*)"', code)
    called = {name.title().replace("_", "") for name in names}

    (statement,) = policy["Statement"]
    assert set(statement["Action"]) == {f"cognito-idp:{name}" for name in called}
    assert statement["Resource"] == {"Ref": "UserPoolArn"}


def test_files_may_be_read_written_deleted_and_listed_and_nothing_else(by_app: dict[str, Json]) -> None:
    policy = by_app["cms"]["Resources"]["FilesPolicy"]["Properties"]["PolicyDocument"]
    keep, list_files = policy["Statement"]

    assert keep["Action"] == ["s3:DeleteObject", "s3:GetObject", "s3:PutObject"]
    assert keep["Resource"] == {"Fn::Sub": "${MediaBucketArn}/*"}
    assert (list_files["Action"], list_files["Resource"]) == ("s3:ListBucket", {"Ref": "MediaBucketArn"})


def many_tables(count: int, *, indexes: int = 5) -> list[TableSpec]:
    keys = (Key("PK", "S"), Key("SK", "S"))
    return [
        TableSpec(
            f"production-table-{number:03}",
            keys,
            tuple(Index(f"GSI{n}", keys, "ALL") for n in range(indexes)),
            stream="NEW_AND_OLD_IMAGES",
        )
        for number in range(count)
    ]


def test_policies_of_many_tables_fit_into_what_iam_takes() -> None:
    large = template("library", many_tables(16))
    policies = [name for name in large["Resources"] if name.startswith("WebPolicy")]
    assert policies == ["WebPolicy1", "WebPolicy2"]
    arn = "arn:aws-us-gov:dynamodb:us-gov-west-1:123456789012:table/production-table-000"
    for policy in of_type(large, "AWS::IAM::ManagedPolicy"):
        document = json.dumps(policy["PolicyDocument"], separators=(",", ":"))
        for number in range(16):
            identifier = f"ProductionTable{number:03}Table"
            document = document.replace(f'{{"Fn::GetAtt":["{identifier}","Arn"]}}', f'"{arn}"')
            document = document.replace(f'{{"Fn::Sub":"${{{identifier}.Arn}}/index/*"}}', f'"{arn}/index/*"')
            stream = f'"{arn}/stream/2026-11-16T00:00:00.000"'
            document = document.replace(f'{{"Fn::GetAtt":["{identifier}","StreamArn"]}}', stream)
        assert "Fn::GetAtt" not in document
        assert len(document) <= 6144


def test_one_role_takes_the_policies_of_all_apps(by_app: dict[str, Json]) -> None:
    """Unless somebody asks AWS for more, a role takes ten policies."""
    names = [
        name
        for app in by_app.keys() - {"tests"}
        for name, resource in by_app[app]["Resources"].items()
        if resource["Type"] == "AWS::IAM::ManagedPolicy"
    ]
    assert {"PeoplePolicy", "FilesPolicy"} <= set(names)
    assert len([name for name in names if not name.startswith("OperatorPolicy")]) <= 10
    assert len([name for name in names if not name.startswith("WebPolicy")]) <= 10


def test_every_template_stays_well_below_what_cloudformation_takes(
    folder: Path, by_app: dict[str, Json]
) -> None:
    """At 500 resources, or a million bytes, an app needs a second stack: see it coming."""
    assert {app: n for app, printed in by_app.items() if (n := len(printed["Resources"])) > 450} == {}
    assert {path.stem: n for path in folder.iterdir() if (n := path.stat().st_size) > 900_000} == {}


def test_more_resources_than_cloudformation_takes_are_refused() -> None:
    with pytest.raises(ImproperlyConfigured) as refusal:
        template("library", many_tables(40, indexes=2))
    assert str(refusal.value) == (
        "The template of library would have 526 resources; CloudFormation allows 500."
    )


def test_a_table_with_models_of_two_apps_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Article, "__module__", "cms.news.models")
    monkeypatch.setattr(Article.Meta, "table_name", SUPPORT.name)
    with pytest.raises(ImproperlyConfigured) as refusal:
        stacks.app_of(SUPPORT.name)
    assert str(refusal.value) == (
        f"Table {SUPPORT.name}: the models in it belong to cms and dynamo; one app must own it."
    )


def test_two_tables_whose_names_differ_only_in_punctuation_are_refused() -> None:
    keys = (Key("PK", "S"),)
    with pytest.raises(ImproperlyConfigured) as refusal:
        template("scouting", [TableSpec("stand-forms", keys), TableSpec("stand_forms", keys)])
    assert str(refusal.value) == (
        "Two tables would both be called StandFormsTable in CloudFormation: rename one."
    )
