"""Accounts."""

from dynamo.repository import Repository
from quests.models import Account


class AccountRepository(Repository[Account]):
    """Points, XP and reputation are changed by the ledger only, which knows what they were changed for."""

    model = Account
    entity = "account"
    scope = "quests"
    label = "username"
    searched = ("username",)
    natural_key = True


accounts = AccountRepository()
