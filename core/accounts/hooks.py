"""Hooks by which apps take part in signing in and add what they know about a person."""

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
    """Register a function that is called at every sign-in; it must do nothing the second time."""
    _hooks.append(hook)
    return hook


def signed_in(user: User) -> None:
    """A hook that fails must not keep the person out: it is tried again at the next sign-in."""
    for hook in _hooks:
        try:
            hook(user)
        except Exception:
            log.exception("A sign-in hook failed: %s", hook.__qualname__)


def finds_members(finder: MembersFinder) -> MembersFinder:
    """Register a function that answers with the keys of the club's members who have an e-mail address."""
    _finders.append(finder)
    return finder


def with_member_ids(user: User) -> User:
    """The person with the members of the club that they are. Their address is verified; the members' is not,
    so whoever writes it there decides who this member is."""
    return replace(user, member_ids=frozenset(key for finder in _finders for key in finder(user.email)))


def finds_names(finder: NameFinder) -> NameFinder:
    """Register a function that answers with the name that somebody has given themselves, by their sub."""
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
    """The person as they call themselves; where that cannot be read, as the login knows them."""
    for finder in _name_finders:
        try:
            name = finder(user.sub)
        except DataError:
            log.exception("A name could not be read: %s", finder.__qualname__)
        else:
            if name:
                return replace(user, name=name)
    return user
