"""Preferences of a person: saved filters, theme, recent items."""

from functools import partial
from typing import Any

from core.dynamo import transactions
from core.dynamo.attributes import JSONMapAttribute
from core.dynamo.paging import MOST
from core.dynamo.queries import query, read_all
from core.dynamo.support_table import SupportItem


class Preference(SupportItem):
    value = JSONMapAttribute()


def all_of(sub: str) -> dict[str, Any]:
    """Every preference of a person by name; one request unless they have more than a hundred."""
    found = read_all(partial(query, Preference, f"PREF#{sub}", strong=True), limit=MOST)
    return {preference.sk: preference.value["value"] for preference in found}


def save(sub: str, name: str, value: Any) -> None:
    transactions.commit(transactions.put(Preference(pk=f"PREF#{sub}", sk=name, value={"value": value})))


def forget(sub: str, name: str) -> None:
    transactions.commit(transactions.delete(Preference, {"PK": {"S": f"PREF#{sub}"}, "SK": {"S": name}}))
