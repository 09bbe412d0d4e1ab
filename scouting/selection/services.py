"""The stored pick list of an event: one versioned item with a history.

Saving the order merges it with what others saved since. The taken teams are a separate attribute that is
written immediately and never by a save.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.accounts.rights import ensure
from core.accounts.user import User
from core.dynamo import history
from core.dynamo.attributes import now, unwrap
from core.dynamo.errors import AlreadyExists, Conflict, Invalid, NotFound, Unavailable
from core.dynamo.idempotency import IdempotencyKey, refuse
from scouting.events.event import ScoutedEvent
from scouting.events.repository import event_infos
from scouting.keys import team_order
from scouting.selection import pick_list
from scouting.selection.merge import Order, merged
from scouting.selection.models import TeamSelection
from scouting.selection.pick_list import NOT_LISTED, Picks
from scouting.selection.repository import selections

RESTORABLE = 10
# How many history entries are searched for saves; the others only mark teams as taken.
LOOKED_THROUGH = 100
# The history verb for marking a team as taken or free.
TICK = "tick"
# Of several concurrent writes one succeeds at each attempt.
MOST_ATTEMPTS = 8


@dataclass(frozen=True)
class Saved:
    """The saved list; version 0 means that nothing is saved yet."""

    picks: Picks = ()
    version: int = 0
    by: str = ""
    # When the order was saved; None if it never was.
    at: datetime | None = None
    # The record as read, for the conditional write.
    stored: TeamSelection | None = None

    @property
    def order(self) -> Order:
        return pick_list.order_of(self.picks)

    @property
    def taken(self) -> set[str]:
        return _taken(self.stored) if self.stored else set()


class Clash(Conflict):
    """Both moved one team to different places, or two teams to one. `theirs` is the saved list."""

    def __init__(self, theirs: Saved) -> None:
        super().__init__(current=theirs.stored)
        self.theirs = theirs


def read(key: str, *, strong: bool = False) -> tuple[ScoutedEvent, Saved]:
    """An event and its saved list with current names and ranks, in one request."""
    event, stored = event_infos.read_with(TeamSelection.about(key), strong=strong)
    return event, _saved(stored, event)


def version_now(key: str) -> int:
    """The version of the stored list only, for pages that poll."""
    try:
        return selections.get(_key(key), strong=True, fields=("version",)).seen_version
    except NotFound:
        return 0


def save(
    user: User,
    event: ScoutedEvent,
    picks: Picks,
    *,
    base: Order,
    over: Saved,
    once: IdempotencyKey | None = None,
) -> Saved:
    """Save the order, merged with what others saved since `base`, the order on which it is based.

    `over` is the saved list, read with `strong=True`. Raises `Clash` if the two cannot be merged.
    """
    ensure(user, "scouting.selection.update")
    mine = pick_list.order_of(picks)

    def changed(theirs: Saved) -> dict[str, Any]:
        merge = merged(base, mine, theirs.order)
        if merge.clashes:
            # A request that is sent again may have found what it has saved itself.
            refuse(Clash(theirs), once)
        if theirs.at and merge.order == theirs.order:
            return {}
        known = {pick.number for pick in picks}
        others = [pick for pick in theirs.picks if pick.number not in known]
        listed = pick_list.refreshed(pick_list.arranged((*picks, *others), merge.order), event)
        return {
            "teams": pick_list.to_stored(listed, theirs.stored.teams if theirs.stored else ()),
            "taken": _in_order(theirs.taken),
            "saved_by": user.name,
            "saved_at": now(),
        }

    return _written(user, event, over, changed, verb="update", once=once)


def take(user: User, event: ScoutedEvent, number: str, *, over: Saved, is_free: bool = False) -> Saved:
    """Mark a team as taken, or free, immediately; the order is unchanged.

    `over` is the saved list, read with `strong=True`.
    """
    ensure(user, "scouting.selection.update")
    if number not in {pick.number for pick in over.picks}:
        raise Invalid(NOT_LISTED)

    def changed(theirs: Saved) -> dict[str, Any]:
        taken = theirs.taken - {number} if is_free else theirs.taken | {number}
        fields = {"taken": _in_order(taken), "saved_at": theirs.at}
        return fields if theirs.stored else fields | {"teams": pick_list.to_stored(theirs.picks)}

    return _written(user, event, over, changed, verb=TICK)


def saves(event: str) -> list[history.HistoryEntry]:
    """The last saves of the order, newest first."""
    changes = history.entries(selections.entity, _key(event), limit=LOOKED_THROUGH).items
    return [change for change in changes if change.verb != TICK][:RESTORABLE]


def earlier(event: ScoutedEvent, saved: Saved, entry_id: str) -> Picks:
    """The list after an earlier save, with the teams that are taken now."""
    stored = saved.stored
    if stored is None:
        raise NotFound
    state = history.state_after(selections.entity, _key(event.key), entry_id, stored.stored)
    if state is None:
        raise NotFound
    picks = pick_list.refreshed(pick_list.from_stored(unwrap(state["teams"])), event)
    return pick_list.with_taken(picks, saved.taken)


def _written(
    user: User,
    event: ScoutedEvent,
    over: Saved,
    changed: Callable[[Saved], dict[str, Any]],
    *,
    verb: str,
    once: IdempotencyKey | None = None,
) -> Saved:
    """Write what `changed` returns, conditionally; after a conflict again on the newer list."""
    for _attempt in range(MOST_ATTEMPTS):
        fields = changed(over)
        try:
            if over.stored is None:
                new = TeamSelection.about(event.key, **fields)
                first = TICK if verb == TICK else "create"
                written = selections.create(new, actor=user.actor, verb=first, once=once)
            else:
                # The condition is the version that was read, so no concurrent change is lost.
                written = selections.update(over.stored, fields, actor=user.actor, verb=verb, once=once)
            return _saved(written, event)
        except (AlreadyExists, Conflict) as error:
            if error.current is None:
                raise
            over = _saved(error.current, event)
    raise Unavailable


def _saved(stored: TeamSelection | None, event: ScoutedEvent) -> Saved:
    if stored is None:
        return Saved(picks=pick_list.refreshed((), event))
    picks = pick_list.refreshed(pick_list.from_stored(stored.teams), event)
    # An old item without `taken` was written by saves only.
    at = stored.updated_at if stored.taken is None else stored.saved_at
    return Saved(
        pick_list.with_taken(picks, _taken(stored)), stored.seen_version, stored.saved_by or "", at, stored
    )


def _taken(stored: TeamSelection) -> set[str]:
    if stored.taken is None:
        return {pick.number for pick in pick_list.from_stored(stored.teams) if pick.taken}
    return set(stored.taken)


def _in_order(numbers: set[str]) -> list[str]:
    return sorted(numbers, key=team_order)


def _key(event: str) -> str:
    return selections.key_of(TeamSelection.about(event))
