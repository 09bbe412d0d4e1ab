"""Sessions as they are stored."""

from typing import Any

from django.conf import settings

from core.dynamo import maintenance
from core.stores.models import StoreItem
from core.stores.sessions import SessionStore

COOKIE = settings.SESSION_COOKIE_NAME


def stored(**contents: Any) -> str:
    """The key of a new session with these contents."""
    session = SessionStore()
    session.update(contents)
    session.save()
    return str(session.session_key)


def rows() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = maintenance.request("Scan", TableName=StoreItem.Meta.table_name)["Items"]
    return found


def is_alive(key: str) -> bool:
    return SessionStore(key).load() != {}
