"""`manage.py sweep` deletes what has expired and nothing else."""

import time
from collections.abc import Iterator
from io import StringIO

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from config.engines.dynoxide import Dynoxide
from core.dynamo import maintenance, sweep, tables
from core.dynamo.items import RawItem
from core.dynamo.support_table import SupportItem

TABLE = SupportItem.Meta.table_name
NOW = int(time.time())
HOUR = 3600


@pytest.fixture(autouse=True)
def only_the_support_table(db: Dynoxide, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "all_models", lambda: iter([SupportItem]))


def put(name: str, ttl: RawItem | None = None) -> None:
    item = {"PK": {"S": name}, "SK": {"S": "x"}} | ({"TTL": ttl} if ttl else {})
    maintenance.request("PutItem", TableName=TABLE, Item=item)


def put_expired(count: int) -> None:
    for number in range(count):
        put(f"expired-{number:04}", {"N": str(NOW - HOUR)})


def kept() -> set[str]:
    return {item["PK"]["S"] for page in maintenance.scan(TableName=TABLE) for item in page["Items"]}


def run(*arguments: str) -> str:
    output = StringIO()
    call_command("sweep", *arguments, stdout=output)
    return output.getvalue()


def test_only_what_has_expired_is_deleted() -> None:
    put_expired(2)
    put("later", {"N": str(NOW + HOUR)})
    put("never")
    put("text", {"S": str(NOW - HOUR)})
    put("mistake", {"N": "0"})
    assert run() == f"Table {TABLE}: 2 expired items deleted.\n"
    assert kept() == {"later", "never", "text", "mistake"}


def test_it_reads_every_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "PAGE_SIZE", 10)
    put_expired(45)
    put("later", {"N": str(NOW + HOUR)})
    assert run() == f"Table {TABLE}: 45 expired items deleted.\n"
    assert kept() == {"later"}


def test_a_dry_run_only_counts() -> None:
    put_expired(3)
    assert run("--dry-run") == f"Table {TABLE}: 3 items have expired.\n"
    assert len(kept()) == 3


def test_a_limit_is_kept() -> None:
    put_expired(5)
    assert run("--limit", "2") == f"Table {TABLE}: 2 expired items deleted.\n"
    assert len(kept()) == 3


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(CommandError, match=r"--limit must be at least 1\."):
        run("--limit", "0")


def test_an_item_extended_after_it_was_read_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    put_expired(2)
    read = sweep.expired_keys

    def extend_meanwhile(*arguments: object, **options: object) -> Iterator[RawItem]:
        keys = list(read(*arguments, **options))  # type: ignore[arg-type]
        put("expired-0001", {"N": str(NOW + HOUR)})
        yield from keys

    monkeypatch.setattr("core.dynamo.management.commands.sweep.expired_keys", extend_meanwhile)
    assert run() == f"Table {TABLE}: 1 expired items deleted.\n"
    assert kept() == {"expired-0001"}


def test_an_unreachable_engine_is_one_sentence(db: Dynoxide) -> None:
    with Dynoxide() as other:
        endpoint = other.endpoint
    settings.DYNAMODB_ENDPOINT = endpoint
    with pytest.raises(CommandError) as failure:
        run()
    assert str(failure.value) == f"DynamoDB ({endpoint}) cannot be reached: EndpointConnectionError."
