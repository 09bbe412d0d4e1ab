"""What a person has set for themselves: saved filters, theme, recent items."""

from typing import Any

from dynamo import transactions
from dynamo.attributes import JSONMapAttribute
from dynamo.queries import query
from dynamo.support import SupportItem
from dynamo.transactions import Transaction

MOST = 100


class Preference(SupportItem):
    value = JSONMapAttribute()


def all_of(sub: str) -> dict[str, Any]:
    """Every preference of a person by name, in one request."""
    page = query(Preference, f"PREF#{sub}", limit=MOST, strong=True)
    return {preference.sk: preference.value["value"] for preference in page.items}


def save(sub: str, name: str, value: Any) -> None:
    transaction = Transaction()
    transaction.add(transactions.put(Preference(pk=f"PREF#{sub}", sk=name, value={"value": value})))
    transaction.commit()


def forget(sub: str, name: str) -> None:
    transaction = Transaction()
    transaction.add(transactions.delete(Preference, {"PK": {"S": f"PREF#{sub}"}, "SK": {"S": name}}))
    transaction.commit()
