"""Game definitions: the shipped ones, and the versions changed by leads."""

from dataclasses import dataclass
from datetime import datetime

from core.accounts.rights import ensure
from core.accounts.user import User
from core.dynamo.attributes import now
from core.dynamo.idempotency import IdempotencyKey
from scouting.games import definition as definitions
from scouting.games.definition import Game
from scouting.games.models import StoredGame
from scouting.games.repository import stored_games
from scouting.settings import services as settings


@dataclass(frozen=True)
class Listed:
    """A listed game; `changed_at` is None for a shipped definition without changes."""

    year: int
    name: str
    changed_at: datetime | None = None


def listed() -> list[Listed]:
    """Every year that has a game, newest first."""
    games = {year: Listed(year, game.name) for year, game in definitions.shipped_games().items()}
    for stored in stored_games.all():
        games[int(stored.year)] = Listed(int(stored.year), stored.name, stored.updated_at)
    return sorted(games.values(), key=lambda game: game.year, reverse=True)


def years_to_come() -> list[int]:
    """This year and the next, if no definition is shipped: games come out in January, and leads prepare."""
    return [year for year in (now().year, now().year + 1) if definitions.shipped(year) is None]


def save(user: User, game: Game, *, seen_version: int, once: IdempotencyKey | None = None) -> StoredGame:
    """Store a definition. Sent forms keep their values and points, which are computed on sending."""
    ensure(user, "scouting.settings.update")
    fields = {"name": game.name, "definition": definitions.to_json(game)}
    stored = settings.stored_game(game.year, strong=True)
    item = stored or StoredGame.of_year(game.year, **fields)
    saved = stored_games.save(item, fields, actor=user.actor, seen_version=seen_version, once=once)
    settings.forget()
    return saved
