"""Two people who have the same record open."""

from typing import Any

import pytest
from django.test import Client

from cms.roles.models import Role
from cms.roles.repository import roles
from core.accounts.models import Person
from core.accounts.repository import people
from core.dynamo.actors import Actor
from tests.cast import sign_in
from tests.core.crud.conflicts import AsRole


@pytest.fixture
def odile(as_role: AsRole) -> Client:
    return as_role("official")


@pytest.fixture
def moritz(db: Any) -> Client:
    return sign_in(Client(), "moderator")


@pytest.fixture
def records_to_pick(db: object, alice: Actor) -> None:
    for name in ("Trainer", "Treasurer", "Captain"):
        roles.create(Role(id=name.lower(), name=name), actor=alice)
    people.create(Person(sub="odile", name="Odile Brandt", email="odile@club.example"), actor=alice)
