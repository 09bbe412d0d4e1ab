"""The directory of people: the authoritative name and e-mail address of every user.

It is written at sign-in, at the renewal of a session, at an invitation, and with a profile that changes the
name. Copies of name and address in other records are updated in the same transaction
(`hooks.follows_directory`). Values of an older token are ignored, in whatever order the writes arrive.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from core.accounts import hooks
from core.accounts.models import Person
from core.accounts.repository import people
from core.accounts.user import User
from core.dynamo.actors import SYSTEM, Actor
from core.dynamo.errors import NotFound
from core.dynamo.transactions import Transaction, retry_on_conflict


@hooks.on_sign_in
def enter_at_sign_in(user: User) -> None:
    enter(user.sub, name=user.name, email=user.email, actor=user.actor, as_of=user.issued_at)


def enter(
    sub: str,
    *,
    name: str,
    email: str,
    actor: Actor,
    as_of: datetime | None = None,
    invited_by: str | None = None,
) -> None:
    """Create the person, or update what changed; costs one read when nothing changed."""

    def prepare(transaction: Transaction) -> None:
        stored = find(sub)
        if stored is None:
            person = Person(
                sub=sub, name=name, email=email, name_as_of=as_of, email_as_of=as_of, invited_by=invited_by
            )
            _create(person, actor, transaction)
        else:
            _update(stored, _newer(stored, {"name": name, "email": email}, as_of), actor, transaction)

    retry_on_conflict(prepare)


def enter_name(user: User) -> None:
    """Update only the name: the address in a session dates from the sign-in and may be out of date."""

    def prepare(transaction: Transaction) -> None:
        stored = find(user.sub)
        if stored is not None:
            _update(stored, _newer(stored, {"name": user.name}, user.issued_at), user.actor, transaction)

    retry_on_conflict(prepare)


def rename(
    sub: str, name: str, *, email: str, actor: Actor, as_of: datetime, transaction: Transaction
) -> None:
    """Add a new name to the transaction that writes the profile it was entered in.

    `email` is used only if the person is not in the directory yet.
    """
    stored = find(sub)
    if stored is None:
        person = Person(sub=sub, name=name, email=email, name_as_of=as_of, email_as_of=as_of)
        _create(person, actor, transaction)
    elif name != stored.name:
        as_of = max(as_of, stored.name_as_of or as_of)
        _update(stored, {"name": name, "name_as_of": as_of}, actor, transaction)


def repair_copies(sub: str) -> None:
    """Update copies of name and address in other records that differ from the directory."""

    def prepare(transaction: Transaction) -> None:
        person = find(sub)
        if person is None:
            return
        hooks.follow_directory(person, SYSTEM, transaction)
        if transaction.operations():
            transaction.add(people.check_unchanged(person))

    retry_on_conflict(prepare)


def with_name(user: User) -> User:
    """The user with the name in the directory; unchanged if they never signed in."""
    person = find(user.sub)
    return replace(user, name=person.name) if person else user


def find(sub: str) -> Person | None:
    try:
        return people.get(sub, strong=True)
    except NotFound:
        return None


def _create(person: Person, actor: Actor, transaction: Transaction) -> None:
    hooks.follow_directory(people.create(person, actor=actor, transaction=transaction), actor, transaction)


def _update(stored: Person, fields: Mapping[str, Any], actor: Actor, transaction: Transaction) -> None:
    if fields:
        person = people.update(stored, fields, actor=actor, transaction=transaction)
        hooks.follow_directory(person, actor, transaction)


def _newer(stored: Person, claims: Mapping[str, str], as_of: datetime | None) -> dict[str, Any]:
    """The values of a token that differ from the directory and are not older than it."""
    fields: dict[str, Any] = {}
    for name, value in claims.items():
        known_as_of = getattr(stored, f"{name}_as_of")
        is_older = known_as_of is not None and (as_of is None or as_of < known_as_of)
        if value != getattr(stored, name) and not is_older:
            fields |= {name: value, f"{name}_as_of": as_of}
    return fields
