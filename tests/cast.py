"""The fixed cast: one person for each role, two plain members, a guest and a stranger who has no session."""

import time

from django.conf import settings
from django.test import Client

from core.accounts.user import User
from core.dynamo import preferences
from core.stores.sessions import SessionStore


def _person(role: str, name: str) -> User:
    return User.of(sub=f"{role}-sub", name=name, email=f"{role}@fieldhouse.example", groups=[role])


CAST: dict[str, User] = {
    "admin": _person("admin", "Amara Lindqvist"),
    "moderator": _person("moderator", "Moritz Feldkamp"),
    "official": _person("official", "Odile Brandt"),
    "scout-lead": _person("scout-lead", "Leandro Sato"),
    "scout": _person("scout", "Sina Hoffmann"),
    "steward": _person("steward", "Stellan Okafor"),
    "member": _person("member", "Maya Rosenthal"),
    "other-member": _person("other-member", "Milan Petrov"),
    "guest": _person("guest", "Gesa Albrecht"),
}
STRANGER = "stranger"
ROLES = (*CAST, STRANGER)


def sign_in(client: Client, role: str, *, with_preferences: bool = False) -> Client:
    """Give a test client the session of one of the cast; a stranger gets none."""
    if role != STRANGER:
        session = session_of(CAST[role])
        if with_preferences:
            session["preferences"] = preferences.all_of(CAST[role].sub)
            session.save()
        client.cookies[settings.SESSION_COOKIE_NAME] = str(session.session_key)
    return client


def session_of(user: User, *, renew_in: float = 900) -> SessionStore:
    """A live session as the callback would have begun it."""
    session = SessionStore()
    session.belongs_to(user.sub)
    session["user"] = user.for_session()
    session["refresh_token"] = f"refresh-token-of-{user.sub}"
    session["renew_at"] = time.time() + renew_in
    session.save()
    return session
