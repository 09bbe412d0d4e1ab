"""Tables and matches for pages. They come from our own table; SAMS is asked beside it, so no page waits."""

import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.core.cache import cache

from cms import repository
from cms.models import SamsLeague, SamsTeam, Team
from cms.sams import client, parsing, storing
from cms.sams.parsing import Match, RankingRow
from cms.sams.standings import Played, Standing, standings
from config.logs import events
from dynamo.attributes import now
from dynamo.errors import DataError

FRESH_FOR = timedelta(seconds=client.RESULTS_SECONDS)
# When SAMS is down, it is tried again so often.
REST_SECONDS = 60
MATCH_LENGTH = timedelta(hours=3)


@dataclass(frozen=True)
class LeagueResults:
    """`is_computed`: SAMS gave no table, so it was made from the matches.

    `is_asked_for`: newer results follow. Without a key it stays at what is stored.
    """

    uuid: str
    name: str
    season: str | None
    level: int | None
    as_of: datetime | None
    table: Sequence[RankingRow]
    matches: Sequence[Match]
    is_computed: bool
    is_asked_for: bool

    @property
    def has_points(self) -> bool:
        """A knock-out competition has places only."""
        return any(row.points is not None for row in self.table)

    def latest(self) -> list[Match]:
        """As many of the last results as the league is large."""
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
    """For the page of a team, by one read; None while nothing is known about it."""
    if team is None or not team.league_uuid:
        return None
    stored = repository.sams_leagues.get_many([team.league_uuid]).get(team.league_uuid)
    _ask_if_old(team.league_uuid, team.league_name, stored)
    if stored is None:
        return None
    league = _results(stored)
    own = [match for match in league.matches if match.involves(team.uuid)]
    past = [match for match in reversed(own) if match.is_played]
    return TeamResults(team.uuid, league, past, [match for match in own if not match.is_played])


def league_tables(teams: Iterable[SamsTeam]) -> list[LeagueResults]:
    """The leagues that these teams play in, the highest first, then by name."""
    names = {team.league_uuid: team.league_name for team in teams if team.league_uuid}
    stored = repository.sams_leagues.get_many(names)
    for uuid, name in names.items():
        _ask_if_old(uuid, name, stored.get(uuid))
    return sorted(map(_results, stored.values()), key=_order)


def matches_of(teams: Iterable[Team], first: date, last: date) -> Iterator[TeamMatch]:
    """What these teams play in these days, for calendars: two reads, and SAMS is not asked."""
    playing = {team.sbvv_team_id: team for team in teams if team.sbvv_team_id}
    entries = repository.sams_teams.get_many(playing)
    leagues = repository.sams_leagues.get_many(
        {each.league_uuid for each in entries.values() if each.league_uuid}
    )
    for uuid, entry in entries.items():
        for match in _results(leagues[entry.league_uuid]).matches if entry.league_uuid in leagues else ():
            if match.involves(uuid) and match.day and first <= match.day <= last and not match.is_postponed:
                yield TeamMatch(playing[uuid], match)


# --- From what is stored ------------------------------------------------------------------------------------


def _results(stored: SamsLeague) -> LeagueResults:
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
        is_asked_for=client.is_set_up(),
    )


def _order(league: LeagueResults) -> tuple[bool, int, str]:
    return league.level is None, league.level or 0, league.name


def _when(match: Match) -> tuple[bool, str, str, str]:
    """What has no date comes last."""
    return match.day is None, str(match.day), str(match.clock), match.number or ""


def _place(row: RankingRow) -> tuple[bool, int]:
    return row.rank is None, row.rank or 0


def computed_table(matches: Iterable[Match]) -> list[RankingRow]:
    """The table by the association's rules, where it gave none itself."""
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


# --- Beside the page ----------------------------------------------------------------------------------------


def _ask_if_old(league_uuid: str, name: str | None, stored: SamsLeague | None) -> None:
    """Have newer results next time; one process asks, and at most once a minute."""
    is_fresh = stored is not None and stored.results_at and now() - stored.results_at < FRESH_FOR
    if is_fresh or not client.is_set_up():
        return
    if cache.add(f"sams-results:{league_uuid}", True, REST_SECONDS):
        about = {} if stored or not name else {"name": name}
        threading.Thread(target=_ask, args=(league_uuid, about), daemon=True).start()


def _ask(league_uuid: str, about: dict[str, str]) -> None:
    try:
        storing.refresh(client.current(), league_uuid, **about)
    except DataError as error:
        events.warning("sams_results_not_refreshed", league=league_uuid, reason=type(error).__name__)
