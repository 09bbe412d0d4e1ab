"""Django's sessions in DynamoDB: one request to load, one to save.

Concurrent requests of one session are merged: each saves only what it has changed. The session key is hashed
at rest and the contents are encrypted with it, so that a dump of the table has no usable sessions. A deleted
session cannot be saved again, and an outage raises `Unavailable` instead of logging everybody out.
"""

import base64
import hashlib
import json
import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib.sessions.backends.base import VALID_KEY_CHARS, CreateError, SessionBase, UpdateError
from django.utils.crypto import get_random_string
from pynamodb.attributes import UnicodeAttribute
from pynamodb.expressions.operand import Path

from core.dynamo import queries, transactions
from core.dynamo.attributes import TimestampAttribute, now, to_iso
from core.dynamo.encryption import WrongSecret, decrypt, encrypt
from core.dynamo.items import RawItem
from core.dynamo.transactions import Operation, Transaction
from core.stores.models import StoreItem

log = logging.getLogger("django.security.SuspiciousSession")

OWNER = "_owner"


class SessionItem(StoreItem):
    data = UnicodeAttribute(attr_name="Data")
    started_at = TimestampAttribute(attr_name="startedAt")
    expires_at = TimestampAttribute(attr_name="expiresAt")


class SessionStore(SessionBase):
    """A session ends after SESSION_IDLE_AGE without requests, or SESSION_COOKIE_AGE after its start."""

    # Django's own machinery, which its type stubs leave out.
    _session: dict[str, Any]
    _get_session: Callable[..., dict[str, Any]]

    def __init__(self, session_key: str | None = None) -> None:
        super().__init__(session_key)
        self._started_at: datetime | None = None
        # As it was when this request read or last saved it.
        self._stored = ""
        # Idle time counts from the last save, so a session that is only read must be saved sometimes.
        self.needs_keeping_alive = False

    def belongs_to(self, sub: str) -> None:
        """Set the owner, so that all sessions of a person can be ended at once."""
        self[OWNER] = sub

    def load(self) -> dict[str, Any]:
        item = queries.get(SessionItem, _key(self.session_key), strong=True) if self.session_key else None
        contents = self.decode(item.data) if item and item.expires_at > now() else {}
        if item is None or not contents:
            self._session_key = None
            return {}
        self._started_at, self._stored = item.started_at, item.data
        # At most one save for each tenth of the idle time, and none when the absolute lifetime ends first.
        prolonged_by = self._end(contents) - item.expires_at
        self.needs_keeping_alive = prolonged_by > timedelta(seconds=settings.SESSION_IDLE_AGE) / 10
        return contents

    def exists(self, session_key: str | None) -> bool:
        if session_key is None:
            return False
        item = queries.get(SessionItem, _key(session_key), strong=True)
        return item is not None and item.expires_at > now()

    def create(self) -> None:
        while True:
            self._session_key = self._get_new_session_key()
            try:
                self.save(must_create=True)
            except CreateError:
                # Only an earlier try of this very write, whose answer was lost, can have taken the key.
                continue
            self.modified = True
            return

    def save(self, must_create: bool = False) -> None:
        if self.session_key is None:
            self.create()
            return
        contents = self._get_session(no_load=must_create)
        if must_create:
            self._send(_new, contents)
            return
        while True:
            try:
                self._send(self._replacing, contents)
                return
            except _SavedMeanwhile as other:
                contents = self._session_cache = self._changes_applied(contents, to=self.decode(other.data))
                self._stored = other.data

    def claim(self, name: str, value: Any) -> bool:
        """Save this entry at once, unless another request has saved the session since this one read it."""
        contents = {**self._get_session(), name: value}
        try:
            self._send(self._replacing, contents)
        except _SavedMeanwhile:
            return False
        self._session_cache = contents
        return True

    def _send(self, operation: Callable[[SessionItem], Operation], contents: dict[str, Any]) -> None:
        item = self._item(contents)
        try:
            transactions.send(operation(item))
        except _SavedMeanwhile as other:
            # Where an answer was lost, that was this very request.
            if other.data != item.data:
                raise
        self._stored = item.data

    def _replacing(self, item: SessionItem) -> Operation:
        """Replace the stored session, if it is what this request has read."""
        raw = item.serialize()
        key = {name: raw.pop(name) for name in item.key_names()}
        alive = (SessionItem.data == self._stored) & (SessionItem.expires_at > now())
        actions = [Path([name]).set(value) for name, value in raw.items()]
        return transactions.update(SessionItem, key, actions, condition=alive, refused=self._gone)

    def _gone(self, found: RawItem | None) -> Exception:
        if found is not None:
            item = SessionItem.from_raw_data(found)
            if item.expires_at > now() and item.data != self._stored:
                return _SavedMeanwhile(item.data)
        return UpdateError()

    def _changes_applied(self, contents: dict[str, Any], *, to: dict[str, Any]) -> dict[str, Any]:
        """What another request has saved, with what this one has changed."""
        before = self.decode(self._stored) if self._stored else {}
        gone = before.keys() - contents.keys()
        changed = {
            name: value for name, value in contents.items() if name not in before or before[name] != value
        }
        return {name: value for name, value in to.items() if name not in gone} | changed

    def delete(self, session_key: str | None = None) -> None:
        key = session_key or self.session_key
        if key is not None:
            transactions.send(transactions.delete(SessionItem, _key(key)))

    def clear(self) -> None:
        """Empty the session and restart its absolute lifetime, as for a new sign-in."""
        super().clear()
        self._started_at = None

    def cycle_key(self) -> None:
        """Store the session under a new key and delete the old one, in one transaction."""
        contents, old_key = self._session, self.session_key
        self._session_key = self._get_new_session_key()
        transaction = Transaction()
        item = self._item(contents)
        transaction.add(_new(item))
        if old_key is not None:
            transaction.add(transactions.delete(SessionItem, _key(old_key)))
        transaction.commit()
        self._session_cache, self._stored = contents, item.data
        self.modified = True

    @classmethod
    def clear_expired(cls) -> None:
        """Nothing to do: DynamoDB removes expired items itself, `manage.py sweep` where it cannot."""

    def encode(self, session_dict: dict[str, Any]) -> str:
        text = json.dumps(session_dict, separators=(",", ":")).encode()
        return base64.b64encode(encrypt(self._secret(), text)).decode()

    def decode(self, session_data: bytes | str) -> dict[str, Any]:
        try:
            data = base64.b64decode(session_data, validate=True)
            contents: dict[str, Any] = json.loads(decrypt(self._secret(), data))
        except (WrongSecret, TypeError, ValueError):
            log.warning("Session data corrupted")
            return {}
        return contents

    def _secret(self) -> str:
        return f"session contents:{self.session_key}"

    def _get_new_session_key(self) -> str:
        # 165 random bits need no check whether the key is taken; the write would be refused.
        return get_random_string(32, VALID_KEY_CHARS)

    def _end(self, contents: dict[str, Any]) -> datetime:
        """When the session expires without further requests."""
        absolute: datetime = self.get_expiry_date(
            modification=self._started_at, expiry=contents.get("_session_expiry")
        )
        return min(now() + timedelta(seconds=settings.SESSION_IDLE_AGE), absolute)

    def _item(self, contents: dict[str, Any]) -> SessionItem:
        self._started_at = self._started_at or now()
        expires_at = self._end(contents)
        item = SessionItem(
            pk=_pk(str(self.session_key)),
            sk="DATA",
            data=self.encode(contents),
            started_at=self._started_at,
            expires_at=expires_at,
            ttl=expires_at + timedelta(seconds=1),
        )
        if OWNER in contents:
            item.gsi1_pk, item.gsi1_sk = _owned_by(contents[OWNER]), to_iso(expires_at)
        return item


def end_all_of(sub: str) -> int:
    """End every session of a person, and say how many there were."""
    ended = 0
    sessions = partial(queries.query, SessionItem, _owned_by(sub), index="GSI1")
    for item in queries.read_all(sessions, limit=100):
        transactions.send(transactions.delete(SessionItem, item.raw_key()))
        ended += 1
    return ended


def _new(item: SessionItem) -> Operation:
    is_free = SessionItem.pk.does_not_exist()
    return transactions.put(item, condition=is_free, refused=lambda _stored: CreateError())


class _SavedMeanwhile(Exception):
    def __init__(self, data: str) -> None:
        super().__init__()
        self.data = data


def _pk(session_key: str) -> str:
    return f"SESSION#{hashlib.sha256(session_key.encode()).hexdigest()}"


def _key(session_key: str) -> RawItem:
    return {"PK": {"S": _pk(session_key)}, "SK": {"S": "DATA"}}


def _owned_by(sub: str) -> str:
    return f"SESSIONS#{sub}"
