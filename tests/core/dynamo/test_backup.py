"""`manage.py backup` and `restore`: every byte comes back, or nothing is touched."""

import gzip
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from config.engines.dynoxide import Dynoxide
from core.dynamo import backup, maintenance, tables
from core.dynamo.faults import FaultProxy, Faults
from core.dynamo.items import RawItem
from core.dynamo.paging import batches
from core.dynamo.support_table import SupportItem
from tests.core.dynamo.library import Article

SUPPORT = SupportItem.Meta.table_name
ARTICLES = Article.Meta.table_name

EVERY_TYPE: RawItem = {
    "PK": {"S": "every#type"},
    "SK": {"S": "Grüße 👋\n\u2028"},
    "empty": {"S": ""},
    "whole": {"N": "12345678901234567890123456789012345678"},
    "fraction": {"N": "-0.00000000000000000000000000000000000001"},
    "bytes": {"B": bytes(range(256))},
    "noBytes": {"B": b""},
    "yes": {"BOOL": True},
    "no": {"BOOL": False},
    "nothing": {"NULL": True},
    "strings": {"SS": ["a", "ä", "z"]},
    "numbers": {"NS": ["-1", "0.5", "3"]},
    "binaries": {"BS": [b"\x00", b"\xff\xfe"]},
    "list": {"L": [{"S": "x"}, {"B": b"\x01"}, {"L": []}, {"M": {}}]},
    "map": {"M": {"": {"S": "empty name"}, "deep": {"M": {"BS": {"BS": [b"1"]}, "N": {"N": "1"}}}}},
}


@pytest.fixture
def own_engine(bare_engine: Dynoxide, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Dynoxide:
    """An engine of its own with empty tables."""
    monkeypatch.setattr(tables, "all_models", lambda: iter([SupportItem, Article]))
    settings.DYNAMODB_ENDPOINT = bare_engine.endpoint
    list(tables.ensure_tables(tables.specs()))
    return bare_engine


@pytest.fixture
def folder(tmp_path: Path, own_engine: Dynoxide) -> Path:
    return tmp_path / "backup"


@pytest.fixture
def empty_engine(folder: Path, other_bare_engine: Dynoxide, settings: Any) -> Callable[[], Dynoxide]:
    """Switches to another engine that has no tables."""

    def switch() -> Dynoxide:
        settings.DYNAMODB_ENDPOINT = other_bare_engine.endpoint
        return other_bare_engine

    return switch


def run(command: str, *arguments: Any) -> list[str]:
    output = StringIO()
    call_command(command, *arguments, stdout=output)
    return output.getvalue().splitlines()


def refusal_of(command: str, *arguments: Any) -> str:
    with pytest.raises(CommandError) as refusal:
        run(command, *arguments)
    assert refusal.value.returncode == 1
    return str(refusal.value)


def put(*items: RawItem, table: str = SUPPORT) -> None:
    backup._put(table, list(items))


def numbered(count: int, text: str = "") -> list[RawItem]:
    return [
        {"PK": {"S": f"item-{number:05}"}, "SK": {"S": "x"}, "text": {"S": text}} for number in range(count)
    ]


def put_many(count: int, text: str = "") -> None:
    for batch in batches(numbered(count, text), backup.BATCH_SIZE):
        put(*batch)


def stored(table: str = SUPPORT) -> dict[str, RawItem]:
    """Every item by its hash key, sets in order."""
    items = [item for page in maintenance.scan(TableName=table) for item in page["Items"]]
    return {item.get("PK", item.get("articleId", {}))["S"]: ordered({"M": item})["M"] for item in items}


def ordered(attribute: dict[str, Any]) -> dict[str, Any]:
    ((kind, value),) = attribute.items()
    match kind:
        case "SS" | "NS" | "BS":
            return {kind: sorted(value)}
        case "M":
            return {kind: {name: ordered(part) for name, part in value.items()}}
        case "L":
            return {kind: [ordered(part) for part in value]}
    return attribute


def data_file(folder: Path, table: str = SUPPORT) -> Path:
    (path,) = folder.glob(f"{table}-*.jsonl.gz")
    return path


def record_calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the commands do, in order: read a page, write a line, read a line, put a batch."""
    events: list[str] = []

    def record(module: Any, name: str, event: str, *, first: str | None = None) -> None:
        original = getattr(module, name)

        def recorded(*arguments: Any, **options: Any) -> Any:
            if first is None or arguments[0] == first:
                events.append(event)
            return original(*arguments, **options)

        monkeypatch.setattr(module, name, recorded)

    record(maintenance, "request", "read page", first="Scan")
    record(backup, "to_line", "write line")
    record(backup, "from_line", "read line")
    record(backup, "_put", "put batch")
    return events


def run_and_kill(
    command: str, folder: Path, endpoint: str, *, kill_at: str, call: int, extra: str = ""
) -> None:
    """Run a command in a process that is killed by SIGKILL in the middle of its work."""
    script = f"""
import django, os, signal
django.setup()
from django.core.management import call_command
from core.dynamo import backup, tables
from core.dynamo.support_table import SupportItem
tables.all_models = lambda: iter([SupportItem])
original, calls = backup.{kill_at}, 0
def killed(*arguments, **options):
    global calls
    calls += 1
    if calls == {call}:
        os.kill(os.getpid(), signal.SIGKILL)
    return original(*arguments, **options)
backup.{kill_at} = killed
call_command({command!r}, {str(folder)!r}{extra})
"""
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings", "DYNAMODB_ENDPOINT": endpoint}
    ended = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, check=False)
    assert ended.returncode == -signal.SIGKILL, ended.stderr.decode()


class TestRoundTrip:
    def test_every_type_comes_back_exactly(self, folder: Path, empty_engine: Callable[[], Dynoxide]) -> None:
        put(EVERY_TYPE, *numbered(3))
        put({"articleId": {"S": "a-1"}, "unknown to the model": {"N": "7"}}, table=ARTICLES)
        before = stored(), stored(ARTICLES)
        assert before[0]["every#type"] == ordered({"M": EVERY_TYPE})["M"]

        assert run("backup", folder) == [
            f"Table {SUPPORT}: 4 items.",
            f"Table {ARTICLES}: 1 items.",
            f"2 tables are in {folder}.",
        ]
        empty_engine()
        assert run("restore", folder)[1:] == [
            f"Table {SUPPORT}: created.",
            f"Table {ARTICLES}: created.",
            f"Table {SUPPORT}: TTL switched on for TTL.",
            f"Table {SUPPORT}: 4 items restored.",
            f"Table {ARTICLES}: 1 items restored.",
        ]
        assert (stored(), stored(ARTICLES)) == before
        assert tables.check_all() == []

    def test_a_line_keeps_numbers_as_they_are_written(self) -> None:
        item: RawItem = {"n": {"N": "1.500"}, "m": {"M": {"n": {"N": "1E+3"}}}}
        assert backup.to_line(item) == b'{"n":{"N":"1.500"},"m":{"M":{"n":{"N":"1E+3"}}}}\n'
        assert backup.from_line(backup.to_line(item)) == item

    def test_a_line_is_what_it_was(self) -> None:
        assert backup.from_line(backup.to_line(EVERY_TYPE)) == EVERY_TYPE

    @pytest.mark.slow
    def test_5000_items_are_streamed(
        self, folder: Path, empty_engine: Callable[[], Dynoxide], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        events = record_calls(monkeypatch)
        put_many(5000, "x" * 400)
        events.clear()
        run("backup", folder)
        empty_engine()
        run("restore", folder)

        # Never more than one page of a Scan (a megabyte) in memory when it is written, ...
        pages = [position for position, event in enumerate(events) if event == "read page"]
        written_between = [events[first:last].count("write line") for first, last in pairwise(pages)]
        assert max(written_between) < 3000
        assert events.count("write line") == 5000
        # ... and never more than one batch when it is read.
        first_put = events.index("put batch")
        last_verified = first_put - 25
        assert events[:last_verified].count("read line") == 5000
        assert events[last_verified:first_put] == ["read line"] * 25
        assert stored() == {item["PK"]["S"]: item for item in numbered(5000, "x" * 400)}

    def test_a_table_that_no_model_declares_any_more_comes_back_too(
        self, folder: Path, empty_engine: Callable[[], Dynoxide], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        put({"articleId": {"S": "a-1"}}, table=ARTICLES)
        wanted = tables.read_spec(ARTICLES)
        run("backup", folder)
        empty_engine()
        monkeypatch.setattr(tables, "all_models", lambda: iter([SupportItem]))
        run("restore", folder)
        assert stored(ARTICLES) == {"a-1": {"articleId": {"S": "a-1"}}}
        assert tables.read_spec(ARTICLES) == wanted


class TestBackup:
    def test_the_manifest_says_what_is_there(self, folder: Path) -> None:
        put_many(2)
        run("backup", folder)
        manifest = json.loads((folder / "manifest.json").read_text())
        assert manifest["format"] == 1
        table = next(table for table in manifest["tables"] if table["spec"]["name"] == SUPPORT)
        assert table["items"] == 2
        assert table["file"] == data_file(folder).name
        assert table["spec"]["keys"] == [["PK", "S"], ["SK", "S"]]
        checksum = subprocess.run(
            ["sha256sum", data_file(folder)], capture_output=True, text=True, check=True
        ).stdout.split()[0]
        assert table["sha256"] == checksum

    def test_only_the_owner_may_read_it(self, folder: Path) -> None:
        run("backup", folder)
        assert {path.stat().st_mode & 0o077 for path in (folder, *folder.iterdir())} == {0}

    def test_a_folder_with_a_backup_is_refused(self, folder: Path) -> None:
        run("backup", folder)
        assert refusal_of("backup", folder) == (
            f"{folder} already holds a backup; give --overwrite to replace it."
        )

    def test_overwrite_replaces_it(self, folder: Path) -> None:
        put_many(2)
        run("backup", folder)
        put_many(3)
        run("backup", folder, "--overwrite")
        assert len(gzip.decompress(data_file(folder).read_bytes()).splitlines()) == 3
        assert len(list(folder.iterdir())) == 3

    def test_a_missing_table_is_refused(self, folder: Path) -> None:
        maintenance.request("DeleteTable", TableName=ARTICLES)
        assert refusal_of("backup", folder) == (
            f"There is no table {ARTICLES}: run `manage.py tables create` first."
        )
        assert not folder.exists()

    def test_a_killed_backup_is_none(self, folder: Path, own_engine: Dynoxide) -> None:
        put_many(100)
        run_and_kill("backup", folder, own_engine.endpoint, kill_at="to_line", call=60)
        assert [path.suffix for path in folder.iterdir()] == [".unfinished"]
        assert refusal_of("restore", folder) == f"{folder} holds no finished backup: it has no manifest.json."
        run("backup", folder)
        assert [path for path in folder.iterdir() if path.suffix == ".unfinished"] == []

    def test_a_killed_overwrite_leaves_the_old_backup_whole(self, folder: Path, own_engine: Dynoxide) -> None:
        put_many(10)
        run("backup", folder)
        put_many(100)
        run_and_kill(
            "backup", folder, own_engine.endpoint, kill_at="to_line", call=60, extra=", overwrite=True"
        )
        assert run("restore", folder, "--dry-run")[1:] == [
            f"Table {SUPPORT}: 10 items would be restored.",
            f"Table {ARTICLES}: 0 items would be restored.",
        ]

    def test_ctrl_c_is_one_sentence_and_leaves_nothing(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        put_many(1)
        monkeypatch.setattr(backup, "to_line", lambda item: signal.raise_signal(signal.SIGINT))
        # Whoever starts the tests in the background has switched Ctrl-C off.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            with pytest.raises(CommandError) as stopped:
                run("backup", folder)
        finally:
            signal.signal(signal.SIGINT, before)
        assert str(stopped.value) == "Stopped before the end; run it again."
        assert stopped.value.returncode == 130
        assert list(folder.iterdir()) == []

    def test_a_folder_that_cannot_be_made_is_one_sentence(self, folder: Path) -> None:
        folder.write_text("in the way")
        assert refusal_of("backup", folder / "below") == f"{folder / 'below'}: Not a directory."


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
