"""The pick list of an event as it is stored: one item with a version, and its earlier saves."""

from dataclasses import dataclass
from datetime import datetime

from accounts.rights import ensure
from accounts.user import User
from dynamo import history
from dynamo.attributes import unwrap
from dynamo.errors import AlreadyExists, Conflict, NotFound
from dynamo.idempotency import Once
from scouting import repository
from scouting.event import ScoutedEvent
from scouting.models import TeamSelection
from scouting.services import pick_list
from scouting.services.pick_list import Picks

RESTORABLE = 10


@dataclass(frozen=True)
class Saved:
    """What was last saved; version 0 stands for nothing yet."""

    picks: Picks = ()
    version: int = 0
    by: str = ""
    at: datetime | None = None
    # The record as it was read, which a save replaces.
    stored: TeamSelection | None = None


def read(key: str, *, strong: bool = False) -> tuple[ScoutedEvent, Saved]:
    """An event and its list as it was saved, with the names and ranks of today, in one request."""
    event, stored = repository.event_infos.read_with(TeamSelection.about(key), strong=strong)
    return event, _saved(stored, event)


def save(
    user: User,
    event: ScoutedEvent,
    picks: Picks,
    *,
    over: Saved,
    seen_version: int,
    once: Once | None = None,
    keeps_ticks: bool = False,
) -> Saved:
    """Save the list, unless somebody did so since `seen_version`: then `Conflict` has theirs.

    `over` is what is saved now, read with `strong=True`.
    With `keeps_ticks`, who was taken in the list that this one replaces stays taken.
    """
    ensure(user, "scouting.selection.update")
    stored = over.stored
    if stored is not None and keeps_ticks:
        picks = pick_list.with_ticks_of(picks, pick_list.from_stored(stored.teams))
    fields = {"teams": pick_list.to_stored(picks), "saved_by": user.name}
    if stored is None:
        new = TeamSelection.about(event.key, **fields)
        try:
            return _saved(repository.selections.create(new, actor=user.actor, once=once), event)
        except AlreadyExists as error:
            raise Conflict(current=error.current) from error
    written = repository.selections.update(
        stored, fields, actor=user.actor, seen_version=seen_version, once=once
    )
    return _saved(written, event)


def saves(event: str) -> list[history.HistoryEntry]:
    """The last saves, newest first."""
    return list(history.entries(repository.selections.entity, _key(event), limit=RESTORABLE).items)


def earlier(event: ScoutedEvent, saved: Saved, entry_id: str) -> Picks:
    """The list as one of the saves before `saved` left it; who was taken since stays taken."""
    stored = saved.stored
    if stored is None:
        raise NotFound
    state = history.state_after(repository.selections.entity, _key(event.key), entry_id, stored.stored)
    if state is None:
        raise NotFound
    picks = pick_list.refreshed(pick_list.from_stored(unwrap(state["teams"])), event)
    return pick_list.with_ticks_of(picks, pick_list.from_stored(stored.teams))


def of_conflict(conflict: Conflict, event: ScoutedEvent) -> Saved:
    """What somebody else has saved meanwhile."""
    return _saved(conflict.current, event)


def _saved(stored: TeamSelection | None, event: ScoutedEvent) -> Saved:
    if stored is None:
        return Saved(picks=pick_list.refreshed((), event))
    picks = pick_list.refreshed(pick_list.from_stored(stored.teams), event)
    return Saved(picks, stored.seen_version, stored.saved_by or "", stored.updated_at, stored)


def _key(event: str) -> str:
    return repository.selections.key_of(TeamSelection.about(event))
