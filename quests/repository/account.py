"""Repository of accounts."""

from collections.abc import Collection, Iterator

from pynamodb.expressions.condition import Condition, size

from core.dynamo import changeset, transactions
from core.dynamo.errors import Conflict
from core.dynamo.repository import Repository
from core.dynamo.transactions import exists
from quests.errors import NoAccount, TooManyClaims
from quests.models import Account
from quests.repository.ledger import ledger


class AccountRepository(Repository[Account]):
    """Points, XP and reputation are changed only by `Ledger.book`, together with a ledger row."""

    model = Account
    entity = "account"
    scope = "quests"
    label = "username"
    searched = ("username",)
    natural_key = True
    adopts = True

    def adopted_with(self, item: Account) -> Iterator[transactions.Operation]:
        """What other programs have booked becomes rows of the ledger."""
        return ledger.adopted(item)

    def unchanged_condition(self, item: Account) -> Condition:
        """The version and what other programs change without it; not the time, which each booking changes."""
        names = ("version", "username", "email", "walletAddress")
        condition: Condition = exists(Account) & changeset.attributes_unchanged(item, *names)
        return condition

    def add_held_quest(self, user_id: str, quest_id: str, *, most: int) -> transactions.Operation:
        """Add a claimed quest to the account's set, unless the set is full."""
        held = Account.held_quests
        return transactions.update(
            Account,
            {"userId": {"S": user_id}},
            [held.add({quest_id})],
            condition=exists(Account)
            & (held.does_not_exist() | (size(held) < most) | held.contains(quest_id)),
            refused=lambda stored: TooManyClaims() if stored else NoAccount(),
        )

    def replace_held_quests(
        self, account: Account, running: Collection[str], quest_id: str
    ) -> transactions.Operation:
        """Replace a full set by the claims that still run and this one, unless the set changed meanwhile."""
        return transactions.update(
            Account,
            account.raw_key(),
            [Account.held_quests.set({*running, quest_id})],
            condition=Account.held_quests == account.held_quests,
            refused=lambda _stored: Conflict(),
        )


accounts = AccountRepository()
