"""Who acts."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Actor:
    """The stable id from the login, and the name to show later even if the person is gone."""

    sub: str
    name: str


SYSTEM = Actor(sub="system", name="Fieldhouse")
