"""Accounts of all who have quests."""

import pytest

from tests.quests.board import open_accounts


@pytest.fixture
def accounts(db):
    open_accounts()
