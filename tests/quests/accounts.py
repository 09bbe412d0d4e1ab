"""Accounts of people who have quests."""

from core.dynamo import transactions
from quests.models import Account


def remove_account(person):
    transactions.send(transactions.delete(Account, {"userId": {"S": person.sub}}))
