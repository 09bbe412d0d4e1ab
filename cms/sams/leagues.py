"""Results of leagues: fetch them from SAMS and store them."""

from datetime import datetime
from typing import Any

from cms.sams.client import Answer, SamsClient
from cms.sams.models import TEAM_KEPT_FOR, SamsLeague
from cms.sams.parsing import Match, RankingRow
from cms.sams.repository import sams_leagues
from core.dynamo.attributes import now
from core.dynamo.errors import NotFound
from core.stores.http import FetchFailed


def refresh(client: SamsClient, league_uuid: str, **about: Any) -> SamsLeague:
    """Fetch table and matches and store them, unless the stored ones are as new and `about` is empty.

    `about` are the league's name, season and level, as far as known.
    """
    stored = stored_league(league_uuid)
    matches = client.matches(league_uuid)
    try:
        rankings = client.rankings(league_uuid)
    except FetchFailed as error:
        # A league may have no table.
        if error.status != 404:
            raise
        rankings = Answer([], now())
    as_of = min(matches.as_of, rankings.as_of)
    if stored is not None and stored.results_at and stored.results_at >= as_of and not about:
        return stored
    return store_results(league_uuid, matches.items, rankings.items, as_of=as_of, stored=stored, **about)


def store_results(
    league_uuid: str,
    matches: list[Match],
    rankings: list[RankingRow],
    *,
    as_of: datetime,
    stored: SamsLeague | None,
    **about: Any,
) -> SamsLeague:
    """Store the results; an empty list from SAMS does not replace what is stored."""
    fields = {"name": stored.name if stored else league_uuid, **about}
    if matches or stored is None:
        fields["matches"] = [match.as_json() for match in matches]
    if rankings or stored is None:
        fields["rankings"] = [row.as_json() for row in rankings]
    if matches or rankings:
        fields["results_at"] = as_of
    return sams_leagues.store(league_uuid, fields, kept_for=TEAM_KEPT_FOR, stored=stored)


def stored_league(league_uuid: str) -> SamsLeague | None:
    try:
        return sams_leagues.get(league_uuid, strong=True)
    except NotFound:
        return None
