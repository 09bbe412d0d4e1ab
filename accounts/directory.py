"""Keeps the directory of people up to date: at every sign-in, and when somebody is invited."""

from contextlib import suppress

from accounts.hooks import on_sign_in
from accounts.models import Person
from accounts.repository import people
from accounts.user import User
from dynamo.actors import Actor
from dynamo.errors import AlreadyExists, Conflict, NotFound


@on_sign_in
def enter_at_sign_in(user: User) -> None:
    enter(user.sub, name=user.name, email=user.email, actor=user.actor)


def enter(sub: str, *, name: str, email: str, actor: Actor, invited_by: str | None = None) -> None:
    """Write the person down, or what is new about them; one read when nothing is."""
    # Two tabs that sign in at the same moment bring the same news: one of them is enough.
    with suppress(AlreadyExists, Conflict):
        try:
            known = people.get(sub, strong=True)
        except NotFound:
            people.create(Person(sub=sub, name=name, email=email, invited_by=invited_by), actor=actor)
        else:
            people.update(known, {"name": name, "email": email}, actor=actor)
