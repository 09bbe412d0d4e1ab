"""Accounts: opened at a member's first sign-in, with the initial points."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from django.utils.translation import gettext_lazy as _

from core.accounts import directory, hooks
from core.accounts.models import Person
from core.accounts.repository import people
from core.accounts.rights import ensure
from core.accounts.user import User
from core.dynamo.actors import SYSTEM, Actor
from core.dynamo.errors import AlreadyExists, DataError, Invalid, NotFound
from core.dynamo.idempotency import IdempotencyKey
from core.dynamo.items import new_id
from core.dynamo.transactions import Transaction, retry_on_conflict
from quests import repository
from quests.errors import AlreadyBooked, NotAllowed, NotEnoughPoints
from quests.models import Account
from quests.repository.ledger import START, Booking, figures_of
from quests.rules import INITIAL_POINTS

LONGEST_NAME = 200


@hooks.on_sign_in
def open_account(user: User) -> None:
    """Create the account at the first sign-in of a member. Reading first is cheaper than a failing create."""
    if user.is_guest:
        return
    try:
        account = repository.accounts.get(user.sub, fields=["id", "username", "email"])
    except NotFound:
        with suppress(AlreadyExists):
            create_account(user)
    else:
        copied = _directory_fields(user)
        if any(getattr(account, name) != value for name, value in copied.items()):
            # Only the directory knows whether the token or the account is outdated.
            directory.repair_copies(user.sub)


def create_account(user: User) -> Account:
    """Create the account together with its first ledger row, the initial points."""
    initial_booking = Booking(user.sub, START, "start", points=INITIAL_POINTS)

    def prepare_new(transaction: Transaction) -> Account:
        created = _create(user, {"points": INITIAL_POINTS}, transaction)
        transaction.add(repository.ledger.row(initial_booking, actor=SYSTEM))
        return created

    try:
        return retry_on_conflict(prepare_new)
    except AlreadyBooked:
        # The account was removed but its ledger was not: restore the figures from the ledger.
        return retry_on_conflict(
            lambda transaction: _create(user, repository.ledger.sums(user.sub), transaction)
        )


def _create(user: User, figures: Mapping[str, Any], transaction: Transaction) -> Account:
    person = directory.find(user.sub)
    transaction.add(people.check_version(user.sub, person.seen_version if person else None))
    account = _new_account(user, person, figures)
    return repository.accounts.create(account, actor=SYSTEM, transaction=transaction)


def _new_account(user: User, person: Person | None, figures: Mapping[str, Any]) -> Account:
    """With the name in the directory, which may be newer than that of the token."""
    return Account(id=user.sub, **figures, **_directory_fields(person or user))


@hooks.follows_directory
def copy_from_directory(person: Person, actor: Actor, transaction: Transaction) -> None:
    """Update the copies of name and address that lists and searches read from the account."""
    try:
        account = repository.accounts.get(person.sub, strong=True)
    except NotFound:
        return
    repository.accounts.update(account, _directory_fields(person), actor=actor, transaction=transaction)


def _directory_fields(person: User | Person) -> dict[str, str]:
    return {"username": (person.name or person.email)[:LONGEST_NAME], "email": person.email}


def get_own_account(user: User) -> Account:
    """The user's account; opened now if that failed at sign-in."""
    try:
        return repository.accounts.get(user.sub, strong=True)
    except NotFound:
        open_account(user)
        return repository.accounts.get(user.sub, strong=True)


def account_or_new(user: User) -> Account:
    """The user's account or, without writing anything, what `get_own_account` would open."""
    try:
        return repository.accounts.get(user.sub, strong=True)
    except NotFound:
        booked = repository.ledger.booked(user.sub)
        figures = figures_of(booked) if booked else {"points": INITIAL_POINTS}
        return _new_account(user, directory.find(user.sub), figures)


def set_wallet(user: User, address: str, *, once: IdempotencyKey | None = None) -> Account:
    """Change the user's own wallet address; an empty one removes it."""
    account = get_own_account(user)
    fields = {"wallet_address": address or None}
    return repository.accounts.update(account, fields, actor=user.actor, verb="wallet", once=once)


def objection_to_adjust(user: User, account_id: str) -> DataError | None:
    if account_id == user.sub:
        return NotAllowed(_("These are your own points. Another steward has to adjust them."))
    return None


def adjust_points(
    user: User, account_id: str, *, points: int, note: str, once: IdempotencyKey | None = None
) -> Account:
    """Give or take points with a reason; the idempotency key makes it happen once."""
    ensure(user, "quests.account.adjust")
    objection = objection_to_adjust(user, account_id)
    if objection is not None:
        raise objection
    if not points:
        raise Invalid(_("Enter how many points to add or remove."), field="points")
    account = repository.accounts.get(account_id, strong=True)
    transaction = Transaction()
    entry = f"ADJUST#{user.sub}#{once.digest if once else new_id()}"
    booking = Booking(account_id, entry, "adjust", points=points, note=note)
    repository.ledger.book(transaction, booking, actor=user.actor)
    if once is not None:
        transaction.add(once.operation())
    try:
        transaction.commit()
    except NotEnoughPoints:
        raise NotEnoughPoints(_("This person does not have that many points."), field="points") from None
    return account
