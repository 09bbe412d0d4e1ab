"""Game definitions: those that came with the software, and what leads made of them."""

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
    """`changed_at` is when leads changed it; the others are as they came."""

    year: int
    name: str
    changed_at: datetime | None = None


def listed() -> list[Listed]:
    """Every year that has a game, the newest first."""
    games = {year: Listed(year, _shipped_name(year)) for year in definitions.shipped_years()}
    for stored in stored_games.all():
        games[int(stored.year)] = Listed(int(stored.year), stored.name, stored.updated_at)
    return sorted(games.values(), key=lambda game: game.year, reverse=True)


def years_to_come() -> list[int]:
    """Years that may have a game of which nothing came yet: a kickoff is in January, and leads prepare."""
    return [year for year in (now().year, now().year + 1) if definitions.shipped(year) is None]


def save(user: User, game: Game, *, seen_version: int, once: IdempotencyKey | None = None) -> StoredGame:
    """Keep a definition. Forms that were sent keep their values; the points count when they are sent."""
    ensure(user, "scouting.settings.update")
    fields = {"name": game.name, "definition": definitions.to_json(game)}
    stored = settings.stored_game(game.year, strong=True)
    item = stored or StoredGame.of_year(game.year, **fields)
    saved = stored_games.save(item, fields, actor=user.actor, seen_version=seen_version, once=once)
    settings.forget()
    return saved


def _shipped_name(year: int) -> str:
    game = definitions.shipped(year)
    return game.name if game else ""
