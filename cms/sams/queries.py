"""Tables and matches for pages, from the stored records. Old ones are refreshed in a background thread."""

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

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


@dataclass(frozen=True)
class LeagueResults:
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


@dataclass(frozen=True)
class TeamResults:
    """One of our teams in its league; `past` has the newest first, `upcoming` the next first."""

    team_uuid: str
    league: LeagueResults
    past: Sequence[Match]
    upcoming: Sequence[Match]


@dataclass(frozen=True)
class TeamMatch:
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
    return sorted(map(_results, stored.values()), key=_order)


# --- For calendars ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OwnMatches:
    """The parsed matches of one of our teams; `stamp` is the version of the league they are from."""

    league_uuid: str
    stamp: Stamp | None
    matches: Sequence[Match]


# By the team's uuid. A league has tens of kilobytes and changes about once a week, so usually only its
# version is read and compared.
_matches_cache: dict[str, OwnMatches] = {}
# By the league's uuid.
_results_cache: dict[str, tuple[Stamp, LeagueResults]] = {}


def match_records(teams: Iterable[Team]) -> Iterator[RecordRef]:
    """The records to read for `matches_of`: the SAMS teams, and the leagues of teams with cached matches."""
    for uuid in filter(None, (team.sbvv_team_id for team in teams)):
        if is_possible("sams-team", uuid):
            yield "sams-team", uuid
            if kept := _matches_cache.get(uuid):
                yield "sams-league", kept.league_uuid


def matches_of(
    teams: Iterable[Team], first: date, last: date, records: Mapping[RecordRef, Item]
) -> Iterator[TeamMatch]:
    """Matches of these teams from `first` to `last`. Reads only leagues whose cached matches are outdated;
    starts no refresh from SAMS."""
    playing = {team.sbvv_team_id: team for team in teams if team.sbvv_team_id}
    found = {uuid: _cached_matches(uuid, records) for uuid in playing}
    leagues = {uuid: entry.league_uuid for uuid in playing if (entry := _entry(uuid, records))}
    changed = {league for uuid, league in leagues.items() if found[uuid] is None}
    newer = sams_leagues.get_many(changed)
    for uuid, team in playing.items():
        own = found[uuid] or _cache_matches(uuid, newer.get(leagues.get(uuid, "")))
        for match in own.matches if own else ():
            if match.day and first <= match.day <= last:
                yield TeamMatch(team, match)


def _entry(team_uuid: str, records: Mapping[RecordRef, Item]) -> SamsTeam | None:
    entry = records.get(("sams-team", team_uuid))
    return entry if isinstance(entry, SamsTeam) and entry.league_uuid else None


def _cached_matches(team_uuid: str, records: Mapping[RecordRef, Item]) -> OwnMatches | None:
    """The cached matches, None if the team's league or its version has changed."""
    kept, entry = _matches_cache.get(team_uuid), _entry(team_uuid, records)
    if kept is None or entry is None or entry.league_uuid != kept.league_uuid:
        return None
    league = records.get(("sams-league", kept.league_uuid))
    return kept if league and kept.stamp and kept.stamp == _stamp(league) else None


def _cache_matches(team_uuid: str, league: SamsLeague | None) -> OwnMatches | None:
    if league is None:
        return None
    matches = _results(league).matches
    own = [match for match in matches if match.involves(team_uuid) and not match.is_postponed]
    made = OwnMatches(league.league_uuid, _stamp(league), own)
    if len(_matches_cache) >= MOST_CACHED:
        _matches_cache.clear()
    _matches_cache[team_uuid] = made
    return made


def _stamp(league: Item) -> Stamp | None:
    """Version and time of change. The time is needed because a league that was deleted and stored again
    starts with version 1. None for a record of another program, which lacks them."""
    return (league.seen_version, league.updated_at) if league.version and league.updated_at else None


# --- From what is stored ------------------------------------------------------------------------------------


def _results(stored: SamsLeague) -> LeagueResults:
    """The parsed league, cached by its version, because parsing takes longer than reading."""
    stamp = _stamp(stored)
    kept_stamp, kept = _results_cache.get(stored.league_uuid, (None, None))
    if kept is not None and kept_stamp == stamp:
        return kept
    results = _parsed(stored)
    if stamp is not None:
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
        table=sorted(table, key=_place) or computed_table(matches),
        matches=matches,
        is_computed=not table,
    )


def _order(league: LeagueResults) -> tuple[bool, int, str]:
    return league.level is None, league.level or 0, league.name


def _when(match: Match) -> tuple[bool, str, str, str]:
    """Sort key by date and time; matches without a date come last."""
    return match.day is None, str(match.day), str(match.clock), match.number or ""


def _place(row: RankingRow) -> tuple[bool, int]:
    return row.rank is None, row.rank or 0


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
        set_ratio=_ratio(standing.sets_won, standing.sets_lost),
        ball_ratio=_ratio(standing.balls_won, standing.balls_lost),
    )


def _ratio(won: int, lost: int) -> float | None:
    return round(won / lost, 3) if lost else None


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
