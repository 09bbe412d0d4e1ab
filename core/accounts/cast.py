"""The demo accounts of a local user pool: one person for each role, two plain members and a guest."""

from typing import NamedTuple

GROUPS = ("admin", "moderator", "official", "scout-lead", "scout", "steward", "guest")
# Public on purpose: these accounts exist only in a user pool on the developer's own machine.
PASSWORD = "Fieldhouse-Demo-1"  # noqa: S105


class Person(NamedTuple):
    given_name: str
    family_name: str
    group: str | None = None

    @property
    def name(self) -> str:
        return f"{self.given_name} {self.family_name}"

    @property
    def email(self) -> str:
        return f"{self.given_name}.{self.family_name}@fieldhouse.example".lower()


CAST = (
    Person("Amara", "Lindqvist", "admin"),
    Person("Moritz", "Feldkamp", "moderator"),
    Person("Odile", "Brandt", "official"),
    Person("Leandro", "Sato", "scout-lead"),
    Person("Sina", "Hoffmann", "scout"),
    Person("Stellan", "Okafor", "steward"),
    Person("Maya", "Rosenthal"),
    Person("Milan", "Petrov"),
    Person("Gesa", "Albrecht", "guest"),
)
