"""An export, and somebody who has an account here."""

import pytest

from core.accounts.models import Person
from core.accounts.repository import people
from core.dynamo.actors import SYSTEM


@pytest.fixture
def folder(db, tmp_path):
    return tmp_path / "export"


@pytest.fixture
def anna(db) -> str:
    """She has an account here, under another spelling of her address."""
    people.create(Person(sub="anna-sub", name="Anna", email="anna@example.com"), actor=SYSTEM)
    return "anna-sub"
