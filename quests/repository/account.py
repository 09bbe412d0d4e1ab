"""Accounts."""

from collections.abc import Collection

from pynamodb.expressions.condition import size

from core.dynamo import transactions
from core.dynamo.errors import Conflict
from core.dynamo.items import RawItem
from core.dynamo.repository import Repository
from core.dynamo.transactions import exists
from quests.errors import NoAccount, TooManyClaims
from quests.models import Account


class AccountRepository(Repository[Account]):
    """Points, XP and reputation are changed by the ledger only, which knows what they were changed for."""

    model = Account
    entity = "account"
    scope = "quests"
    label = "username"
    searched = ("username",)
    natural_key = True

    def hold(self, user_id: str, quest_id: str, *, most: int) -> transactions.Operation:
        """Write down with a claim that somebody has the quest, if there is room for one more."""
        held = Account.held_quests
        return transactions.update(
            Account,
            {"userId": {"S": user_id}},
            [held.add({quest_id})],
            condition=exists(Account)
            & (held.does_not_exist() | (size(held) < most) | held.contains(quest_id)),
            refused=_no_account_or_room,
        )

    def hold_instead(self, account: Account, still: Collection[str], quest_id: str) -> transactions.Operation:
        """The same, where what has ended since makes room; only if nobody wrote to the set meanwhile."""
        return transactions.update(
            Account,
            account.raw_key(),
            [Account.held_quests.set({*still, quest_id})],
            condition=Account.held_quests == account.held_quests,
            refused=lambda _stored: Conflict(),
        )


def _no_account_or_room(stored: RawItem | None) -> Exception:
    return NoAccount() if stored is None else TooManyClaims()


accounts = AccountRepository()
