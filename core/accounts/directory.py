"""The directory of people, which decides what somebody is called and which address they have.

It changes at a sign-in, when a session is renewed, when somebody is invited, and together with a profile in
which a new name is entered. Records that copy a name or an address change in the same transaction
(`hooks.follows_directory`). What an older token says changes nothing, in whatever order the writes arrive.
"""

from collections.abc import Mapping
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
    """Write the person down, or what is new about them; one read when nothing is."""

    def prepare(transaction: Transaction) -> None:
        known = find(sub)
        if known is None:
            person = Person(
                sub=sub, name=name, email=email, name_as_of=as_of, email_as_of=as_of, invited_by=invited_by
            )
            _create(person, actor, transaction)
        else:
            _update(known, _newer(known, {"name": name, "email": email}, as_of), actor, transaction)

    retry_on_conflict(prepare)


def enter_name(user: User) -> None:
    """The name alone: the address of a session is that of its sign-in, and may have changed since."""

    def prepare(transaction: Transaction) -> None:
        known = find(user.sub)
        if known is not None:
            _update(known, _newer(known, {"name": user.name}, user.issued_at), user.actor, transaction)

    retry_on_conflict(prepare)


def rename(
    sub: str, name: str, *, email: str, actor: Actor, as_of: datetime, transaction: Transaction
) -> None:
    """Join a new name to the write of the profile that it was entered in.

    `email` is for somebody whom no sign-in has entered yet.
    """
    known = find(sub)
    if known is None:
        person = Person(sub=sub, name=name, email=email, name_as_of=as_of, email_as_of=as_of)
        _create(person, actor, transaction)
    elif name != known.name:
        as_of = max(as_of, known.name_as_of or as_of)
        _update(known, {"name": name, "name_as_of": as_of}, actor, transaction)


def repair_copies(sub: str) -> None:
    """Bring copies that are not as the directory says in line with it."""

    def prepare(transaction: Transaction) -> None:
        person = find(sub)
        if person is None:
            return
        hooks.follow_directory(person, SYSTEM, transaction)
        if transaction.operations():
            transaction.add(people.check_unchanged(person))

    retry_on_conflict(prepare)


def find(sub: str) -> Person | None:
    try:
        return people.get(sub, strong=True)
    except NotFound:
        return None


def _create(person: Person, actor: Actor, transaction: Transaction) -> None:
    hooks.follow_directory(people.create(person, actor=actor, transaction=transaction), actor, transaction)


def _update(known: Person, fields: Mapping[str, Any], actor: Actor, transaction: Transaction) -> None:
    if fields:
        person = people.update(known, fields, actor=actor, transaction=transaction)
        hooks.follow_directory(person, actor, transaction)


def _newer(known: Person, told: Mapping[str, str], as_of: datetime | None) -> dict[str, Any]:
    """Of what a token says, what differs from the directory and is not older than it."""
    fields: dict[str, Any] = {}
    for name, value in told.items():
        known_as_of = getattr(known, f"{name}_as_of")
        is_older = known_as_of is not None and (as_of is None or as_of < known_as_of)
        if value != getattr(known, name) and not is_older:
            fields |= {name: value, f"{name}_as_of": as_of}
    return fields
