"""Hooks by which apps act at a sign-in, add data to a user, and follow changes of the directory."""

import logging
from collections.abc import Callable, Iterable
from dataclasses import replace

from core.accounts.models import Person
from core.accounts.user import User
from core.dynamo.actors import Actor
from core.dynamo.errors import DataError
from core.dynamo.transactions import Transaction

log = logging.getLogger(__name__)
Hook = Callable[[User], None]
_hooks: list[Hook] = []
MembersFinder = Callable[[str], Iterable[str]]
_finders: list[MembersFinder] = []
NameFinder = Callable[[str], str | None]
_name_finders: list[NameFinder] = []
Follower = Callable[[Person, Actor, Transaction], None]
_followers: list[Follower] = []


def on_sign_in(hook: Hook) -> Hook:
    """Register a function that is called at every sign-in; it must be idempotent."""
    _hooks.append(hook)
    return hook


def signed_in(user: User) -> None:
    """Call the sign-in hooks. A failing hook is logged and does not prevent the sign-in."""
    for hook in _hooks:
        try:
            hook(user)
        except Exception:
            log.exception("A sign-in hook failed: %s", hook.__qualname__)


def finds_members(finder: MembersFinder) -> MembersFinder:
    """Register a function that returns the keys of the members of the club with an e-mail address."""
    _finders.append(finder)
    return finder


def with_member_ids(user: User) -> User:
    """The user with `member_ids`: the members of the club with the user's e-mail address.

    The user's address is verified, a member's is not: whoever edits it decides which user this member is.
    """
    return replace(user, member_ids=frozenset(key for finder in _finders for key in finder(user.email)))


def finds_names(finder: NameFinder) -> NameFinder:
    """Register a function that returns the name from a user's own profile, by their sub."""
    _name_finders.append(finder)
    return finder


def follows_directory(follower: Follower) -> Follower:
    """Register a function that adds its own copies of a person's name and address to the same transaction."""
    _followers.append(follower)
    return follower


def follow_directory(person: Person, actor: Actor, transaction: Transaction) -> None:
    for follower in _followers:
        follower(person, actor, transaction)


def with_own_name(user: User) -> User:
    """The user with the name from their profile; unchanged if there is none or it cannot be read."""
    for finder in _name_finders:
        try:
            name = finder(user.sub)
        except DataError:
            log.exception("A name could not be read: %s", finder.__qualname__)
        else:
            if name:
                return replace(user, name=name)
    return user
