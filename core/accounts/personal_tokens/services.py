"""Making, using and revoking personal access tokens."""

import hashlib
import secrets
from collections.abc import Collection, Iterator
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import NamedTuple

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.update import Action

from core.accounts import cognito, hooks
from core.accounts.bearer import PREFIX, InvalidBearer
from core.accounts.limits import TOKENS_MADE
from core.accounts.personal_tokens.models import DIGEST, PersonalToken
from core.accounts.rights import ensure
from core.accounts.sessions import RENEW_AFTER, TRY_AGAIN_AFTER
from core.accounts.user import User
from core.common.logs import events
from core.dynamo import queries, transactions
from core.dynamo.attributes import now, to_iso
from core.dynamo.errors import Conflict, NotFound, Text, Unavailable
from core.dynamo.idempotency import IdempotencyKey
from core.dynamo.items import RawItem
from core.dynamo.transactions import Operation, Transaction

READ, WRITE = "read", "write"
# The domains that the API has operations for.
DOMAINS: dict[str, Text] = {
    "scouting": _("Scouting"),
    "quests": _("Quests"),
    "tracker": _("Softball"),
    "cms": _("Content of the website"),
}
SCOPES = frozenset(f"{domain}:{access}" for domain in DOMAINS for access in (READ, WRITE))
DAYS = (30, 90, 365)
MOST_LISTED = 100
SK = "TOKEN"


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
    token = PersonalToken(
        **_key(_digest(text)),
        gsi1_pk=_of(user.sub),
        gsi1_sk=to_iso(moment),
        sub=user.sub,
        label=name,
        scopes=sorted(scopes),
        user=user.for_session(),
        created_at=moment,
        expires_at=expires_at,
        ttl=expires_at,
        # With the first request, so that groups that were taken meanwhile do not count.
        renew_at=moment,
    )
    transaction = Transaction()
    transaction.add(transactions.put(token, condition=transactions.absent(PersonalToken)))
    if once is not None:
        transaction.add(once.operation())
    transaction.commit()
    events.info("token_made", sub=user.sub)
    return Made(token, text)


def listed(user: User) -> list[PersonalToken]:
    """The tokens of a person that are valid, the newest first."""
    page = queries.query(PersonalToken, _of(user.sub), index="GSI1", newest_first=True, limit=MOST_LISTED)
    wanted = [(PersonalToken, item.raw_key()) for item in page.items]
    # The index has no more than the keys, and lags.
    found = [item for item in queries.get_many(wanted, strong=True) if isinstance(item, PersonalToken)]
    valid = [token for token in found if not token.has_expired]
    return sorted(valid, key=lambda token: token.created_at, reverse=True)


def revoke(user: User, digest: str) -> None:
    """Revoke a token of one's own; it is refused from now on."""
    ensure(user, "accounts.token.update")
    own = PersonalToken.sub == user.sub
    key = _raw_key(digest)
    if not queries.sendable(key):
        raise NotFound
    transactions.send(
        transactions.delete(PersonalToken, key, condition=own, refused=lambda _stored: NotFound())
    )
    events.info("token_revoked", sub=user.sub)


def revoke_all_of(sub: str) -> None:
    """When somebody is signed out everywhere."""
    for token in _all_of(sub):
        transactions.send(transactions.delete(PersonalToken, token.raw_key()))


def renew_all_of(sub: str) -> None:
    """When groups were changed, or the account was disabled: it counts with the next request."""
    for token in _all_of(sub):
        is_there = transactions.exists(PersonalToken)
        actions = [PersonalToken.renew_at.set(now())]
        # One that was revoked meanwhile needs nothing.
        with suppress(Conflict):
            transactions.send(
                transactions.update(PersonalToken, token.raw_key(), actions, condition=is_there)
            )


def _all_of(sub: str) -> Iterator[PersonalToken]:
    """Only what the index projects."""
    read = partial(queries.query, PersonalToken, _of(sub), index="GSI1")
    return queries.read_all(read, limit=MOST_LISTED)


def user_of(text: str) -> User:
    """The user of a token: one request; every quarter of an hour the groups are asked for anew."""
    token = queries.get(PersonalToken, _raw_key(_digest(text)), strong=True)
    if token is None or token.has_expired:
        raise InvalidBearer
    return token.person if now() < token.renew_at else _renewed(token)


def _renewed(token: PersonalToken) -> User:
    """With the groups of now, so that a token never outlives the rights or the account of its owner."""
    moment = now()
    try:
        # Only one of several concurrent requests asks Cognito.
        soon = moment + timedelta(seconds=TRY_AGAIN_AFTER)
        transactions.send(_update(token, PersonalToken.renew_at.set(soon)))
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
        transactions.send(
            _update(
                token,
                PersonalToken.user.set(user.for_session()),
                PersonalToken.renew_at.set(moment + timedelta(seconds=RENEW_AFTER)),
                PersonalToken.last_used_at.set(moment),
            )
        )
    return user.limited_to(token.scopes)


def _update(token: PersonalToken, *actions: Action) -> Operation:
    """A change of a token that nobody else has renewed or revoked since it was read."""
    unchanged = PersonalToken.renew_at == token.renew_at
    return transactions.update(PersonalToken, token.raw_key(), actions, condition=unchanged)


def _forget(token: PersonalToken) -> None:
    transactions.send(transactions.delete(PersonalToken, token.raw_key()))
    events.info("token_of_nobody", sub=token.sub)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()


def _key(digest: str) -> dict[str, str]:
    return {"pk": DIGEST + digest, "sk": SK}


def _raw_key(digest: str) -> RawItem:
    return {"PK": {"S": DIGEST + digest}, "SK": {"S": SK}}


def _of(sub: str) -> str:
    return f"TOKENS#{sub}"
