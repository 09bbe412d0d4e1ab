"""The demo accounts as users, and their entries in the directory."""

from django.conf import settings

from core.accounts import cognito, directory
from core.accounts.cast import CAST
from core.accounts.user import User
from core.dynamo.actors import SYSTEM

# Owns the team that has invited the guest.
INVITES_GUESTS = "Maya"


def load() -> None:
    users = people()
    for person in users.values():
        invited_by = users[INVITES_GUESTS].sub if person.is_guest else None
        directory.enter(person.sub, name=person.name, email=person.email, actor=SYSTEM, invited_by=invited_by)


def people() -> dict[str, User]:
    """The demo users by given name; empty with the Cognito of AWS, where the demo accounts do not exist."""
    if settings.COGNITO_ENDPOINT is None:
        return {}
    return {
        person.given_name: User.of(
            sub=account.sub,
            name=account.name,
            email=account.email,
            groups=[person.group] if person.group else [],
        )
        for person in CAST
        for account in cognito.find(person.email).accounts
    }
