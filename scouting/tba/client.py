"""Client for version 3 of the REST API of The Blue Alliance."""

import time
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from core.common import env
from core.dynamo.errors import DataError, Invalid, Text, TooManyRequests
from core.stores.http import Fetched, FetchFailed, HttpClient, Outbound
from core.stores.http.bounds import Caps
from core.stores.interfaces import Limit
from scouting.tba.parsing import TbaEvent, parse_event

# Answers are cached this long: The Blue Alliance updates its data about that often.
FRESH_SECONDS = 30
# An event takes four requests. So that nobody waits for minutes, none is started after PATIENCE_SECONDS.
CAPS = Caps(total_seconds=8, most_bytes=4 * 1024 * 1024)
PATIENCE_SECONDS = 8
# Our own rate limit, about what a few people would click; The Blue Alliance publishes none.
OUTBOUND = Outbound("tba", Limit(60, 60_000))


class NotSetUp(DataError):
    status_code = 503
    message = _(
        "The Blue Alliance is not set up because TBA_KEY is missing. You can enter teams and "
        "matches manually."
    )


class NotPublished(DataError):
    """A request to The Blue Alliance failed; the message says why."""

    status_code = 503


@dataclass(frozen=True)
class TbaClient:
    http: HttpClient
    base_url: str

    def event(self, key: str) -> TbaEvent:
        """Fetch the event with teams, ranking and matches. Raises NotPublished."""
        try:
            until = time.monotonic() + PATIENCE_SECONDS
            answers = [self._ask(f"event/{key}{part}", until) for part in ("", "/teams", "/matches")]
            event, teams, matches = (_json(answer) for answer in answers)
            if event is None:
                raise NotPublished(_("The Blue Alliance does not have this event."))
            as_of = min(answer.moment for answer in answers)
            parsed = parse_event(event, teams or [], self._ranking(key, until), matches or [], as_of=as_of)
            if parsed.key != key:
                raise FetchFailed("another event", status=200)
            return parsed
        except (FetchFailed, TooManyRequests, Invalid) as error:
            raise NotPublished(_reason(error)) from error

    def _ranking(self, key: str, until: float) -> Any:
        """The ranking, or None if it cannot be fetched: teams and matches are stored without it."""
        try:
            return _json(self._ask(f"event/{key}/rankings", until))
        except FetchFailed:
            return None

    def _ask(self, path: str, until: float) -> Fetched:
        if time.monotonic() > until:
            raise FetchFailed("too slow altogether")
        return self.http.get(f"{self.base_url}/{path}", priority="user", ttl_seconds=FRESH_SECONDS)


def is_set_up() -> bool:
    return bool(settings.TBA_KEY)


def current() -> TbaClient:
    """The client of this site. Raises NotSetUp without an API key."""
    if not is_set_up():
        raise NotSetUp
    return _made(settings.TBA_BASE_URL, settings.TBA_KEY)


@lru_cache(maxsize=1)
def _made(base_url: str, key: str) -> TbaClient:
    http = HttpClient(
        OUTBOUND.name,
        origins=[env.origin(base_url)],
        limit=OUTBOUND.limit,
        # Not from the cache if a request fails: the stored event serves for that.
        stale_seconds=0,
        headers={"X-TBA-Auth-Key": key, "Accept": "application/json"},
        caps=CAPS,
    )
    return TbaClient(http, base_url)


def _json(fetched: Fetched) -> Any:
    """The JSON of a response; None for 404, as for a ranking before the first match."""
    return None if fetched.status == 404 else fetched.json()


def _reason(error: DataError) -> Text:
    if isinstance(error, TooManyRequests):
        return _("Too many requests to The Blue Alliance. Try again in a minute.")
    if isinstance(error, FetchFailed):
        if error.status in (401, 403):
            return _("The Blue Alliance rejected our key. Whoever runs this site can change TBA_KEY.")
        if error.status is None:
            return _("The Blue Alliance is not responding.")
    return _("The Blue Alliance sent an answer that we cannot read.")
