"""Version history of what leads edit: events with teams and matches, games, and the settings of a year."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from core.accounts.rights import ensure
from core.accounts.user import User
from core.dynamo import history
from core.dynamo.errors import NotFound
from scouting import keys
from scouting.events.models import EventInfo, EventList, EventTeams, Schedule
from scouting.events.repository import event_infos, event_teams, schedules
from scouting.games import definition as definitions
from scouting.games.models import StoredGame
from scouting.games.repository import stored_games
from scouting.models import ScoutedItem
from scouting.repository import ScoutingRepository
from scouting.settings import services as settings
from scouting.settings.models import Settings
from scouting.settings.repository import stored_settings

# The id of the shipped definition of a year, which has no history entry.
SHIPPED = "shipped"


@dataclass(frozen=True)
class Kind:
    """What can have a history. `about` makes the item for an event or year."""

    stored: ScoutingRepository[Any]
    about: Callable[[str], ScoutedItem]
    right: str
    restored: Collection[str]

    def key(self, subject: str) -> str:
        return self.stored.key_of(self.about(subject))


def kind_of(user: User, name: str, verb: str) -> Kind:
    """The `Kind` by name, if the user has the right `verb` for it; else an error."""
    if name not in KINDS:
        raise NotFound
    ensure(user, f"{KINDS[name].right}.{verb}")
    return KINDS[name]


def current(kind: Kind, subject: str) -> Any:
    return kind.stored.get(kind.key(subject), strong=True)


def as_of(kind: Kind, subject: str, now: Any, entry_id: str) -> Any:
    """The item as it was after one history entry. May raise `TooOld`."""
    if entry_id == SHIPPED and kind.stored is stored_games:
        return _as_it_came(subject)
    state = history.state_after(kind.stored.entity, kind.key(subject), entry_id, now.stored)
    if state is None:
        raise NotFound
    return kind.stored.model.from_raw_data(state)


def restore(user: User, name: str, subject: str, entry_id: str, *, seen_version: int) -> None:
    """Restore an earlier version. Raises Conflict if the item was changed since `seen_version`."""
    kind = kind_of(user, name, "update")
    now = current(kind, subject)
    earlier = as_of(kind, subject, now, entry_id)
    if isinstance(earlier, StoredGame):
        # An old definition may be invalid by the current rules; this raises Invalid.
        definitions.from_json(earlier.definition)
    fields = {name: getattr(earlier, name) for name in kind.restored}
    kind.stored.update(now, fields, actor=user.actor, verb="restore_version", seen_version=seen_version)
    settings.forget()


def _as_it_came(subject: str) -> StoredGame:
    game = definitions.shipped(keys.year_in(subject))
    if game is None:
        raise NotFound
    return StoredGame.of_year(game.year, name=game.name, definition=definitions.to_json(game))


def _of_event(model: type[EventInfo | EventList]) -> Callable[[str], ScoutedItem]:
    return lambda subject: model.about(keys.in_address(keys.event_key, subject))


def _of_year(model: type[StoredGame | Settings]) -> Callable[[str], ScoutedItem]:
    return lambda subject: model.of_year(keys.year_in(subject))


EVENT = ("name", "place", "starts_on", "ends_on", "time_zone", "is_own")
# Edited entries and fetch time belong to a list and are restored with it.
LIST = ("by_hand", "fetched_at")
SETTINGS = ("event", "locked", "game_year")

KINDS: Mapping[str, Kind] = {
    "event": Kind(event_infos, _of_event(EventInfo), "scouting.event", EVENT),
    "teams": Kind(event_teams, _of_event(EventTeams), "scouting.event", ("teams", *LIST)),
    "schedule": Kind(schedules, _of_event(Schedule), "scouting.event", ("matches", *LIST)),
    "game": Kind(stored_games, _of_year(StoredGame), "scouting.settings", ("name", "definition")),
    "settings": Kind(stored_settings, _of_year(Settings), "scouting.settings", SETTINGS),
}
