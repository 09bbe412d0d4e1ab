"""Client of the SAMS REST API, version 2. Responses are cached, for a time that depends on their kind."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any, Generic, Self, TypeVar
from urllib.parse import quote

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from cms.sams import parsing, values
from cms.sams.parsing import Association, Club, Hierarchy, Json, League, Match, RankingRow, Season, Team
from core.common import env
from core.dynamo.errors import DataError
from core.stores.http import Fetched, FetchFailed, HttpClient, Outbound
from core.stores.http.bounds import Caps
from core.stores.interfaces import Limit, Priority

T = TypeVar("T")
PAGE_SIZE = 100
MOST_PAGES = 50
MINUTES, HOURS = 60, 3600
RESULTS_SECONDS = 5 * MINUTES
SEASONS_SECONDS = 12 * HOURS
STRUCTURE_SECONDS = 24 * HOURS
# A background job waits for the rate limit instead of failing half-way.
PATIENCE_SECONDS = 120
# Our own limit, about as often as a person clicks; the association publishes none.
OUTBOUND = Outbound("sams", Limit(60, MINUTES * 1000))
# The largest response accepted; a page of a hundred objects is long.
CAPS = Caps(most_bytes=5 * 1024 * 1024)
# SAMS sends application/hal+json only and answers 406 to application/json.
ACCEPT = "*/*"


class NotSetUp(DataError):
    status_code = 503
    message = _("SAMS is not set up. SAMS_API_KEY and SAMS_CLUB are missing.")


@dataclass(frozen=True)
class Answer(Generic[T]):
    """The items of all pages; `as_of` is the earliest time at which one of the responses was fetched."""

    items: list[T]
    as_of: datetime


@dataclass(frozen=True)
class SamsClient:
    """`only_current` refuses stale cached responses, which are served while SAMS is down; for syncs."""

    http: HttpClient
    base_url: str
    priority: Priority = "user"
    only_current: bool = False

    def for_sync(self) -> Self:
        return replace(self, priority="background", only_current=True)

    def seasons(self) -> list[Season]:
        return self._all("seasons", parsing.season, SEASONS_SECONDS).items

    def associations(self) -> list[Association]:
        return self._all("associations", parsing.association, STRUCTURE_SECONDS).items

    def association(self, uuid: str) -> Association | None:
        """The association with this uuid, also if `associations` lacks it; None if there is none."""
        found = self.ask(f"associations/{_part(uuid)}", STRUCTURE_SECONDS)
        return parsing.association(values.mapping(_json(found))) if found else None

    def clubs(self, association: str) -> list[Club]:
        path = f"associations/{_part(association)}/sportsclubs"
        return self._all(path, parsing.club, RESULTS_SECONDS).items

    def leagues(self, association: str, season: str) -> list[League]:
        """The leagues of the season; filtered here as well, in case the server ignores its parameter."""
        found = self._all("leagues", parsing.league, RESULTS_SECONDS, association=association, season=season)
        return [league for league in found.items if league.season_uuid in (season, None)]

    def hierarchies(self, association: str, season: str) -> list[Hierarchy]:
        chosen = {"association": association, "for-season": season}
        return self._all("league-hierarchies", parsing.hierarchy, STRUCTURE_SECONDS, **chosen).items

    def teams(self, league: str) -> list[Team]:
        return self._all(f"leagues/{_part(league)}/teams", parsing.team, RESULTS_SECONDS).items

    def rankings(self, league: str) -> Answer[RankingRow]:
        return self._all(f"leagues/{_part(league)}/rankings", parsing.ranking_row, RESULTS_SECONDS)

    def matches(self, league: str) -> Answer[Match]:
        return self._all("league-matches", parsing.match, RESULTS_SECONDS, **{"for-league": league})

    def ask(self, path: str, seconds: float, **params: str | int) -> Fetched | None:
        """One response; None for a 404."""
        fetched = self.http.get(
            f"{self.base_url}/{path}",
            params,
            priority=self.priority,
            ttl_seconds=seconds,
            patience_seconds=PATIENCE_SECONDS if self.priority == "background" else 0,
        )
        if fetched.is_stale and self.only_current:
            raise FetchFailed("only an earlier answer")
        return None if fetched.status == 404 else fetched

    def _all(
        self, path: str, parse: Callable[[Json], T | None], seconds: float, **params: str | int
    ) -> Answer[T]:
        items: list[T] = []
        moments: list[datetime] = []
        for number in range(MOST_PAGES):
            fetched = self.ask(path, seconds, **params, page=number, size=PAGE_SIZE)
            if fetched is None:
                raise FetchFailed("not there", status=404)
            answer = _json(fetched)
            # Seasons come as a plain list, without paging.
            content = answer if isinstance(answer, list) else answer.get("content")
            if not isinstance(content, list):
                raise FetchFailed("without a list")
            items += parsing.each(parse, content)
            moments.append(fetched.moment)
            if isinstance(answer, list) or answer.get("last") is not False or not content:
                return Answer(items, min(moments))
        raise FetchFailed("too many pages")


def is_set_up() -> bool:
    return bool(settings.SAMS_API_KEY and settings.SAMS_CLUB)


def current() -> SamsClient:
    """The client of this site; raises NotSetUp without SAMS_API_KEY or SAMS_CLUB."""
    if not is_set_up():
        raise NotSetUp
    return _made(settings.SAMS_BASE_URL, settings.SAMS_API_KEY)


@lru_cache(maxsize=1)
def _made(base_url: str, api_key: str) -> SamsClient:
    http = HttpClient(
        OUTBOUND.name,
        origins=[env.origin(base_url)],
        limit=OUTBOUND.limit,
        stale_seconds=30 * 24 * HOURS,
        headers={"X-Api-Key": api_key, "Accept": ACCEPT},
        caps=CAPS,
    )
    return SamsClient(http, base_url)


def _part(uuid: str) -> str:
    """A uuid quoted as one path segment."""
    return quote(uuid, safe="")


def _json(fetched: Fetched) -> Any:
    answer = fetched.json()
    if not isinstance(answer, dict | list):
        raise FetchFailed("neither an object nor a list", status=fetched.status)
    return answer
