"""The owner of a team, a player without an account, and somebody to invite."""

import pytest

from tests.tracker.club import ghost, person


@pytest.fixture
def owner(db):
    return person("Olga")


@pytest.fixture
def ghost_lena(team, owner):
    return ghost(team, "Lena", 12, last_name="Sommer", actor=owner)


@pytest.fixture
def pia(db):
    return person("Pia")
