"""Syncs of clubs, our teams and their results. An empty response from SAMS deletes nothing."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from cms.sams import leagues as league_store
from cms.sams import logos
from cms.sams.client import SamsClient
from cms.sams.models import CLUB_KEPT_FOR, TEAM_KEPT_FOR, SamsClub, SamsTeam
from cms.sams.parsing import Association, Club, Hierarchy, League, Season, Team
from cms.sams.repository import sams_clubs, sams_teams
from core.club.queries import current as our_club
from core.dynamo import changeset
from core.dynamo.errors import DataError
from core.dynamo.items import Item
from core.stores.http import FetchFailed

Progress = Callable[[int, int], None]


class CannotSync(DataError):
    status_code = 503
    message = gettext_lazy("SAMS sent incomplete data. Nothing was changed.")


@dataclass
class Outcome:
    """Result of a sync; `notes` are sentences for the log, `is_empty` if there was nothing to sync."""

    found: int = 0
    created: int = 0
    changed: int = 0
    deleted: int = 0
    logos: int = 0
    notes: list[str] = field(default_factory=list)
    is_empty: bool = False

    @property
    def counts(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in ("found", "created", "changed", "deleted", "logos")}

    def count(self, stored: Item | None, fields: Mapping[str, Any]) -> None:
        self.found += 1
        if stored is None:
            self.created += 1
        elif changeset.differences(stored, fields):
            self.changed += 1


# --- Clubs --------------------------------------------------------------------------------------------------


def sync_clubs(client: SamsClient, progress: Progress, *, dry_run: bool = False) -> Outcome:
    """Store all clubs of the association. Clubs that left it expire by TTL after 30 days."""
    association = find_association(client)
    clubs = client.clubs(association.uuid)
    if not clubs:
        raise CannotSync(_("SAMS returned no clubs. Nothing was changed."))
    stored = sams_clubs.get_many([club.uuid for club in clubs], strong=True)
    outcome = Outcome()
    for number, club in enumerate(clubs, start=1):
        _store_club(club, association, stored.get(club.uuid), outcome, dry_run=dry_run)
        progress(number, len(clubs))
    return outcome


def _store_club(
    club: Club, association: Association, stored: SamsClub | None, outcome: Outcome, *, dry_run: bool
) -> None:
    fields = {
        "name": club.name,
        "association_uuid": club.association_uuid or association.uuid,
        "association_name": association.name,
        # SAMS often omits the logo of a club that has one, so keep the stored link.
        "logo_image_link": club.logo or (stored and stored.logo_image_link),
    }
    outcome.count(stored, fields)
    if dry_run:
        return
    is_copied = stored and stored.logo_s3_key and stored.logo_image_link == club.logo
    if club.logo and not is_copied and (key := logos.copy(club.uuid, club.logo)):
        fields["logo_s3_key"] = key
        outcome.logos += 1
    sams_clubs.store(club.uuid, fields, kept_for=CLUB_KEPT_FOR, stored=stored)


def find_association(client: SamsClient) -> Association:
    """The association named SAMS_ASSOCIATION, or SAMS_ASSOCIATION_UUID if the list lacks it."""
    named = [each for each in client.associations() if each.name == settings.SAMS_ASSOCIATION]
    if named:
        return named[0]
    found = client.association(settings.SAMS_ASSOCIATION_UUID) if settings.SAMS_ASSOCIATION_UUID else None
    if found is None:
        raise CannotSync(
            _("SAMS has no association called “%(name)s”. Check SAMS_ASSOCIATION and SAMS_ASSOCIATION_UUID.")
            % {"name": settings.SAMS_ASSOCIATION}
        )
    return found


# --- Teams --------------------------------------------------------------------------------------------------


def sync_teams(client: SamsClient, progress: Progress, *, dry_run: bool = False) -> Outcome:
    """Store the teams of our club in this season's leagues, and the results of these leagues."""
    club = own_club()
    association = club.association_uuid or settings.SAMS_ASSOCIATION_UUID
    season = current_season(client)
    leagues = client.leagues(association, season.uuid)
    levels = levels_of(client.hierarchies(association, season.uuid)) if leagues else {}
    found: list[tuple[League, Team]] = []
    silent: list[League] = []
    for number, league in enumerate(leagues, start=1):
        teams = client.teams(league.uuid)
        found += [
            (league, team)
            for team in teams
            if team.club_uuid == club.sportsclub_uuid and team.master_uuid is None
        ]
        silent += [] if teams else [league]
        progress(number, len(leagues))
    outcome = Outcome()
    if not found:
        text = _("SAMS has no teams of our club in season %(season)s. Nothing was changed.")
        outcome.notes.append(text % {"season": season.name})
        outcome.is_empty = True
        return outcome
    _store_teams(found, silent, season, outcome, dry_run=dry_run)
    if not dry_run:
        _store_leagues(client, found, season, levels, outcome)
    return outcome


def _store_teams(
    found: list[tuple[League, Team]], silent: list[League], season: Season, outcome: Outcome, *, dry_run: bool
) -> None:
    seen = {team.uuid for _league, team in found}
    listed = {team.uuid for team in sams_teams.all()}
    # The GSI is eventually consistent, so read the records to be written or deleted again.
    stored = sams_teams.get_many(seen | listed, strong=True)
    for league, team in found:
        fields = {
            "name": team.name,
            "sportsclub_uuid": team.club_uuid,
            "association_uuid": team.association_uuid,
            "league_uuid": league.uuid,
            "league_name": league.name,
            "season_uuid": season.uuid,
            "season_name": season.name,
        }
        outcome.count(stored.get(team.uuid), fields)
        if not dry_run:
            sams_teams.store(team.uuid, fields, kept_for=TEAM_KEPT_FOR, stored=stored.get(team.uuid))
    missing = [team for uuid, team in stored.items() if uuid not in seen]
    for gone in _gone_for_sure(missing, silent, outcome):
        outcome.deleted += 1
        if not dry_run:
            sams_teams.remove(gone)


def _gone_for_sure(missing: list[SamsTeam], silent: list[League], outcome: Outcome) -> list[SamsTeam]:
    """The missing teams to delete. Teams of a league for which SAMS returned no teams at all are kept."""
    affected = {team.league_uuid for team in missing}
    for league in silent:
        if league.uuid in affected:
            text = _("SAMS returned no teams for %(league)s. Its saved teams were kept.")
            outcome.notes.append(text % {"league": league.name})
    unknown = {league.uuid for league in silent}
    return [team for team in missing if team.league_uuid not in unknown]


def _store_leagues(
    client: SamsClient,
    found: list[tuple[League, Team]],
    season: Season,
    levels: Mapping[str, int],
    outcome: Outcome,
) -> None:
    """Store the results; those that cannot be fetched now are refreshed when a page needs them."""
    for league in dict.fromkeys(league for league, _team in found):
        level = levels.get(league.hierarchy_uuid or "")
        try:
            league_store.refresh(client, league.uuid, name=league.name, season_name=season.name, level=level)
        except FetchFailed:
            outcome.notes.append(
                _("The results of %(league)s could not be loaded.") % {"league": league.name}
            )


def own_club() -> SamsClub:
    club = sams_clubs.at_slug(settings.SAMS_CLUB)
    if club is None:
        raise CannotSync(
            _("The club “%(slug)s” was not found. Sync the clubs first, or check SAMS_CLUB.")
            % {"slug": settings.SAMS_CLUB}
        )
    return sams_clubs.get(club.sportsclub_uuid, strong=True)


def current_season(client: SamsClient) -> Season:
    """The season flagged as current, otherwise the one that includes today."""
    seasons, today = client.seasons(), localdate(timezone=our_club().zone)
    flagged = [season for season in seasons if season.is_current]
    around = [each for each in seasons if each.starts and each.ends and each.starts <= today <= each.ends]
    if not flagged and not around:
        raise CannotSync(_("SAMS has no current season. Nothing was changed."))
    return (flagged or around)[0]


def levels_of(hierarchies: Iterable[Hierarchy]) -> dict[str, int]:
    """The level of each hierarchy by uuid: its own, otherwise one more than its parent's."""
    by_uuid = {each.uuid: each for each in hierarchies}

    def level(uuid: str, above: frozenset[str] = frozenset()) -> int:
        each, passed = by_uuid[uuid], above | {uuid}
        if each.level is not None:
            return each.level
        # SAMS could send a cycle.
        has_parent = each.parent_uuid in by_uuid and each.parent_uuid not in passed
        return level(str(each.parent_uuid), passed) + 1 if has_parent else 0

    return {uuid: level(uuid) for uuid in by_uuid}


# --- Results ------------------------------------------------------------------------------------------------


def sync_results(client: SamsClient, progress: Progress, *, dry_run: bool = False) -> Outcome:
    """Store tables and matches of the leagues of our stored teams."""
    leagues = leagues_of(sams_teams.all())
    outcome = Outcome(found=len(leagues), is_empty=not leagues)
    if not leagues:
        outcome.notes.append(_("No teams yet. Sync the teams first."))
    for number, (uuid, name) in enumerate(leagues.items(), start=1):
        before = league_store.stored_league(uuid)
        if not dry_run:
            after = league_store.refresh(client, uuid, name=name)
            outcome.created += before is None
            outcome.changed += before is not None and (
                (before.matches, before.rankings) != (after.matches, after.rankings)
            )
        progress(number, len(leagues))
    return outcome


def leagues_of(teams: Iterable[SamsTeam]) -> dict[str, str]:
    """The leagues of these teams: uuid to name."""
    return {team.league_uuid: team.league_name or team.league_uuid for team in teams if team.league_uuid}
