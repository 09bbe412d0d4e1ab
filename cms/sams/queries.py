"""Tables and matches for pages, from the stored records. Old ones are refreshed in a background thread."""

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

from django.core.cache import cache

from cms.sams import client, parsing
from cms.sams import leagues as league_store
from cms.sams.models import SamsLeague, SamsTeam
from cms.sams.parsing import Match, RankingRow
from cms.sams.repository import sams_leagues
from cms.sams.standings import Played, Standing, standings
from cms.teams.models import Team
from core.common.logs import events
from core.crud.fields.picker import is_possible
from core.dynamo.attributes import now
from core.dynamo.errors import DataError
from core.dynamo.items import Item
from core.dynamo.registry import RecordRef

FRESH_FOR = timedelta(seconds=client.RESULTS_SECONDS)
# How long to wait between two refreshes of a league, such as while SAMS is down.
RETRY_SECONDS = 60
MATCH_LENGTH = timedelta(hours=3)
# Fields that `matches_of` needs of the records in `match_records`.
MATCH_FIELDS = ("leagueUuid", "version", "updatedAt")
MOST_CACHED = 200

Stamp = tuple[int, datetime]


class LeagueResults(NamedTuple):
    """Table and matches of a league. `is_computed`: SAMS gave no table, so it was computed from the matches.

    `is_asked_for`: whether results are refreshed from SAMS, which needs an API key.
    """

    uuid: str
    name: str
    season: str | None
    level: int | None
    as_of: datetime | None
    table: Sequence[RankingRow]
    matches: Sequence[Match]
    is_computed: bool

    @property
    def is_asked_for(self) -> bool:
        return client.is_set_up()

    @property
    def has_points(self) -> bool:
        """Whether the table has points; that of a knock-out competition has ranks only."""
        return any(row.points is not None for row in self.table)

    def latest(self) -> list[Match]:
        """The latest results, newest first; their number depends on the size of the league."""
        played = [match for match in reversed(self.matches) if match.is_played]
        return played[: max(6, min(20, int(len(self.table) * 2.3)))]


class TeamResults(NamedTuple):
    """One of our teams in its league; `past` has the newest first, `upcoming` the next first."""

    team_uuid: str
    league: LeagueResults
    past: Sequence[Match]
    upcoming: Sequence[Match]


class TeamMatch(NamedTuple):
    """A match of one of our teams."""

    team: Team
    match: Match


def results_of(team: SamsTeam | None) -> TeamResults | None:
    """Results for the page of a team, by one read; None if its league is not stored. Starts a refresh."""
    if team is None or not team.league_uuid:
        return None
    stored = sams_leagues.get_many([team.league_uuid]).get(team.league_uuid)
    _refresh_if_old(team.league_uuid, team.league_name, stored)
    if stored is None:
        return None
    league = _results(stored)
    own = [match for match in league.matches if match.involves(team.uuid)]
    past = [match for match in reversed(own) if match.is_played]
    return TeamResults(team.uuid, league, past, [match for match in own if not match.is_played])


def league_tables(teams: Iterable[SamsTeam]) -> list[LeagueResults]:
    """The stored leagues of these teams, by level and name. Starts a refresh of old ones."""
    names = {team.league_uuid: team.league_name for team in teams if team.league_uuid}
    stored = sams_leagues.get_many(names)
    for uuid, name in names.items():
        _refresh_if_old(uuid, name, stored.get(uuid))
    return sorted(
        map(_results, stored.values()), key=lambda each: (each.level is None, each.level or 0, each.name)
    )


# --- For calendars ------------------------------------------------------------------------------------------


# By the uuid of a team: its league, so that the version of the league is read together with the team.
_league_of: dict[str, str] = {}
# By the league's uuid. A league has tens of kilobytes and changes about once a week, so usually only its
# version is read and compared.
_results_cache: dict[str, tuple[Stamp, LeagueResults]] = {}


def match_records(teams: Iterable[Team]) -> Iterator[RecordRef]:
    """The records to read for `matches_of`: the SAMS teams, and their leagues as far as known."""
    for uuid in filter(None, (team.sbvv_team_id for team in teams)):
        if is_possible("sams-team", uuid):
            yield "sams-team", uuid
            if uuid in _league_of:
                yield "sams-league", _league_of[uuid]


def matches_of(
    teams: Iterable[Team], first: date, last: date, records: Mapping[RecordRef, Item]
) -> Iterator[TeamMatch]:
    """Matches of these teams from `first` to `last`. Reads only leagues whose cached results are outdated;
    starts no refresh from SAMS."""
    playing = {team.sbvv_team_id: team for team in teams if team.sbvv_team_id}
    entries = {uuid: records.get(("sams-team", uuid)) for uuid in playing}
    leagues = {
        uuid: entry.league_uuid
        for uuid, entry in entries.items()
        if isinstance(entry, SamsTeam) and entry.league_uuid
    }
    cached = {uuid: _cached(records.get(("sams-league", uuid))) for uuid in leagues.values()}
    newer = sams_leagues.get_many(uuid for uuid, results in cached.items() if results is None)
    current = cached | {uuid: _results(league) for uuid, league in newer.items()}
    for uuid, league_uuid in leagues.items():
        if results := current[league_uuid]:
            _league_of[uuid] = league_uuid
            for match in results.matches:
                is_planned = match.involves(uuid) and not match.is_postponed
                if is_planned and match.day and first <= match.day <= last:
                    yield TeamMatch(playing[uuid], match)


def _cached(league: Item | None) -> LeagueResults | None:
    """The parsed league, if it was not changed since; of `league` only MATCH_FIELDS are needed."""
    if not isinstance(league, SamsLeague):
        return None
    stamp, results = _results_cache.get(league.league_uuid, (None, None))
    return results if stamp and stamp == _stamp(league) else None


def _stamp(league: Item) -> Stamp | None:
    """Version and time of change. The time is needed because a league that was deleted and stored again
    starts with version 1. None for a record of another program, which lacks them."""
    return (league.seen_version, league.updated_at) if league.version and league.updated_at else None


# --- From what is stored ------------------------------------------------------------------------------------


def _results(stored: SamsLeague) -> LeagueResults:
    """The parsed league, cached because parsing takes longer than reading."""
    if cached := _cached(stored):
        return cached
    results = _parsed(stored)
    if stamp := _stamp(stored):
        if len(_results_cache) >= MOST_CACHED:
            _results_cache.clear()
        _results_cache[stored.league_uuid] = stamp, results
    return results


def _parsed(stored: SamsLeague) -> LeagueResults:
    matches = sorted(parsing.each(parsing.match, stored.matches or ()), key=_when)
    table = parsing.each(parsing.ranking_row, stored.rankings or ())
    return LeagueResults(
        uuid=stored.league_uuid,
        name=stored.name,
        season=stored.season_name,
        level=None if stored.level is None else int(stored.level),
        as_of=stored.results_at,
        table=sorted(table, key=lambda row: (row.rank is None, row.rank or 0)) or computed_table(matches),
        matches=matches,
        is_computed=not table,
    )


def _when(match: Match) -> tuple[bool, str, str, str]:
    """Sort key by date and time; matches without a date come last."""
    return match.day is None, str(match.day), str(match.clock), match.number or ""


def computed_table(matches: Iterable[Match]) -> list[RankingRow]:
    """The table computed from the matches by the association's rules."""
    names: dict[str, str] = {}
    played: list[Played] = []
    for match in matches:
        keys = match.team1.uuid or match.team1.name, match.team2.uuid or match.team2.name
        if match.is_played and match.sets and all(keys):
            names |= {keys[0]: match.team1.name, keys[1]: match.team2.name}
            played.append(Played(keys, match.sets, match.balls or (0, 0)))
    return [_row(standing, names[standing.team]) for standing in standings(played)]


def _row(standing: Standing, name: str) -> RankingRow:
    return RankingRow(
        team_uuid=standing.team,
        team=name,
        rank=standing.rank,
        played=standing.played,
        points=standing.points,
        wins=standing.wins,
        losses=standing.losses,
        sets=(standing.sets_won, standing.sets_lost),
        balls=(standing.balls_won, standing.balls_lost),
    )


# --- Background refresh -------------------------------------------------------------------------------------


def _refresh_if_old(league_uuid: str, name: str | None, stored: SamsLeague | None) -> None:
    """Start a background refresh if the results are old; `cache.add` allows one per league and minute."""
    is_fresh = stored is not None and stored.results_at and now() - stored.results_at < FRESH_FOR
    if is_fresh or not client.is_set_up():
        return
    if cache.add(f"sams-results:{league_uuid}", True, RETRY_SECONDS):
        about = {} if stored or not name else {"name": name}
        threading.Thread(target=_ask, args=(league_uuid, about), daemon=True).start()


def _ask(league_uuid: str, about: dict[str, str]) -> None:
    try:
        league_store.refresh(client.current(), league_uuid, **about)
    except DataError as error:
        events.warning("sams_results_not_refreshed", league=league_uuid, reason=type(error).__name__)
