"""Presenters of games for templates."""

from dataclasses import dataclass

from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from core.crud.cached_urls import address_of
from core.crud.times import formatted
from core.dynamo.errors import Text
from tracker.games.models import FINAL, IN_PROGRESS, Game
from tracker.rules import game_states


@dataclass(frozen=True)
class Card:
    """A game with the texts that lists and pages show."""

    game: Game

    @property
    def opponent(self) -> str:
        name = self.game.opponent_name or _("Opponent to be announced")
        return name if self.game.is_home or not self.game.opponent_name else _("at %(name)s") % {"name": name}

    @property
    def address(self) -> str:
        return address_of("tracker:game", self.game.id)

    @property
    def start(self) -> str:
        """The start as ISO 8601, for the `datetime` attribute."""
        return localtime(self.game.scheduled_start).isoformat()

    @property
    def day(self) -> str:
        return formatted(self.game.scheduled_start, _("D j M"))

    @property
    def clock(self) -> str:
        return formatted(self.game.scheduled_start, "TIME_FORMAT")

    @property
    def status(self) -> Text:
        return game_states.TITLES.get(self.game.status, self.game.status)

    @property
    def tone(self) -> str:
        return game_states.TONES.get(self.game.status, "draft")

    @property
    def score(self) -> str:
        """The team's score first; empty before the game has begun."""
        if self.game.status not in (IN_PROGRESS, FINAL):
            return ""
        return f"{int(self.game.team_score or 0)}:{int(self.game.opponent_score or 0)}"

    @property
    def outcome(self) -> Text:
        ended = game_states.outcome(self.game)
        if ended and self.game.forfeited_to:
            return game_states.BY_FORFEIT[ended]
        return game_states.OUTCOMES[ended] if ended else ""


@dataclass(frozen=True)
class AnswerCard:
    """The question to a player whether they come to a game, with their answer or an empty one."""

    card: Card
    player_id: str
    said: str = ""

    @property
    def team_id(self) -> str:
        return str(self.card.game.team_id)
