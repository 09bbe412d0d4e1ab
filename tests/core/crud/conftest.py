"""Two people who have the same record open."""

from typing import Any

import pytest
from django.test import Client

from tests.cast import sign_in
from tests.core.crud.conflicts import AsRole


@pytest.fixture
def odile(as_role: AsRole) -> Client:
    return as_role("official")


@pytest.fixture
def moritz(db: Any) -> Client:
    return sign_in(Client(), "moderator")
