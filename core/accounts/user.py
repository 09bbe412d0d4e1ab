"""The user of a request. There is no user table: it is made from the login and kept in the session."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Self

from core.dynamo.actors import Actor

GROUPS = ("admin", "moderator", "official", "scout-lead", "scout", "steward")
# Somebody whom only a team has invited: no member of the club until an administrator decides so.
GUEST = "guest"
KNOWN_GROUPS = (*GROUPS, GUEST)


@dataclass(frozen=True)
class User:
    """Somebody signed in. Django asks for the `is_…` attributes; we ask for the groups."""

    sub: str
    name: str
    email: str
    groups: frozenset[str]
    # The members of the club that this person is: those with the same e-mail address.
    member_ids: frozenset[str] = frozenset()
    # When the login issued the token that says this; a session does not keep it.
    issued_at: datetime | None = field(default=None, compare=False)

    is_authenticated = True
    is_anonymous = False
    is_active = True

    @property
    def pk(self) -> str:
        return self.sub

    @property
    def actor(self) -> Actor:
        return Actor(sub=self.sub, name=self.name)

    @property
    def is_admin(self) -> bool:
        return "admin" in self.groups

    @property
    def is_guest(self) -> bool:
        """Whoever has another group as well is no guest: an administrator has given it."""
        return self.groups == {GUEST}

    @property
    def initials(self) -> str:
        parts = self.name.split()
        return "".join(part[0] for part in (parts[:1] + parts[1:][-1:])).upper()

    def __str__(self) -> str:
        return self.name

    @classmethod
    def of(cls, *, sub: str, name: str, email: str, groups: Iterable[str]) -> Self:
        """Groups that we do not know give no rights, so they are left out."""
        return cls(
            sub=sub, name=name, email=email.lower(), groups=frozenset(groups) & frozenset(KNOWN_GROUPS)
        )

    @classmethod
    def from_session(cls, kept: Mapping[str, Any]) -> Self:
        user = cls.of(sub=kept["sub"], name=kept["name"], email=kept["email"], groups=kept["groups"])
        return replace(user, member_ids=frozenset(kept.get("member_ids", ())))

    def for_session(self) -> dict[str, Any]:
        return {
            "sub": self.sub,
            "name": self.name,
            "email": self.email,
            "groups": sorted(self.groups),
            "member_ids": sorted(self.member_ids),
        }


class AnonymousUser:
    """Nobody, as Django says it: its own class would bring the models of `django.contrib.auth` along."""

    pk = None
    is_authenticated = False
    is_anonymous = True
    is_active = False
