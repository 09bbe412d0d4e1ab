"""The user of a request. There is no user table: it is built from the token and stored in the session."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Self

from core.dynamo.actors import Actor

GROUPS = ("admin", "moderator", "official", "scout-lead", "scout", "steward")
# Invited by a team only; becomes a member of the club when an administrator decides so.
GUEST = "guest"
KNOWN_GROUPS = (*GROUPS, GUEST)


def initials_of(name: str) -> str:
    parts = name.split()
    return "".join(part[0] for part in (parts[:1] + parts[1:][-1:])).upper()


@dataclass(frozen=True)
class User:
    """A signed-in user. Django uses the `is_…` attributes; our rights use the groups."""

    sub: str
    name: str
    email: str
    groups: frozenset[str]
    # The keys of the CMS members with the same e-mail address.
    member_ids: frozenset[str] = frozenset()
    # When the token was issued; not stored in the session.
    issued_at: datetime | None = field(default=None, compare=False)
    # What a personal access token is limited to, such as scouting:read; None for everything.
    scopes: frozenset[str] | None = None

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
        """Whether `guest` is the only group: any other was given by an administrator and makes a member."""
        return self.groups == {GUEST}

    @property
    def initials(self) -> str:
        return initials_of(self.name)

    def limited_to(self, scopes: Iterable[str]) -> Self:
        return replace(self, scopes=frozenset(scopes))

    def __str__(self) -> str:
        return self.name

    @classmethod
    def of(cls, *, sub: str, name: str, email: str, groups: Iterable[str]) -> Self:
        """A user with the known groups among `groups`; unknown groups give no rights and are dropped."""
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
    """Replaces Django's class, which would import the models of `django.contrib.auth`."""

    pk = None
    is_authenticated = False
    is_anonymous = True
    is_active = False
