"""Backups: made, restored and killed half way."""

import os
import signal
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from core.dynamo import backup, maintenance
from core.dynamo.items import RawItem
from core.dynamo.paging import batches
from core.dynamo.support_table import SupportItem
from tests.core.dynamo.library import Article

SUPPORT = SupportItem.Meta.table_name
ARTICLES = Article.Meta.table_name


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
