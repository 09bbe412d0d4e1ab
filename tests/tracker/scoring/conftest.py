"""A game that is being scored, and the browser of whoever scores it."""

import pytest

from tests.tracker.scorebook import Played
from tests.tracker.scoring.scoring_page import signed_in


@pytest.fixture
def played():
    return Played()


@pytest.fixture
def client(played):
    return signed_in(played.owner)
