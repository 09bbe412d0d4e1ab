"""Making, using and revoking personal access tokens."""

import hashlib
import secrets
from collections.abc import Collection
from contextlib import suppress
from datetime import timedelta
from typing import NamedTuple

from core.accounts import cognito, hooks
from core.accounts.bearer import PREFIX, InvalidBearer
from core.accounts.limits import TOKENS_MADE
from core.accounts.personal_tokens import repository
from core.accounts.personal_tokens.models import PersonalToken
from core.accounts.rights import ensure
from core.accounts.sessions import RENEW_AFTER, TRY_AGAIN_AFTER
from core.accounts.user import User
from core.club.models import DOMAINS
from core.common.logs import events
from core.dynamo.attributes import now
from core.dynamo.errors import Conflict, NotFound, Unavailable
from core.dynamo.idempotency import IdempotencyKey

READ, WRITE = "read", "write"
SCOPES = frozenset(f"{domain}:{access}" for domain in DOMAINS for access in (READ, WRITE))
DAYS = (30, 90, 365)


class Made(NamedTuple):
    """A new token; `text` is shown to its owner once and stored nowhere."""

    token: PersonalToken
    text: str


def make(
    user: User, name: str, scopes: Collection[str], days: int, *, once: IdempotencyKey | None = None
) -> Made:
    ensure(user, "accounts.token.update")
    if not scopes or not SCOPES.issuperset(scopes) or days not in DAYS:
        raise ValueError("A token has scopes and days of those that there are.")
    TOKENS_MADE.ensure(user.sub)
    text, moment = PREFIX + secrets.token_urlsafe(32), now()
    expires_at = moment + timedelta(days=days)
    token = repository.new(
        _digest(text),
        user.sub,
        label=name,
        scopes=sorted(scopes),
        user=user.for_session(),
        created_at=moment,
        expires_at=expires_at,
        ttl=expires_at,
        # With the first request, so that groups that were taken meanwhile do not count.
        renew_at=moment,
    )
    repository.create(token, once=once)
    events.info("token_made", sub=user.sub)
    return Made(token, text)


def listed(user: User) -> list[PersonalToken]:
    """The tokens of a person that are valid, the newest first."""
    valid = [token for token in repository.of_person(user.sub) if not token.has_expired]
    return sorted(valid, key=lambda token: token.created_at, reverse=True)


def revoke(user: User, digest: str) -> None:
    """Revoke a token of one's own; it is refused from now on."""
    ensure(user, "accounts.token.update")
    repository.delete_own(user.sub, digest)
    events.info("token_revoked", sub=user.sub)


def revoke_all_of(sub: str) -> None:
    """When somebody is signed out everywhere."""
    for token in repository.keys_of_person(sub):
        repository.delete(token)


def renew_all_of(sub: str) -> None:
    """When groups were changed, or the account was disabled: it counts with the next request."""
    for token in repository.keys_of_person(sub):
        # One that was revoked meanwhile needs nothing.
        with suppress(Conflict):
            repository.change(token, PersonalToken.renew_at.set(now()))


def user_of(text: str) -> User:
    """The user of a token: one request; every quarter of an hour the groups are asked for anew."""
    token = repository.get(_digest(text))
    if token is None or token.has_expired:
        raise InvalidBearer
    return token.person if now() < token.renew_at else _renewed(token)


def _renewed(token: PersonalToken) -> User:
    """With the groups of now, so that a token never outlives the rights or the account of its owner."""
    moment = now()
    try:
        # Only one of several concurrent requests asks Cognito.
        soon = moment + timedelta(seconds=TRY_AGAIN_AFTER)
        repository.renew(token, PersonalToken.renew_at.set(soon))
    except Conflict:
        return token.person
    try:
        account = cognito.get(token.sub)
    except NotFound as error:
        _forget(token)
        raise InvalidBearer from error
    except Unavailable:
        # As with a session: an outage of Cognito takes no rights away.
        return token.person
    if not account.enabled:
        _forget(token)
        raise InvalidBearer
    known = User.of(sub=account.sub, name=account.name, email=account.email, groups=account.groups)
    user = hooks.with_own_name(hooks.with_member_ids(known))
    token.renew_at = soon
    # If it was revoked or is to be renewed again meanwhile, the next request meets that.
    with suppress(Conflict):
        repository.renew(
            token,
            PersonalToken.user.set(user.for_session()),
            PersonalToken.renew_at.set(moment + timedelta(seconds=RENEW_AFTER)),
            PersonalToken.last_used_at.set(moment),
        )
    return user.limited_to(token.scopes)


def _forget(token: PersonalToken) -> None:
    repository.delete(token)
    events.info("token_of_nobody", sub=token.sub)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()
