"""What is asked of an import in its tests."""

from datetime import UTC, datetime
from typing import Any

from cms.news.models import News
from core.dynamo import maintenance
from tests.cms.payload.exports import doc, part

CREATED = datetime(2025, 6, 7, 17, 2, 44, 123000, tzinfo=UTC)
ANNA = doc("u1", name="Anna Arndt", email="Anna@Example.com", role="official")
WRITES = {"TransactWriteItems", "PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem"}


def notes(lines: list[str]) -> list[str]:
    """Without that of the collections that are not in the export."""
    return [note for note in part(lines, "Notes") if not note.startswith("not in the export")]


def fields(record: Any, *names: str) -> list[Any]:
    return [getattr(record, name) for name in names]


def ids_here() -> set[str]:
    """Of all articles, whoever wrote them."""
    pages = maintenance.scan(TableName=News.Meta.table_name)
    return {item["id"]["S"] for page in pages for item in page["Items"]}
