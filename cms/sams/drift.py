"""Check of the SAMS API against what this release expects: the fields it reads and known defects."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

from django.conf import settings

from cms.sams import sync, values
from cms.sams.client import PAGE_SIZE, RESULTS_SECONDS, SamsClient
from core.common import env
from core.stores.http import FetchFailed, HttpClient
from core.stores.interfaces import Limit

State = Literal["as expected", "mended", "broken", "unknown"]

# The fields that are read of each kind of object.
FIELDS: dict[str, tuple[str, ...]] = {
    "season": ("uuid", "name", "currentSeason"),
    "league": ("uuid", "name", "leagueHierarchyUuid", "seasonUuid"),
    "hierarchy": ("uuid", "level", "parentLeagueHierarchyUuid"),
    "club": ("uuid", "name", "logoImageLink"),
    "team": ("uuid", "name", "masterTeamUuid", "sportsclubUuid"),
    "ranking": (
        "uuid",
        "teamName",
        "rank",
        "matchesPlayed",
        "points",
        "wins",
        "losses",
        "setWins",
        "ballWins",
    ),
    "match": ("uuid", "date", "time", "results", "_embedded", "location"),
}
Samples = Mapping[str, list[Mapping[str, Any]]]
Check = Callable[[list[Mapping[str, Any]]], bool]
MOST_LEAGUES = 3


class Finding(NamedTuple):
    state: State
    text: str


def findings(client: SamsClient) -> Iterator[Finding]:
    """One line for each kind of object and each known defect."""
    samples = _samples(client)
    for kind, names in FIELDS.items():
        yield _fields(kind, names, samples[kind])
    yield _association(client)
    yield _accept(client)
    for text, kind, is_there in DEFECTS:
        found = samples[kind]
        state: State = "unknown" if not found else "as expected" if is_there(found) else "mended"
        yield Finding(state, text)


def _fields(kind: str, names: tuple[str, ...], found: list[Mapping[str, Any]]) -> Finding:
    if not found:
        return Finding("unknown", f"{kind}: there is none to look at")
    missing = [name for name in names if not any(name in each for each in found)]
    if missing:
        return Finding("broken", f"{kind}: without {', '.join(missing)}")
    return Finding("as expected", f"{kind}: all fields that are read")


def _association(client: SamsClient) -> Finding:
    text = "the association is missing from the list"
    listed = any(each.name == settings.SAMS_ASSOCIATION for each in client.associations())
    if listed:
        return Finding("mended", text)
    try:
        sync.find_association(client)
    except sync.CannotSync as error:
        return Finding("broken", str(error))
    return Finding("as expected", text)


def _accept(client: SamsClient) -> Finding:
    text = "application/json is refused with 406"
    picky = HttpClient(
        "sams-check",
        origins=[env.origin(client.base_url)],
        limit=Limit(10, 60_000),
        headers={"X-Api-Key": settings.SAMS_API_KEY, "Accept": "application/json"},
    )
    try:
        picky.get(f"{client.base_url}/seasons", ttl_seconds=0)
    except FetchFailed as error:
        return Finding("as expected" if error.status == 406 else "unknown", text)
    finally:
        picky.close()
    return Finding("mended", text)


def _samples(client: SamsClient) -> Samples:
    """Raw objects of each kind; teams, rankings and matches of the first MOST_LEAGUES leagues."""
    association = sync.find_association(client).uuid
    season = sync.current_season(client).uuid
    leagues = _sample(client, "leagues", association=association, season=season)
    samples = {
        "season": _sample(client, "seasons"),
        "league": leagues,
        "hierarchy": _sample(
            client, "league-hierarchies", **{"association": association, "for-season": season}
        ),
        "club": _sample(client, f"associations/{association}/sportsclubs"),
        **{kind: [] for kind in ("team", "ranking", "match")},
    }
    for league in leagues[:MOST_LEAGUES]:
        uuid = values.text(league.get("uuid")) or ""
        samples["team"] += _sample(client, f"leagues/{uuid}/teams")
        samples["ranking"] += _sample(client, f"leagues/{uuid}/rankings")
        samples["match"] += _sample(client, "league-matches", **{"for-league": uuid})
    return samples


def _sample(client: SamsClient, path: str, **params: str) -> list[Mapping[str, Any]]:
    fetched = client.ask(path, RESULTS_SECONDS, **params, page=0, size=PAGE_SIZE)
    if fetched is None:
        return []
    answer = fetched.json()
    return values.objects(answer if isinstance(answer, list) else values.mapping(answer).get("content"))


def _never(name: str) -> Check:
    return lambda found: all(each.get(name) is None for each in found)


def _sometimes(name: str, value: object) -> Check:
    return lambda found: any(name in each and each[name] == value for each in found)


# Known defects of SAMS: text, kind of object, and a check that is true while the defect is there.
# The code works with and without them.
DEFECTS: tuple[tuple[str, str, Check], ...] = (
    ("logoImageForScreenOutputLink of a team is always null", "team", _never("logoImageForScreenOutputLink")),
    ("scoreIncludingLosses of a ranking is always null", "ranking", _never("scoreIncludingLosses")),
    (
        "shortName or clubCode of a team is empty text instead of null",
        "team",
        lambda found: _sometimes("shortName", "")(found) or _sometimes("clubCode", "")(found),
    ),
    (
        "date of a match is declared a moment and is a day",
        "match",
        lambda found: all("T" not in str(each.get("date")) for each in found),
    ),
    (
        "results and referees of a match are null before it is played",
        "match",
        lambda found: _sometimes("results", None)(found) or _sometimes("referees", None)(found),
    ),
    (
        "parentLeagueHierarchyUuid of the highest league is null",
        "hierarchy",
        _sometimes("parentLeagueHierarchyUuid", None),
    ),
)
