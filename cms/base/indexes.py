"""GSIs of the content tables. They project the columns that lists need, not the long texts."""

from typing import Any

from core.dynamo.indexes import ALWAYS, index


def listing(name: str, hash_key: str, range_key: str | None, *columns: str) -> Any:
    return index(name, hash_key, range_key, columns=[*ALWAYS, "createdAt", *columns])


def by_age(*columns: str) -> Any:
    """GSI of all records, by creation time."""
    return listing("GSI-List", "entity", "createdAt", *columns)


def by_name(*columns: str) -> Any:
    """GSI of all records, by `sort_name`: the name without accents and capitals."""
    return listing("GSI-Name", "entity", "sortName", *columns)
