"""Creating, editing and refreshing events.

What leads typed is not replaced by a refresh from The Blue Alliance unless they ask for it; an entry that
equals the fetched one is no longer counted as typed. An empty answer never empties an event.
"""

import json
from collections.abc import Container, Iterable, Mapping, Sized
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from django.utils.translation import gettext_lazy as _

from core.accounts.rights import ensure
from core.accounts.user import User
from core.dynamo.actors import Actor
from core.dynamo.errors import AlreadyExists, Conflict, Invalid, NotFound
from core.dynamo.idempotency import IdempotencyKey
from core.dynamo.transactions import Transaction
from scouting import keys
from scouting.analysis.ratings import official_name
from scouting.events.event import (
    BLUE,
    NOT_SCORED_BY_ROBOTS,
    RED,
    Match,
    Playoff,
    Team,
    matches_from,
    playoffs_from,
    stored_matches,
    stored_teams,
    teams_from,
)
from scouting.events.lines import matches_in, teams_in
from scouting.events.models import EventInfo, EventTeams, Schedule
from scouting.events.repository import EventParts, event_infos, event_teams, schedules
from scouting.games.definition import shipped, shipped_years
from scouting.settings import services as settings
from scouting.tba import client
from scouting.tba.event import TbaEvent

N = TypeVar("N", str, int)
# How often a refresh is tried when other writes conflict with it, before the conflict is raised.
MOST_TRIES = 4
# Below the limit of 400 KB for a DynamoDB item.
LARGEST_SCHEDULE = 300_000
FILLED_IN = ("place", "starts_on", "ends_on", "time_zone")


@dataclass(frozen=True)
class Refreshed:
    """The size of an event after a refresh, and which entries stayed as typed although they differ."""

    teams: int = 0
    matches: int = 0
    playoffs: int = 0
    typed_teams: list[str] = field(default_factory=list)
    typed_matches: list[int] = field(default_factory=list)
    # Whether the stored data is newer than the fetched data.
    is_late: bool = False


def create(
    user: User, key: str, fields: Mapping[str, Any], *, once: IdempotencyKey | None = None
) -> EventInfo:
    ensure(user, "scouting.event.update")
    try:
        event = keys.event_key(key)
        return event_infos.create(EventInfo.about(event, **fields), actor=user.actor, once=once)
    except (Invalid, AlreadyExists) as error:
        raise type(error)(error.message, field="event", current=error.current) from error


def edit(
    user: User, key: str, fields: Mapping[str, Any], *, seen_version: int, once: IdempotencyKey | None = None
) -> EventInfo:
    ensure(user, "scouting.event.update")
    info = event_infos.parts(key, strong=True).info
    return event_infos.update(info, fields, actor=user.actor, seen_version=seen_version, once=once)


# --- What leads type ----------------------------------------------------------------------------------------


def type_teams(
    user: User, key: str, text: str, *, seen_version: int, once: IdempotencyKey | None = None
) -> EventTeams:
    ensure(user, "scouting.event.update")
    item = event_infos.parts(key, strong=True).teams
    known = {team.number: team for team in teams_from(item.teams)}
    teams = teams_in(text, known)
    typed = {team.number for team in teams if known.get(team.number) != team}
    fields = {
        "teams": stored_teams(sorted(teams, key=lambda team: keys.team_order(team.number))),
        "by_hand": _by_hand(item, known, [team.number for team in teams], typed),
    }
    return event_teams.save(item, fields, actor=user.actor, seen_version=seen_version, once=once)


def type_matches(
    user: User, key: str, text: str, *, seen_version: int, once: IdempotencyKey | None = None
) -> Schedule:
    ensure(user, "scouting.event.update")
    item = event_infos.parts(key, strong=True).schedule
    known = {match.number: match for match in matches_from(item.matches)}
    matches = matches_in(text, known)
    typed = {match.number for match in matches if known.get(match.number) != match}
    fields = {
        "matches": stored_matches(sorted(matches, key=lambda match: match.number)),
        "by_hand": _by_hand(item, known, [match.number for match in matches], typed),
    }
    return schedules.save(item, fields, actor=user.actor, seen_version=seen_version, once=once)


def _by_hand(item: EventTeams | Schedule, known: Iterable[N], now: list[N], typed: Container[N]) -> list[N]:
    """The entries to protect from a refresh: typed ones, and ones that leads removed from a fetched list."""
    kept: list[N] = [number for number in now if number in typed or number in item.by_hand]
    gone: dict[N, None] = dict.fromkeys(number for number in (*item.by_hand, *known) if number not in now)
    return kept + list(gone) if item.fetched_at else kept


# --- What The Blue Alliance tells ---------------------------------------------------------------------------


def refresh(user: User, key: str, *, replaces_typed: bool = False) -> Refreshed:
    """Fetch the event from The Blue Alliance and store it; if that fails, the event is unchanged."""
    ensure(user, "scouting.event.update")
    if event_infos.parts(key).info.is_own:
        raise Invalid(_("This is an event of our own: The Blue Alliance does not know it."))
    return store(user.actor, client.current().event(key), replaces_typed=replaces_typed)


def store(actor: Actor, told: TbaEvent, *, replaces_typed: bool = False) -> Refreshed:
    """Merge fetched data into the stored event; repeated on a conflict,
    so that no edit of a lead is overwritten."""
    for _try in range(MOST_TRIES - 1):
        try:
            return _store(actor, told, replaces_typed)
        except (Conflict, AlreadyExists):
            continue
    return _store(actor, told, replaces_typed)


def _store(actor: Actor, told: TbaEvent, replaces_typed: bool) -> Refreshed:
    parts = _parts(told)
    transaction = Transaction()
    event_infos.save(parts.info, _filled_in(parts.info, told), actor=actor, transaction=transaction)
    teams, typed_teams = _teams(parts.teams, told, replaces_typed)
    if _is_news(parts.teams, told, told.teams, replaces_typed):
        fields = {"teams": stored_teams(teams), "by_hand": typed_teams, "fetched_at": told.as_of}
        event_teams.save(parts.teams, fields, actor=actor, transaction=transaction)
    matches, typed_matches = _matches(parts.schedule, told, replaces_typed)
    playoffs = playoffs_from(parts.schedule.playoffs or ())
    if _is_news(parts.schedule, told, told.matches, replaces_typed):
        playoffs = told.playoffs or playoffs
        fields = {**_bounded(matches, playoffs), "by_hand": typed_matches, "fetched_at": told.as_of}
        schedules.save(parts.schedule, fields, actor=actor, transaction=transaction)
    transaction.commit()
    is_late = any(
        item.fetched_at is not None and item.fetched_at > told.as_of for item in (parts.teams, parts.schedule)
    )
    return Refreshed(
        len(teams),
        len(matches),
        len(playoffs),
        typed_teams=typed_teams,
        typed_matches=typed_matches,
        is_late=is_late,
    )


def _parts(told: TbaEvent) -> EventParts:
    try:
        return event_infos.parts(told.key, strong=True)
    except NotFound:
        return EventParts(
            EventInfo.about(told.key, name=told.key), EventTeams.about(told.key), Schedule.about(told.key)
        )


def _is_news(item: EventTeams | Schedule, told: TbaEvent, part: Sized, replaces_typed: bool) -> bool:
    """Whether fetched data replaces the stored data: it must be newer, and not empty.

    With `replaces_typed`, data of the same age counts too:
    it was stored before without replacing what was typed.
    """
    if not part:
        return False
    return (
        item.fetched_at is None
        or item.fetched_at < told.as_of
        or (replaces_typed and item.fetched_at == told.as_of)
    )


def _filled_in(info: EventInfo, told: TbaEvent) -> dict[str, Any]:
    """The fetched values of the fields that are empty."""
    fields = {name: getattr(told, name) for name in FILLED_IN if not getattr(info, name)}
    return fields | ({"name": told.name} if info.name == info.event else {})


def _teams(item: EventTeams, told: TbaEvent, replaces_typed: bool) -> tuple[list[Team], list[str]]:
    """The merged teams, and the numbers of those that stay as they were typed or removed."""
    stored = {team.number: team for team in teams_from(item.teams)}
    if not _is_news(item, told, told.teams, replaces_typed):
        return list(stored.values()), list(item.by_hand)
    by_number = {team.number: team for team in _ranked(told.teams, stored)}
    typed: list[str] = []
    for number in item.by_hand:
        team, known = stored.get(number), by_number.get(number)
        if known and replaces_typed:
            continue
        if team is None:
            if by_number.pop(number, None):
                typed.append(number)
        elif known is None or (team.name, team.place) != (known.name, known.place):
            typed.append(number)
            # Rank and record cannot be typed, so they are always the fetched ones.
            by_number[number] = replace(team, rank=known.rank, record=known.record) if known else team
    return sorted(by_number.values(), key=lambda team: keys.team_order(team.number)), typed


def _ranked(told: tuple[Team, ...], stored: Mapping[str, Team]) -> Iterable[Team]:
    """Fetched teams; if none has a rank (missing or unreadable ranking), they keep their stored ranks."""
    if any(team.rank for team in told):
        return told
    known = {team.number: stored.get(team.number, team) for team in told}
    return (replace(team, rank=known[team.number].rank, record=known[team.number].record) for team in told)


def _matches(item: Schedule, told: TbaEvent, replaces_typed: bool) -> tuple[list[Match], list[int]]:
    stored = {match.number: match for match in matches_from(item.matches)}
    if not _is_news(item, told, told.matches, replaces_typed):
        return list(stored.values()), list(item.by_hand)
    by_number = {match.number: match for match in told.matches}
    typed: list[int] = []
    for number in item.by_hand:
        match, known = stored.get(number), by_number.get(number)
        if known and replaces_typed:
            continue
        if match is None:
            if by_number.pop(number, None):
                typed.append(number)
        elif known is None or not _agree(match, known):
            typed.append(number)
            by_number[number] = match
    return sorted(by_number.values(), key=lambda match: match.number), typed


def _bounded(matches: list[Match], playoffs: tuple[Playoff, ...]) -> dict[str, list[dict[str, Any]]]:
    """The matches as stored maps; for a very long event reduced to the figures that rankings and fouls need,
    to stay below the size limit of an item."""
    stored = {"matches": stored_matches(matches), "playoffs": stored_matches(playoffs)}
    if len(json.dumps(stored)) <= LARGEST_SCHEDULE:
        return stored
    rankings = [settings.active().game.ranking, *map(_ranking_of, shipped_years())]
    needed = {*NOT_SCORED_BY_ROBOTS, *(official_name(name) for ranking in rankings for name in ranking)}
    for match in (*stored["matches"], *stored["playoffs"]):
        for colour in (RED, BLUE):
            told = match[colour]["official"]
            match[colour]["official"] = {name: told[name] for name in needed if name in told}
    return stored


def _ranking_of(year: int) -> tuple[str, ...]:
    game = shipped(year)
    return game.ranking if game else ()


def _agree(typed: Match, told: Match) -> bool:
    """Whether the typed match has the same robots,
    and no score or disqualified team that the fetched one lacks."""
    return all(
        own.places == theirs.places
        and own.score in (None, theirs.score)
        and set(own.disqualified) <= {*theirs.disqualified}
        for own, theirs in ((typed.red, told.red), (typed.blue, told.blue))
    )
