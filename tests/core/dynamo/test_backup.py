"""`manage.py backup`: every byte comes back, or nothing is kept."""

import gzip
import json
import signal
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError

from config.engines.dynoxide import Dynoxide
from core.dynamo import backup, maintenance, tables
from core.dynamo.items import RawItem
from core.dynamo.support_table import SupportItem
from tests.core.dynamo.backups import (
    ARTICLES,
    SUPPORT,
    data_file,
    numbered,
    ordered,
    put,
    put_many,
    refusal_of,
    run,
    run_and_kill,
    stored,
)

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

    def test_a_killed_backup_is_none(self, folder: Path, engine_to_back_up: Dynoxide) -> None:
        put_many(100)
        run_and_kill("backup", folder, engine_to_back_up.endpoint, kill_at="to_line", call=60)
        assert [path.suffix for path in folder.iterdir()] == [".unfinished"]
        assert refusal_of("restore", folder) == f"{folder} holds no finished backup: it has no manifest.json."
        run("backup", folder)
        assert [path for path in folder.iterdir() if path.suffix == ".unfinished"] == []

    def test_a_killed_overwrite_leaves_the_old_backup_whole(
        self, folder: Path, engine_to_back_up: Dynoxide
    ) -> None:
        put_many(10)
        run("backup", folder)
        put_many(100)
        run_and_kill(
            "backup", folder, engine_to_back_up.endpoint, kill_at="to_line", call=60, extra=", overwrite=True"
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
