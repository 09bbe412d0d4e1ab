"""Repositories of the quest board."""

from quests.repository.account import accounts
from quests.repository.failed_reward import failed_rewards
from quests.repository.ledger import ledger
from quests.repository.quest import quests

__all__ = ["accounts", "failed_rewards", "ledger", "quests"]
