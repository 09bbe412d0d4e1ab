"""The person, or the system, that makes a change."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Actor:
    """`sub` is the stable id of the login; `name` is stored with it, for when the account is gone."""

    sub: str
    name: str


SYSTEM = Actor(sub="system", name="Fieldhouse")
