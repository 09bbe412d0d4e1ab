"""The current season: the year, its game and the current event."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from core.accounts.rights import ensure
from core.accounts.user import User
from core.common.kept import KeptFor
from core.dynamo.errors import Invalid
from core.dynamo.idempotency import IdempotencyKey
from core.dynamo.transactions import Transaction, retry_on_conflict
from scouting import keys
from scouting.games import definition as games
from scouting.games.definition import Game
from scouting.games.models import StoredGame
from scouting.games.repository import stored_games
from scouting.revision_cache import Kept, revision_of
from scouting.settings.models import NO_LOCK, Settings
from scouting.settings.repository import stored_settings

KEPT_SECONDS = 30
MOST_TRIES = 4
DEFAULT = "DEFAULT"
# Where SuperAlliance has stored it, unlike its document says.
DEFAULT_YEAR = "YEAR#DEFAULT"


@dataclass(frozen=True)
class Season:
    """The current settings with their game. `is_locked`: forms can be sent for this event only."""

    settings: Settings
    game: Game
    event: str | None
    is_locked: bool


_definitions: Kept[Game] = Kept(8)


def active() -> Season:
    """The current season, cached for 30 seconds, because every form and page needs it."""
    return _season.get()


def forget() -> None:
    """Drop the cache of this process, including the result of a read in progress."""
    _season.forget()


def _read() -> Season:
    chosen = {item.sk: item for item in stored_settings.all()}
    default = chosen.get(DEFAULT) or chosen.get(DEFAULT_YEAR)
    year = _year_of(default, chosen.values()) or newest_game().year
    settings = chosen.get(f"YEAR#{year}") or Settings.of_year(year)
    if default and default.year is None and default.active_event != settings.active_event:
        settings = Settings.of_year(year, event=default.event, locked=default.locked)
    # The definition may not exist any more; forms need one in any case.
    definition = game(int(settings.game_year or year), strong=True) or newest_game()
    event = settings.active_event
    return Season(settings, definition, event, is_locked=bool(event and settings.locked))


def _year_of(default: Settings | None, chosen: Iterable[Settings]) -> int | None:
    """The current year. Other programs store none there, so it is that of settings with the same event."""
    if default is None or default.year is not None:
        return int(default.year) if default else None
    years = [int(item.year) for item in chosen if item.year and item.active_event == default.active_event]
    return max(years, default=keys.year_of(default.event or ""))


_season: KeptFor[Season] = KeptFor(KEPT_SECONDS, lambda: _read())


def newest_game() -> Game:
    return [*games.shipped_games().values()][-1]


def of_year(year: int, *, strong: bool = False) -> Settings:
    """The settings of a year; version 0 if nothing is stored."""
    new = Settings.of_year(year)
    return stored_settings.find(new, strong=strong) or new


def game(year: int, *, strong: bool = False) -> Game | None:
    """The definition of a year as changed by leads, or the shipped one; None if there is neither."""
    stored = stored_game(year, strong=strong)
    if stored is None:
        return games.shipped(year)
    return _definitions.get(revision_of(stored.stored), lambda: games.from_json(stored.definition))


def stored_game(year: int, *, strong: bool = False) -> StoredGame | None:
    return stored_games.find(StoredGame.of_year(year), strong=strong)


def choose(
    user: User,
    year: int,
    *,
    event: str | None,
    locked: bool,
    game_year: int | None,
    seen_version: int,
    once: IdempotencyKey | None = None,
) -> Settings:
    """Store the settings of a year, and make it the current year."""
    ensure(user, "scouting.settings.update")
    try:
        event = keys.event_key(event) if event else None
    except Invalid as error:
        error.field = "event"
        raise
    if locked and not event:
        raise Invalid(_("Choose an event to lock the forms to."), field="event")
    if game(game_year or year) is None:
        raise Invalid(_("This year has no game definition yet."), field="game_year")
    fields = {"event": event or NO_LOCK, "locked": locked, "game_year": game_year}

    def prepare(transaction: Transaction) -> Settings:
        written = stored_settings.save(
            of_year(year, strong=True),
            fields,
            actor=user.actor,
            seen_version=seen_version,
            once=once,
            transaction=transaction,
        )
        # Other programs read the event there.
        current = {"year": year, "event": fields["event"]}
        stored_settings.save(_default(year), current, actor=user.actor, transaction=transaction)
        return written

    # That another year was chosen at the same time is no conflict; prepared again, a real one is refused.
    written = retry_on_conflict(prepare, tries=MOST_TRIES)
    forget()
    return written


def _default(year: int) -> Settings:
    new = Settings.default(year)
    return stored_settings.find(new, strong=True) or new
