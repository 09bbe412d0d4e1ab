"""Who is in most tests: somebody with a team. And a real user pool for what makes accounts."""

import pytest

from tests.tracker import club
from tests.user_pool import pool, user_pool  # noqa: F401


@pytest.fixture
def owner(db):
    return club.person("Olivia")


@pytest.fixture
def team(owner):
    return club.team_of(owner)


@pytest.fixture
def lena(db):
    return club.person("Lena")
