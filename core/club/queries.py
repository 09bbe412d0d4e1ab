"""The club as every page needs it, read once in some seconds."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from core.club.models import ClubSettings
from core.club.repository import club_settings
from core.common.kept import KeptFor
from core.common.logs import events
from core.dynamo.errors import DataError

KEPT_SECONDS = 10

_may_read: ContextVar[bool] = ContextVar("club_may_read", default=True)


def current() -> ClubSettings:
    """The settings of the club, cached for KEPT_SECONDS. It never fails: in an outage the last ones hold."""
    return _kept.get() if _may_read.get() else _kept.last or ClubSettings.default()


@contextmanager
def without_reading() -> Iterator[None]:
    """Within, `current` answers at once with what this process has read last."""
    token = _may_read.set(False)
    try:
        yield
    finally:
        _may_read.reset(token)


def remember(written: ClubSettings) -> None:
    """Cache what was just written; other processes see it within KEPT_SECONDS."""
    _kept.keep(written)


def _read() -> ClubSettings:
    last = _kept.last
    try:
        stored = club_settings.stored()
    except DataError as error:
        events.warning("club_not_read", reason=type(error).__name__)
        return last or ClubSettings.default()
    # Caches have the object in their keys: see `desk.shell`.
    return last if last and last.version == stored.version else stored


_kept: KeptFor[ClubSettings] = KeptFor(KEPT_SECONDS, lambda: _read())
