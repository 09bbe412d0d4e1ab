"""Preferences of a person: saved filters, theme, recent items."""

from typing import Any

from core.dynamo import transactions
from core.dynamo.attributes import JSONMapAttribute
from core.dynamo.paging import MOST, StartKey
from core.dynamo.queries import query
from core.dynamo.support_table import SupportItem


class Preference(SupportItem):
    value = JSONMapAttribute()


def all_of(sub: str) -> dict[str, Any]:
    """Every preference of a person by name; one request unless they have more than a hundred."""
    found: dict[str, Any] = {}
    start: StartKey | None = None
    while True:
        page = query(Preference, f"PREF#{sub}", limit=MOST, start=start, strong=True)
        found |= {preference.sk: preference.value["value"] for preference in page.items}
        if page.next_key is None:
            return found
        start = page.next_key


def save(sub: str, name: str, value: Any) -> None:
    transactions.commit(transactions.put(Preference(pk=f"PREF#{sub}", sk=name, value={"value": value})))


def forget(sub: str, name: str) -> None:
    transactions.commit(transactions.delete(Preference, {"PK": {"S": f"PREF#{sub}"}, "SK": {"S": name}}))
