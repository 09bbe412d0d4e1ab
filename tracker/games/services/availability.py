"""Answers to a game: people answer for themselves, managers for players without an account."""

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext_lazy as _

from core.accounts.user import User
from core.dynamo.errors import Invalid, NotFound
from core.dynamo.idempotency import IdempotencyKey, refuse
from core.dynamo.transactions import Transaction
from tracker import repository
from tracker.games.models import COMING, FINAL, MAYBE, NOT_COMING, Answer, Game
from tracker.games.services.games import Impossible
from tracker.policy import Access
from tracker.roster.models import Player
from tracker.scoring import game_writing

ANSWERS = (COMING, MAYBE, NOT_COMING)
LONGEST_NOTE = 200


def may_answer_for(access: Access, player: Player) -> bool:
    if player.user_id is not None:
        return bool(player.user_id == access.user.sub) and access.may("answer")
    return access.may("manage_roster")


def answer(
    user: User,
    game_id: str,
    player_id: str,
    value: str,
    *,
    note: str | None = None,
    once: IdempotencyKey | None = None,
) -> Answer:
    """Create or change the answer of a player. Without `note` the stored note stays."""
    if value not in ANSWERS:
        raise Invalid(_("Choose one of the answers."), field="answer")
    opened = game_writing.allowed(user, game_id, "answer")
    player = repository.players.of(opened.game.team_id, player_id, strong=True)
    if not may_answer_for(opened.access, player):
        raise PermissionDenied
    if opened.game.status == FINAL:
        refuse(Impossible(_("The game is over.")), once)
    if not player.plays:
        raise Invalid(_("This player is inactive."), field="answer")
    transaction = Transaction()
    # Conditional on the game's existence; the counter also makes a concurrent delete of the game fail.
    transaction.count(
        Game, opened.game.raw_key(), Game.answered.attr_name, 1, refused=lambda _stored: NotFound()
    )
    before = next((each for each in opened.story.answers if each.player_id == player_id), None)
    kept = str(before.note or "") if before else ""
    fields = {"answer": value, "note": kept if note is None else note.strip()[:LONGEST_NOTE]}
    saved = repository.answers.save(
        before or Answer.about(game_id, player_id, team_id=opened.game.team_id),
        fields,
        actor=user.actor,
        once=once,
        transaction=transaction,
    )
    transaction.commit()
    return saved
