"""`manage.py restore`: everything comes back, or nothing is touched."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from config.engines.dynoxide import Dynoxide
from core.dynamo import backup, maintenance, tables
from core.dynamo.faults import FaultProxy, Faults
from tests.core.dynamo.backups import (
    ARTICLES,
    SUPPORT,
    data_file,
    numbered,
    put,
    put_many,
    refusal_of,
    run,
    run_and_kill,
    stored,
)


class TestRestoreRefuses:
    @pytest.fixture(autouse=True)
    def a_backup(self, folder: Path, empty_engine: Callable[[], Dynoxide]) -> None:
        put_many(60, "some text")
        run("backup", folder)
        empty_engine()

    def nothing_was_written(self) -> bool:
        return bool(maintenance.request("ListTables")["TableNames"] == [])

    def test_a_folder_without_a_backup(self, tmp_path: Path) -> None:
        assert (
            refusal_of("restore", tmp_path)
            == f"{tmp_path} holds no finished backup: it has no manifest.json."
        )

    def test_a_truncated_file(self, folder: Path) -> None:
        path = data_file(folder)
        path.write_bytes(path.read_bytes()[:-20])
        assert refusal_of("restore", folder) == (
            f"{path} is damaged: its checksum is not the one in manifest.json."
        )
        assert self.nothing_was_written()

    def test_a_changed_byte(self, folder: Path) -> None:
        path = data_file(folder)
        contents = bytearray(path.read_bytes())
        contents[len(contents) // 2] ^= 1
        path.write_bytes(contents)
        assert refusal_of("restore", folder) == (
            f"{path} is damaged: its checksum is not the one in manifest.json."
        )
        assert self.nothing_was_written()

    def test_a_missing_file(self, folder: Path) -> None:
        path = data_file(folder)
        path.unlink()
        assert refusal_of("restore", folder) == f"{path} is missing."
        assert self.nothing_was_written()

    def change_manifest(self, folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
        manifest = json.loads((folder / "manifest.json").read_text())
        change(manifest)
        (folder / "manifest.json").write_text(json.dumps(manifest))

    def test_another_count(self, folder: Path) -> None:
        self.change_manifest(folder, lambda manifest: manifest["tables"][0].update(items=61))
        assert refusal_of("restore", folder) == (
            f"{data_file(folder)} holds 60 items and manifest.json says 61."
        )
        assert self.nothing_was_written()

    def test_another_format(self, folder: Path) -> None:
        self.change_manifest(folder, lambda manifest: manifest.update(format=2))
        assert refusal_of("restore", folder) == f"{folder} holds a backup of format 2; this release reads 1."

    @pytest.mark.parametrize("damage", ["{", "[]", '{"format": 1}'])
    def test_a_damaged_manifest(self, folder: Path, damage: str) -> None:
        (folder / "manifest.json").write_text(damage)
        assert refusal_of("restore", folder) == f"{folder / 'manifest.json'} is damaged."

    def test_a_file_outside_the_folder(self, folder: Path) -> None:
        self.change_manifest(folder, lambda manifest: manifest["tables"][0].update(file="../elsewhere"))
        assert refusal_of("restore", folder) == f"{folder / 'manifest.json'} is damaged."

    def test_a_table_with_other_keys(self, folder: Path) -> None:
        maintenance.request(
            "CreateTable",
            TableName=ARTICLES,
            BillingMode="PAY_PER_REQUEST",
            KeySchema=[{"AttributeName": "other", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "other", "AttributeType": "S"}],
        )
        assert refusal_of("restore", folder) == (
            f"Table {ARTICLES} has other keys than the one in the backup."
        )
        assert stored() == {}

    def test_a_table_that_is_not_empty(self, folder: Path) -> None:
        list(tables.ensure_tables(tables.specs()))
        put({"articleId": {"S": "mine"}}, table=ARTICLES)
        assert refusal_of("restore", folder) == (
            f"Table {ARTICLES} is not empty; "
            "give --into-non-empty to replace the items that are in the backup."
        )
        assert stored() == {}

    def test_a_table_that_is_not_empty_unless_told(self, folder: Path) -> None:
        list(tables.ensure_tables(tables.specs()))
        put({"PK": {"S": "mine"}, "SK": {"S": "x"}}, numbered(1, "newer text")[0])
        run("restore", folder, "--into-non-empty")
        expected = {item["PK"]["S"]: item for item in numbered(60, "some text")}
        assert stored() == expected | {"mine": {"PK": {"S": "mine"}, "SK": {"S": "x"}}}

    def test_a_dry_run_writes_nothing(self, folder: Path) -> None:
        assert run("restore", folder, "--dry-run")[1:] == [
            f"Table {SUPPORT}: 60 items would be restored.",
            f"Table {ARTICLES}: 0 items would be restored.",
        ]
        assert self.nothing_was_written()

    def test_an_unreachable_engine(self, folder: Path, empty_engine: Callable[[], Dynoxide]) -> None:
        engine = empty_engine()
        engine.stop()
        assert refusal_of("restore", folder) == (
            f"DynamoDB ({engine.endpoint}) cannot be reached: EndpointConnectionError."
        )


class TestInterruptedRestore:
    @pytest.fixture
    def killed(self, folder: Path, empty_engine: Callable[[], Dynoxide]) -> Dynoxide:
        """A restore of 1,000 items that was killed after three batches."""
        put_many(1000)
        run("backup", folder)
        engine = empty_engine()
        run_and_kill("restore", folder, engine.endpoint, kill_at="_put", call=4)
        assert len(stored()) == 75
        return engine

    @pytest.mark.usefixtures("killed")
    def test_the_same_command_completes_it(self, folder: Path) -> None:
        assert "Going on with the restore that was interrupted." in run("restore", folder)
        assert stored() == {item["PK"]["S"]: item for item in numbered(1000)}

    @pytest.mark.usefixtures("killed")
    def test_once_complete_it_is_refused_like_any_other(self, folder: Path) -> None:
        run("restore", folder)
        assert refusal_of("restore", folder).startswith(f"Table {SUPPORT} is not empty;")

    def test_tables_that_it_did_not_begin_with_are_refused(self, folder: Path, killed: Dynoxide) -> None:
        maintenance.request("DeleteTable", TableName=SUPPORT)
        list(tables.ensure_tables(tables.specs()))
        put({"PK": {"S": "mine"}, "SK": {"S": "x"}})
        assert refusal_of("restore", folder).startswith(f"Table {SUPPORT} is not empty;")


def test_items_that_dynamodb_hands_back_are_sent_again(
    folder: Path, empty_engine: Callable[[], Dynoxide], settings: Any
) -> None:
    put_many(50)
    run("backup", folder)
    with FaultProxy(empty_engine().endpoint, faults=Faults(unprocessed=1)) as proxy:
        settings.DYNAMODB_ENDPOINT = proxy.endpoint
        run("restore", folder)
        assert proxy.requests.count("BatchWriteItem") > 4
        assert stored() == {item["PK"]["S"]: item for item in numbered(50)}


def test_items_that_are_handed_back_for_ever_end_in_one_sentence(
    folder: Path, empty_engine: Callable[[], Dynoxide], settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_many(50)
    run("backup", folder)
    monkeypatch.setattr(backup, "BATCH_ATTEMPTS", 1)
    with FaultProxy(empty_engine().endpoint, faults=Faults(unprocessed=1)) as proxy:
        settings.DYNAMODB_ENDPOINT = proxy.endpoint
        assert refusal_of("restore", folder) == (
            f"Table {SUPPORT} takes no more items now; run the restore again later."
        )


def test_a_restore_that_ends_with_too_few_items_fails(
    folder: Path, empty_engine: Callable[[], Dynoxide], monkeypatch: pytest.MonkeyPatch
) -> None:
    put_many(30)
    run("backup", folder)
    empty_engine()
    complete = backup._put
    monkeypatch.setattr(backup, "_put", lambda name, items: complete(name, items[1:]))
    assert refusal_of("restore", folder) == f"Table {SUPPORT} holds 28 items after the restore, not 30."


def test_items_that_expired_and_vanished_meanwhile_are_no_failure(
    folder: Path, empty_engine: Callable[[], Dynoxide], monkeypatch: pytest.MonkeyPatch
) -> None:
    put({"PK": {"S": "expired"}, "SK": {"S": "x"}, "TTL": {"N": "1000000000"}}, *numbered(2))
    run("backup", folder)
    empty_engine()
    complete = backup._put
    monkeypatch.setattr(
        backup, "_put", lambda name, items: complete(name, [item for item in items if "TTL" not in item])
    )
    assert f"Table {SUPPORT}: 3 items restored." in run("restore", folder)
