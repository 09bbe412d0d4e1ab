"""Personal access tokens in the support table: found by their digest, listed by their owner."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from pynamodb.expressions.update import Action

from core.accounts.personal_tokens.models import DIGEST, PersonalToken
from core.dynamo import queries, transactions
from core.dynamo.attributes import to_iso
from core.dynamo.errors import NotFound
from core.dynamo.idempotency import IdempotencyKey
from core.dynamo.items import RawItem
from core.dynamo.transactions import Transaction

MOST_LISTED = 100
SK = "TOKEN"


def new(digest: str, sub: str, **fields: Any) -> PersonalToken:
    """A token that is not stored yet."""
    keys = {"pk": DIGEST + digest, "sk": SK, "gsi1_pk": _of(sub), "gsi1_sk": to_iso(fields["created_at"])}
    return PersonalToken(**keys, sub=sub, **fields)


def create(token: PersonalToken, *, once: IdempotencyKey | None = None) -> None:
    transaction = Transaction()
    transaction.add(transactions.put(token, condition=transactions.absent(PersonalToken)))
    if once is not None:
        transaction.add(once.operation())
    transaction.commit()


def get(digest: str) -> PersonalToken | None:
    return queries.get(PersonalToken, _raw_key(digest), strong=True)


def of_person(sub: str) -> list[PersonalToken]:
    """The tokens of a person, whole."""
    page = queries.query(PersonalToken, _of(sub), index="GSI1", newest_first=True, limit=MOST_LISTED)
    wanted = [(PersonalToken, item.raw_key()) for item in page.items]
    # The index has no more than the keys, and lags.
    return [item for item in queries.get_many(wanted, strong=True) if isinstance(item, PersonalToken)]


def keys_of_person(sub: str) -> Iterator[PersonalToken]:
    """All tokens of a person, with only what the index projects."""
    read = partial(queries.query, PersonalToken, _of(sub), index="GSI1")
    return queries.read_all(read, limit=MOST_LISTED)


def renew(token: PersonalToken, *actions: Action) -> None:
    """Change a token that nobody else has renewed or revoked since it was read; else Conflict."""
    unchanged = PersonalToken.renew_at == token.renew_at
    transactions.send(transactions.update(PersonalToken, token.raw_key(), actions, condition=unchanged))


def change(token: PersonalToken, *actions: Action) -> None:
    """Change a token; Conflict if it was revoked meanwhile."""
    is_there = transactions.exists(PersonalToken)
    transactions.send(transactions.update(PersonalToken, token.raw_key(), actions, condition=is_there))


def delete(token: PersonalToken) -> None:
    transactions.send(transactions.delete(PersonalToken, token.raw_key()))


def delete_own(sub: str, digest: str) -> None:
    """Delete a token of this person; NotFound if they have no such token."""
    own = PersonalToken.sub == sub
    key = _raw_key(digest)
    if not queries.sendable(key):
        raise NotFound
    transactions.send(
        transactions.delete(PersonalToken, key, condition=own, refused=lambda _stored: NotFound())
    )


def _raw_key(digest: str) -> RawItem:
    return {"PK": {"S": DIGEST + digest}, "SK": {"S": SK}}


def _of(sub: str) -> str:
    return f"TOKENS#{sub}"
