"""What follows from changes of accounts: bookings of other programs become rows of the ledger."""

from contextlib import suppress

from core.dynamo import adoption
from core.dynamo.errors import NotFound
from core.dynamo.streams import Change, on
from quests import repository
from quests.models import Account
from quests.repository.ledger import BALANCES


@on("account", "MODIFY")
def follow_bookings(change: Change) -> None:
    """Of our own bookings there is a row already, so nothing is added."""
    names = Account.stored_names(BALANCES)
    before, after = change.before or {}, change.after or {}
    if all(before.get(name) == after.get(name) for name in names):
        return
    with suppress(NotFound):
        account = repository.accounts.get(after["userId"]["S"], strong=True)
        adoption.adopt(repository.accounts, account)
