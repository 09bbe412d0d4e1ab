"""Creating, editing, refreshing and deleting events.

What leads typed is not replaced by a refresh from The Blue Alliance unless they ask for it; an entry that
equals the fetched one is no longer counted as typed. An empty answer never empties an event.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from operator import ne
from typing import Any, TypeVar

from django.utils.translation import gettext_lazy as _

from core.accounts.rights import ensure
from core.accounts.user import User
from core.dynamo import trash
from core.dynamo.actors import Actor
from core.dynamo.errors import AlreadyExists, InUse, Invalid, NotFound, Text
from core.dynamo.idempotency import IdempotencyKey
from core.dynamo.transactions import Transaction, retry_on_conflict
from scouting import keys
from scouting.analysis.ratings import official_name
from scouting.events import event as events
from scouting.events.event import Match, Team
from scouting.events.lines import matches_in, teams_in
from scouting.events.models import EventInfo, EventList, EventTeams, Schedule
from scouting.events.repository import EventParts, event_infos, event_teams, schedules
from scouting.forms.repository import comment_forms, pit_forms, stand_forms
from scouting.games.definition import shipped_games
from scouting.repository import ScoutingRepository
from scouting.selection.models import TeamSelection
from scouting.selection.repository import selections
from scouting.settings import services as settings
from scouting.settings.repository import stored_settings
from scouting.tba import client
from scouting.tba.parsing import TbaEvent

# An entry of a list, and its number.
E = TypeVar("E", Team, Match)
N = TypeVar("N", str, int)
# How often a refresh is tried when other writes conflict with it, before the conflict is raised.
MOST_TRIES = 4
# Below the limit of 400 KB for a DynamoDB item.
LARGEST_SCHEDULE = 300_000
FILLED_IN = ("place", "starts_on", "ends_on", "time_zone")
# Trash images of the three items belong to the same delete if they are no further apart than this.
AT_ONCE = timedelta(minutes=1)


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
        event = keys.full_event_key(key)
        return event_infos.create(EventInfo.about(event, **fields), actor=user.actor, once=once)
    except (Invalid, AlreadyExists) as error:
        error.field, error.status_code_at_field = "event", error.status_code
        raise


def edit(
    user: User, key: str, fields: Mapping[str, Any], *, seen_version: int, once: IdempotencyKey | None = None
) -> EventInfo:
    ensure(user, "scouting.event.update")
    info = event_infos.parts(key, strong=True).info
    return event_infos.update(info, fields, actor=user.actor, seen_version=seen_version, receipt=once)


# --- What leads type ----------------------------------------------------------------------------------------


def type_teams(
    user: User, key: str, text: str, *, seen_version: int, once: IdempotencyKey | None = None
) -> EventTeams:
    ensure(user, "scouting.event.update")
    item = event_infos.parts(key, strong=True).teams
    stored = {team.number: team for team in events.teams_from(item.teams)}
    typed = {team.number: team for team in teams_in(text, stored)}
    fields = {"teams": events.as_stored(_by_team(typed)), "by_hand": _by_hand(item, stored, typed)}
    return event_teams.save(item, fields, actor=user.actor, seen_version=seen_version, once=once)


def type_matches(
    user: User, key: str, text: str, *, seen_version: int, once: IdempotencyKey | None = None
) -> Schedule:
    ensure(user, "scouting.event.update")
    item = event_infos.parts(key, strong=True).schedule
    stored = {match.number: match for match in events.matches_from(item.matches)}
    typed = {match.number: match for match in matches_in(text, stored)}
    fields = {"matches": events.as_stored(_by_match(typed)), "by_hand": _by_hand(item, stored, typed)}
    return schedules.save(item, fields, actor=user.actor, seen_version=seen_version, once=once)


def _by_hand(item: EventTeams | Schedule, stored: Mapping[N, E], typed: Mapping[N, E]) -> list[N]:
    """The entries to protect from a refresh: typed ones, and ones that leads removed from a fetched list."""
    kept = [
        number for number, entry in typed.items() if stored.get(number) != entry or number in item.by_hand
    ]
    gone: dict[N, None] = dict.fromkeys(number for number in (*item.by_hand, *stored) if number not in typed)
    return kept + list(gone) if item.fetched_at else kept


def _by_team(teams: Mapping[str, Team]) -> list[Team]:
    return [teams[number] for number in sorted(teams, key=keys.team_order)]


def _by_match(matches: Mapping[int, Match]) -> list[Match]:
    return [matches[number] for number in sorted(matches)]


# --- What The Blue Alliance tells ---------------------------------------------------------------------------


def refresh(user: User, key: str, *, replaces_typed: bool = False) -> Refreshed:
    """Fetch the event from The Blue Alliance and store it; if that fails, the event is unchanged."""
    ensure(user, "scouting.event.update")
    if event_infos.parts(key).info.is_own:
        raise Invalid(_("This is our own event. The Blue Alliance does not have it."))
    return store(user.actor, client.current().event(key), replaces_typed=replaces_typed)


def store(actor: Actor, fetched: TbaEvent, *, replaces_typed: bool = False) -> Refreshed:
    """Merge fetched data into the stored event; again on a conflict, so that no edit is overwritten."""
    return retry_on_conflict(
        lambda transaction: _store(actor, fetched, replaces_typed, transaction), tries=MOST_TRIES
    )


def _store(actor: Actor, fetched: TbaEvent, replaces_typed: bool, transaction: Transaction) -> Refreshed:
    parts = _parts(fetched)
    info, teams, schedule = parts.info, parts.teams, parts.schedule
    event_infos.save(info, _filled_in(info, fetched), actor=actor, transaction=transaction)
    if fetched.teams and _is_news(teams, fetched, replaces_typed):
        fields = _teams(teams, fetched, replaces_typed)
        teams = event_teams.save(teams, fields, actor=actor, transaction=transaction)
    if fetched.matches and _is_news(schedule, fetched, replaces_typed):
        fields = _matches(schedule, fetched, replaces_typed)
        schedule = schedules.save(schedule, fields, actor=actor, transaction=transaction)
    return Refreshed(
        len(teams.teams),
        len(schedule.matches),
        len(schedule.playoffs or ()),
        typed_teams=list(teams.by_hand),
        typed_matches=list(schedule.by_hand),
        is_late=any(item.fetched_at and item.fetched_at > fetched.as_of for item in (teams, schedule)),
    )


def _parts(fetched: TbaEvent) -> EventParts:
    key = fetched.key
    try:
        return event_infos.parts(key, strong=True)
    except NotFound:
        return EventParts(EventInfo.about(key, name=key), EventTeams.about(key), Schedule.about(key))


def _is_news(item: EventTeams | Schedule, fetched: TbaEvent, replaces_typed: bool) -> bool:
    """Whether fetched data is newer than the stored data.

    With `replaces_typed`, data of the same age counts too:
    it was stored before without replacing what was typed.
    """
    return (
        item.fetched_at is None
        or item.fetched_at < fetched.as_of
        or (replaces_typed and item.fetched_at == fetched.as_of)
    )


def _filled_in(info: EventInfo, fetched: TbaEvent) -> dict[str, Any]:
    """The fetched values of the fields that are empty."""
    fields = {name: getattr(fetched, name) for name in FILLED_IN if not getattr(info, name)}
    return fields | ({"name": fetched.name} if info.name == info.event else {})


def _teams(item: EventTeams, fetched: TbaEvent, replaces_typed: bool) -> dict[str, Any]:
    stored = {team.number: team for team in events.teams_from(item.teams)}
    # Without any rank the ranking is missing or unreadable: the stored ranks stay.
    is_ranked = any(team.rank for team in fetched.teams)
    known = {
        team.number: team if is_ranked else _ranked_as(team, stored.get(team.number, team))
        for team in fetched.teams
    }
    # Rank and record cannot be typed, so they are always the fetched ones.
    typed = {number: _ranked_as(team, known.get(number, team)) for number, team in stored.items()}
    merged, by_hand = _merged(item.by_hand, typed, known, replaces_typed, differ=ne)
    return {"teams": events.as_stored(_by_team(merged)), "by_hand": by_hand, "fetched_at": fetched.as_of}


def _ranked_as(team: Team, other: Team) -> Team:
    return replace(team, rank=other.rank, record=other.record)


def _matches(item: Schedule, fetched: TbaEvent, replaces_typed: bool) -> dict[str, Any]:
    stored = {match.number: match for match in events.matches_from(item.matches)}
    known = {match.number: match for match in fetched.matches}
    merged, by_hand = _merged(item.by_hand, stored, known, replaces_typed, differ=_differ)
    playoffs = fetched.playoffs or events.playoffs_from(item.playoffs or ())
    lists = {"matches": events.as_stored(_by_match(merged)), "playoffs": events.as_stored(playoffs)}
    return {**_bounded(lists), "by_hand": by_hand, "fetched_at": fetched.as_of}


def _merged(
    by_hand: Iterable[N],
    stored: Mapping[N, E],
    fetched: Mapping[N, E],
    replaces_typed: bool,
    *,
    differ: Callable[[E, E], bool],
) -> tuple[dict[N, E], list[N]]:
    """The merged entries, and the numbers of those that stay as they were typed or removed."""
    merged: dict[N, E] = dict(fetched)
    kept: list[N] = []
    for number in by_hand:
        typed, known = stored.get(number), fetched.get(number)
        if known and replaces_typed:
            continue
        if typed is None:
            if merged.pop(number, None):
                kept.append(number)
        elif known is None or differ(typed, known):
            kept.append(number)
            merged[number] = typed
    return merged, kept


def _differ(typed: Match, fetched: Match) -> bool:
    """Whether the typed match has other robots, or a score or disqualified team that the other lacks."""
    return not all(
        own.places == theirs.places
        and own.score in (None, theirs.score)
        and set(own.disqualified) <= {*theirs.disqualified}
        for own, theirs in ((typed.red, fetched.red), (typed.blue, fetched.blue))
    )


def _bounded(lists: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """The matches as stored maps; for a very long event reduced to the figures that rankings and fouls need,
    to stay below the size limit of an item."""
    if len(json.dumps(lists)) <= LARGEST_SCHEDULE:
        return lists
    games = [settings.active().game, *shipped_games().values()]
    needed = {official_name(name) for game in games for name in game.ranking}
    needed.update(events.NOT_SCORED_BY_ROBOTS)
    for match in (*lists["matches"], *lists["playoffs"]):
        for colour in (events.RED, events.BLUE):
            official = match[colour]["official"]
            match[colour]["official"] = {name: official[name] for name in needed if name in official}
    return lists


# --- The trash ----------------------------------------------------------------------------------------------


def delete(user: User, key: str, *, seen_version: int) -> EventInfo:
    """Delete an unused event with its teams and matches, in one transaction. Raises `InUse`."""
    ensure(user, "scouting.event.update")
    parts = event_infos.parts(key, strong=True)
    for use in _uses(key):
        raise InUse(use, current=parts.info)
    transaction = Transaction()
    event_infos.delete(parts.info, actor=user.actor, seen_version=seen_version, transaction=transaction)
    if parts.teams.version is not None:
        event_teams.delete(parts.teams, actor=user.actor, transaction=transaction)
    if parts.schedule.version is not None:
        schedules.delete(parts.schedule, actor=user.actor, transaction=transaction)
    transaction.commit()
    return parts.info


def _uses(key: str) -> Iterator[Text]:
    """Why the event cannot be deleted. A record written after this check is caught by its reference count."""
    if any(item.active_event == key for item in stored_settings.all()):
        yield _("This is our current event. Select another one in the scouting settings first.")
    place = keys.of_event(key)
    selection = selections.key_of(TeamSelection.about(key))
    if (
        stand_forms.page(place, limit=1, strong=True).items
        or pit_forms.page(place, limit=1, strong=True).items
        or comment_forms.page(key, index="EventIndex", limit=1).items
        or selections.get_many([selection], strong=True)
    ):
        yield _("This event has forms or a team selection, so you cannot delete it.")


def restore(user: User, *, trash_id: str = "", key: str = "") -> EventInfo:
    """Restore an event with the teams and matches that were deleted with it. `key` finds its last delete."""
    ensure(user, "scouting.event.update")
    entity = event_infos.entity
    trashed = trash.of_record(entity, key) if key else trash.find(entity, trash_id)
    if trashed is None:
        raise NotFound(_("This is no longer in the trash. Someone may have restored it."))
    transaction = Transaction()
    info = event_infos.restore(trashed.trash_id, actor=user.actor, transaction=transaction)
    lists: list[tuple[ScoutingRepository[Any], type[EventList]]]
    lists = [(event_teams, EventTeams), (schedules, Schedule)]
    for stored, model in lists:
        image = trash.of_record(stored.entity, stored.key_of(model.about(info.event)))
        if image is not None and abs(image.at - trashed.at) < AT_ONCE:
            stored.restore(image.trash_id, actor=user.actor, transaction=transaction)
    transaction.commit()
    return info
