"""`manage.py tables create` and `check`, on an engine of their own whose tables may be spoilt."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from config.engines.dynoxide import Dynoxide
from config.engines.ministack import Ministack
from core.dynamo import maintenance, tables
from core.dynamo.support_table import SupportItem
from core.dynamo.tables import Index, Key, TableSpec

SUPPORT = SupportItem.Meta.table_name
PROJECTED = ("actor", "actorName", "at", "basedOn", "entity", "fields", "key", "label", "verb")


@pytest.fixture
def bare_engine(bare_engine: Dynoxide, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Dynoxide:
    """An engine without tables; only the support table is declared."""
    monkeypatch.setattr(tables, "all_models", lambda: iter([SupportItem]))
    settings.DYNAMODB_ENDPOINT = bare_engine.endpoint
    return bare_engine


def run(*arguments: str) -> list[str]:
    output = StringIO()
    call_command("tables", *arguments, stdout=output)
    return output.getvalue().splitlines()


def check_fails_with() -> list[str]:
    output = StringIO()
    with pytest.raises(CommandError) as failure:
        call_command("tables", "check", stdout=output)
    assert failure.value.returncode == 1
    return output.getvalue().splitlines()


def make_support_table(**changes: Any) -> None:
    """The support table as declared, but for the changes; None leaves an argument out."""
    arguments = tables.create_request(tables.spec_of(SUPPORT)) | changes
    maintenance.request(
        "CreateTable", **{name: value for name, value in arguments.items() if value is not None}
    )
    tables.wait_until_active(SUPPORT)


def switch_ttl_on(attribute: str = "TTL") -> None:
    specification = {"Enabled": True, "AttributeName": attribute}
    maintenance.request("UpdateTimeToLive", TableName=SUPPORT, TimeToLiveSpecification=specification)


def test_the_support_table_is_read_from_its_model() -> None:
    assert tables.spec_of(SUPPORT) == TableSpec(
        name=SUPPORT,
        keys=(Key("PK", "S"), Key("SK", "S")),
        indexes=(Index("GSI1", (Key("GSI1PK", "S"), Key("GSI1SK", "S")), "INCLUDE", PROJECTED),),
        ttl="TTL",
        stream="NEW_AND_OLD_IMAGES",
        point_in_time_recovery=True,
        deletion_protection=True,
    )


def test_specs_are_sorted_by_name() -> None:
    names = [spec.name for spec in tables.specs()]
    assert SUPPORT in names
    assert names == sorted(set(names))


@pytest.mark.usefixtures("bare_engine")
class TestCreate:
    def test_it_makes_what_is_declared_and_says_so(self) -> None:
        assert run("create") == [
            f"Table {SUPPORT}: created.",
            f"Table {SUPPORT}: TTL switched on for TTL.",
            "1 tables match.",
        ]
        made = tables.read_spec(SUPPORT)
        wanted = tables.spec_of(SUPPORT)
        assert (made.keys, made.indexes, made.ttl, made.stream) == (
            wanted.keys,
            wanted.indexes,
            wanted.ttl,
            wanted.stream,
        )

    def test_a_second_run_changes_nothing(self) -> None:
        run("create")
        assert run("create") == [f"Table {SUPPORT}: already there.", "1 tables match."]

    def test_a_table_that_somebody_makes_at_the_same_moment_is_no_failure(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run("create")
        monkeypatch.setattr(tables, "existing_names", set)  # as read before the other one made it
        assert list(tables.ensure_tables(tables.specs())) == [f"Table {SUPPORT}: created."]

    def test_a_dry_run_only_tells(self) -> None:
        assert run("create", "--dry-run") == ["Dry run: nothing is changed.", f"Table {SUPPORT}: created."]
        assert maintenance.request("ListTables")["TableNames"] == []

    def test_a_dry_run_tells_what_an_existing_table_lacks(self) -> None:
        make_support_table(StreamSpecification=None)
        assert run("create", "--dry-run") == [
            "Dry run: nothing is changed.",
            f"Table {SUPPORT}: stream switched on.",
            f"Table {SUPPORT}: TTL switched on for TTL.",
        ]
        assert tables.read_spec(SUPPORT).stream is None

    def test_it_adds_what_an_existing_table_lacks(self) -> None:
        make_support_table(
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("PK", "SK")],
            GlobalSecondaryIndexes=None,
            StreamSpecification=None,
        )
        assert run("create") == [
            f"Table {SUPPORT}: index GSI1 added.",
            f"Table {SUPPORT}: stream switched on.",
            f"Table {SUPPORT}: TTL switched on for TTL.",
            "1 tables match.",
        ]

    def test_it_fails_when_something_is_left_that_only_a_person_can_mend(self) -> None:
        make_support_table(StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"})
        with pytest.raises(CommandError, match="differ from what the models declare"):
            run("create")
        assert tables.read_spec(SUPPORT).stream == "KEYS_ONLY"

    def test_on_aws_tables_are_protected_from_deletion(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(tables, "is_aws", lambda: True)
        tables._create(tables.spec_of(SUPPORT))
        with pytest.raises(maintenance.RequestRefused, match="protected against deletion"):
            maintenance.request("DeleteTable", TableName=SUPPORT)


@pytest.mark.usefixtures("bare_engine")
def test_on_aws_missing_protection_is_switched_on(monkeypatch: pytest.MonkeyPatch) -> None:
    list(tables.ensure_tables(tables.specs()))
    monkeypatch.setattr(tables, "is_aws", lambda: True)
    monkeypatch.setattr(tables, "_point_in_time_recovery", lambda name: True)  # dynoxide has none
    assert run("create") == [f"Table {SUPPORT}: deletion protection switched on.", "1 tables match."]


@pytest.mark.usefixtures("bare_engine")
def test_more_tables_than_one_answer_lists_are_all_seen() -> None:
    key = (Key("id", "S"),)
    for number in range(101):
        maintenance.request("CreateTable", **tables.create_request(TableSpec(f"table-{number:03}", key)))
    assert tables.existing_names() == {f"table-{number:03}" for number in range(101)}


def test_point_in_time_recovery_is_switched_on_where_the_engine_has_it(
    settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tables, "all_models", lambda: iter([SupportItem]))
    with Ministack(data=tmp_path, region=settings.AWS_REGION, with_dynamodb=True) as engine:
        settings.DYNAMODB_ENDPOINT = engine.endpoint
        assert f"Table {SUPPORT}: point-in-time recovery switched on." in run("create")
        assert tables.read_spec(SUPPORT).point_in_time_recovery is True
        assert run("create") == [f"Table {SUPPORT}: already there.", "1 tables match."]


@pytest.mark.usefixtures("bare_engine")
class TestCheck:
    def test_it_is_content_with_what_create_made(self) -> None:
        run("create")
        assert run("check") == ["1 tables match."]

    def test_it_names_a_missing_table(self) -> None:
        assert check_fails_with() == [f"Table {SUPPORT}: it is missing."]

    def test_it_names_everything_that_is_off(self) -> None:
        make_support_table(
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("PK", "SK")],
            GlobalSecondaryIndexes=None,
            StreamSpecification=None,
        )
        assert check_fails_with() == [
            f"Table {SUPPORT}: index GSI1 is missing.",
            f"Table {SUPPORT}: TTL is off and should be on (TTL).",
            f"Table {SUPPORT}: its stream is off and should be on (NEW_AND_OLD_IMAGES).",
        ]

    def test_it_names_wrong_keys(self) -> None:
        make_support_table(
            KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}],
            AttributeDefinitions=[
                {"AttributeName": "PK", "AttributeType": "N"},
                {"AttributeName": "GSI1PK", "AttributeType": "S"},
                {"AttributeName": "GSI1SK", "AttributeType": "S"},
            ],
        )
        switch_ttl_on()
        assert check_fails_with() == [f"Table {SUPPORT}: its keys are PK (N) and should be PK (S), SK (S)."]

    def test_it_names_a_wrong_and_an_unexpected_index(self) -> None:
        make_support_table(
            AttributeDefinitions=[
                {"AttributeName": name, "AttributeType": "S"} for name in ("PK", "SK", "GSI1PK")
            ],
            GlobalSecondaryIndexes=[
                {
                    "IndexName": name,
                    "KeySchema": [{"AttributeName": "GSI1PK", "KeyType": "HASH"}],
                    "Projection": {"ProjectionType": "ALL"},
                }
                for name in ("GSI1", "GSI9")
            ],
        )
        switch_ttl_on()
        assert check_fails_with() == [
            f"Table {SUPPORT}: the keys of index GSI1 are GSI1PK (S) and should be GSI1PK (S), GSI1SK (S).",
            f"Table {SUPPORT}: index GSI1 projects ALL and should project INCLUDE {' '.join(PROJECTED)}.",
            f"Table {SUPPORT}: index GSI9 is not declared by any model.",
        ]

    def test_it_names_ttl_and_stream_of_another_kind(self) -> None:
        make_support_table(StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"})
        switch_ttl_on("expires")
        assert check_fails_with() == [
            f"Table {SUPPORT}: TTL is on (expires) and should be on (TTL).",
            f"Table {SUPPORT}: its stream is on (KEYS_ONLY) and should be on (NEW_AND_OLD_IMAGES).",
        ]

    def test_on_aws_it_names_missing_protection(self, monkeypatch: pytest.MonkeyPatch) -> None:
        run("create")
        monkeypatch.setattr(tables, "is_aws", lambda: True)
        monkeypatch.setattr(tables, "_point_in_time_recovery", lambda name: False)  # dynoxide has none
        assert check_fails_with() == [
            f"Table {SUPPORT}: point-in-time recovery is off and should be on.",
            f"Table {SUPPORT}: deletion protection is off and should be on.",
        ]


def test_an_unreachable_engine_is_one_sentence(bare_engine: Dynoxide) -> None:
    bare_engine.stop()
    with pytest.raises(CommandError) as failure:
        call_command("tables", "check")
    assert str(failure.value) == (
        f"DynamoDB ({bare_engine.endpoint}) cannot be reached: EndpointConnectionError."
    )


@pytest.mark.parametrize(
    ("endpoint", "aws"),
    [
        (None, True),
        ("https://dynamodb.eu-central-1.amazonaws.com", True),
        ("https://vpce-1.dynamodb.eu-central-1.vpce.amazonaws.com", True),
        ("http://127.0.0.1:8000", False),
        ("http://amazonaws.com.example:8000", False),
    ],
)
def test_a_local_engine_is_told_from_aws(endpoint: str | None, aws: bool, settings: Any) -> None:
    settings.DYNAMODB_ENDPOINT = endpoint
    assert maintenance.is_aws() is aws
