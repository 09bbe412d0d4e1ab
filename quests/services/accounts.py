"""Accounts: every member who signs in has one, with the points to begin with."""

from contextlib import suppress

from django.utils.translation import gettext_lazy as _

from core.accounts import directory, hooks
from core.accounts.models import Person
from core.accounts.repository import people
from core.accounts.rights import ensure
from core.accounts.user import User
from core.dynamo.actors import SYSTEM, Actor
from core.dynamo.errors import AlreadyExists, DataError, Invalid, NotFound
from core.dynamo.idempotency import Once
from core.dynamo.items import new_id
from core.dynamo.transactions import Transaction, retry_on_conflict
from quests import repository
from quests.errors import AlreadyBooked, NotForYou
from quests.models import Account
from quests.repository.ledger import Booking
from quests.rules import STARTING_POINTS

LONGEST_NAME = 200


@hooks.on_sign_in
def open_account(user: User) -> None:
    """The first sign-in as a member opens it; every other one finds it, which costs less than to try."""
    if user.is_guest:
        return
    try:
        account = repository.accounts.get(user.sub, fields=["id", "username", "email"])
    except NotFound:
        with suppress(AlreadyExists):
            create_account(user)
    else:
        copied = _copied(user)
        if any(getattr(account, name) != value for name, value in copied.items()):
            # Only the directory knows whether this token or the account is out of date.
            directory.repair_copies(user.sub)


def create_account(user: User) -> Account:
    """The first row of the ledger is the points to begin with."""
    start = Booking(user.sub, "START", "start", points=STARTING_POINTS)

    def prepare(transaction: Transaction) -> Account:
        account = _new_account(user, transaction)
        created = repository.accounts.create(account, actor=SYSTEM, transaction=transaction)
        transaction.add(repository.ledger.row(start, actor=SYSTEM))
        return created

    def prepare_again(transaction: Transaction) -> Account:
        account = _with_figures(_new_account(user, transaction))
        return repository.accounts.create(account, actor=SYSTEM, transaction=transaction)

    try:
        return retry_on_conflict(prepare)
    except AlreadyBooked:
        # The account was removed, its ledger was not: what was booked still holds.
        return retry_on_conflict(prepare_again)


def _new_account(user: User, transaction: Transaction) -> Account:
    """Named as the directory says when it is written; it may know something newer than the token."""
    person = directory.find(user.sub)
    transaction.add(people.check_version(user.sub, person.seen_version if person else 0))
    return Account(id=user.sub, points=STARTING_POINTS, **_copied(person or user))


@hooks.follows_directory
def copy_from_directory(person: Person, actor: Actor, transaction: Transaction) -> None:
    """Lists and searches of the board read the name and the address from the account."""
    try:
        account = repository.accounts.get(person.sub, strong=True)
    except NotFound:
        return
    repository.accounts.update(account, _copied(person), actor=actor, transaction=transaction)


def _copied(person: User | Person) -> dict[str, str]:
    return {"username": (person.name or person.email)[:LONGEST_NAME], "email": person.email}


def _with_figures(account: Account) -> Account:
    for name, figure in repository.ledger.sums(account.id).items():
        setattr(account, name, figure)
    return account


def own_account(user: User) -> Account:
    """Somebody's own; opened now if the sign-in could not."""
    try:
        return repository.accounts.get(user.sub, strong=True)
    except NotFound:
        open_account(user)
        return repository.accounts.get(user.sub, strong=True)


def set_wallet(user: User, address: str, *, once: Once | None = None) -> Account:
    """Everybody changes their own only; an empty address removes it."""
    account = own_account(user)
    fields = {"wallet_address": address or None}
    return repository.accounts.update(account, fields, actor=user.actor, verb="wallet", once=once)


def objection_to_adjust(user: User, account_id: str) -> DataError | None:
    if account_id == user.sub:
        return NotForYou(_("These are your own points: another steward has to adjust them."))
    return None


def adjust_points(
    user: User, account_id: str, *, points: int, note: str, once: Once | None = None
) -> Account:
    """A steward gives or takes points, and says why; what is sent twice with the same key is booked once."""
    ensure(user, "quests.account.adjust")
    objection = objection_to_adjust(user, account_id)
    if objection is not None:
        raise objection
    if not points:
        raise Invalid(_("Say how many points to give or to take."), field="points")
    account = repository.accounts.get(account_id, strong=True)
    transaction = Transaction()
    entry = f"ADJUST#{user.sub}#{once.key if once else new_id()}"
    booking = Booking(account_id, entry, "adjust", points=points, note=note)
    repository.ledger.book(transaction, booking, actor=user.actor)
    if once is not None:
        transaction.add(once.operation())
    transaction.commit()
    return account
