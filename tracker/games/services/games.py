"""Services for games: create, edit, change of state, forfeit and share. Each is one transaction."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from core.accounts.user import User
from core.dynamo.attributes import now
from core.dynamo.errors import AlreadyExists, Conflict, Invalid, NotFound
from core.dynamo.idempotency import IdempotencyKey, refuse
from core.dynamo.items import new_id
from core.dynamo.transactions import Transaction
from tracker import keys, policy, repository
from tracker.games.models import FINAL, IN_PROGRESS, SCHEDULED, SCORES, Game
from tracker.games.repository import GameStory
from tracker.rules import box_scores, game_states, season_rules
from tracker.rules.game_states import Step
from tracker.scoring import game_writing
from tracker.scoring.game_writing import OpenGame, Seen

# The fields that the form of a game writes, besides the scores.
PLANNED = ("scheduled_start", "opponent_name", "location", "season_id", "is_home")
FIELDS = (*PLANNED, *SCORES)
KEY_BYTES = 12
TOKEN_LENGTH = 40


class Impossible(Conflict):
    """The state of the game does not allow the action."""

    message = _("This is not possible in the game's current state.")


class NeedsLineup(Invalid):
    status_code = 422
    message = _("A game needs a line-up. Enter it first.")


class NotByHand(Invalid):
    status_code = 422
    message = _("The score comes from the recorded plays. Correct it there.")


def create(
    user: User,
    team_id: str,
    fields: Mapping[str, Any],
    *,
    game_id: str = "",
    once: IdempotencyKey | None = None,
) -> Game:
    """Create a scheduled game with an empty box score."""
    policy.allowed(user, team_id, "manage_games")
    planned = {name: fields.get(name) for name in PLANNED if name in fields}
    transaction = Transaction()
    game = repository.games.create(
        Game.about(game_id or new_id(), team_id=team_id, status=SCHEDULED, **planned),
        actor=user.actor,
        once=once,
        transaction=transaction,
    )
    box = box_scores.stored_box(game, (), revision=1)
    transaction.add(*repository.boxes.replace(box, seen=None))
    transaction.commit()
    return game


def edit(
    user: User,
    game_id: str,
    fields: Mapping[str, Any],
    *,
    seen: Seen = None,
    once: IdempotencyKey | None = None,
) -> Game:
    """Update a game; Conflict unless it is as `seen`."""
    opened = game_writing.allowed(user, game_id, "manage_games")
    game_writing.refuse_unseen(opened.game, FIELDS, seen, once)
    written = {name: value for name, value in fields.items() if name in PLANNED}
    return game_writing.write(opened, written | _entered(opened, fields), verb="update", once=once)


def move(
    user: User,
    game_id: str,
    status: str,
    *,
    fields: Mapping[str, Any] | None = None,
    once: IdempotencyKey | None = None,
) -> Game:
    """Take a game to another state; `fields` has the new date or the scores that the step needs."""
    if status not in game_states.TITLES:
        raise Invalid(_("A game cannot have this state."), field="status")
    given = fields or {}
    opened = game_writing.allowed(user, game_id, "manage_games")
    game = opened.game
    step = game_states.step(game.status, status)
    if step is None:
        refuse(Impossible(current=game), once)
    opened.access.ensure(step.needs)
    written: dict[str, Any] = {"status": step.end}
    if step.asks_date:
        if given.get("scheduled_start") is None:
            raise Invalid(_("Choose the new date."), field="scheduled_start")
        written["scheduled_start"] = given["scheduled_start"]
    if step.asks_score:
        written |= _entered(opened, given)
    if game.forfeited_to:
        written |= _without_forfeit(opened)
    elif step.end == IN_PROGRESS:
        if not game.lineup and not opened.access.team.is_personal:
            raise NeedsLineup
        written["rules"] = _rules_of_season(opened)
    if step.verb == "start":
        written["started_at"] = now()
    # A game that is started without a date is played now; a reopened one was played before.
    if step.verb == "start" and game.scheduled_start is None:
        written["scheduled_start"] = now()
    try:
        return game_writing.write(opened, written, verb=step.verb, once=once)
    except AlreadyExists as error:
        # Another game of the team is live: a conflict, not an invalid form.
        raise Impossible(error.message, field=error.field) from error


def forfeit(user: User, game_id: str, *, winner: str, once: IdempotencyKey | None = None) -> Game:
    """End a game as a forfeit: the winner gets one run per inning of the rules, the loser none."""
    if winner not in (game_states.OWN, game_states.OPPONENT):
        raise Invalid(_("Choose who won."), field="winner")
    opened = game_writing.allowed(user, game_id, "manage_games")
    game = opened.game
    if opened.access.team.is_personal:
        raise NotFound
    if game.status not in game_states.FORFEITED_FROM:
        refuse(Impossible(current=game), once)
    league = _rules_of_season(opened)
    runs = season_rules.from_stored(league).innings
    scores = (runs, 0) if winner == game_states.OWN else (0, runs)
    written = {
        "status": FINAL,
        "forfeited_to": winner,
        "rules": league,
        **dict(zip(SCORES, scores, strict=True)),
    }
    return game_writing.write(opened, written, verb="forfeit", once=once)


def share(user: User, game_id: str, *, shared: bool, once: IdempotencyKey | None = None) -> Game:
    """Turn the public live page on or off; turned on again, it has another link."""
    opened = game_writing.allowed(user, game_id, "manage_games")
    is_done = bool(live_token(opened.game)) if shared else not opened.game.share_token
    if is_done:
        return opened.game
    key = secrets.token_urlsafe(KEY_BYTES) if shared else None
    token = keys.hashed(_token(game_id, key)) if key else None
    verb = "share" if shared else "unshare"
    return game_writing.write(opened, {"share_token": token, "share_key": key}, verb=verb, once=once)


def live_token(game: Game) -> str:
    """The token in the URL of the live page; empty if not shared, or signed with an unknown secret key."""
    tokens = [
        _token(game.id, game.share_key, secret=secret)
        for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
        if game.share_key
    ]
    return next((token for token in tokens if keys.hashed(token) == game.share_token), "")


def _token(game_id: str, key: str, *, secret: str | None = None) -> str:
    signature = salted_hmac("tracker.live", f"{game_id} {key}", secret=secret, algorithm="sha256")
    return signature.hexdigest()[:TOKEN_LENGTH]


def score_is_entered(story: GameStory) -> bool:
    """Whether the team's score is entered, and not derived from plate appearances or a forfeit."""
    return not story.game.forfeited_to and not box_scores.follows(story.game, story.at_bats)


def opponent_score_follows(game: Game) -> bool:
    return bool(game.opponent_by_inning or game.forfeited_to)


def derived_scores(story: GameStory) -> list[str]:
    """The names of the scores that nobody enters, because they are derived."""
    names = [] if score_is_entered(story) else ["team_score"]
    return [*names, "opponent_score"] if opponent_score_follows(story.game) else names


def not_entered(story: GameStory) -> Sequence[str]:
    """The scores that a form of the game leaves out: the derived ones, or both before the game has begun."""
    is_played = story.game.status in (IN_PROGRESS, FINAL)
    return derived_scores(story) if is_played else SCORES


def asked_by(step: Step, story: GameStory) -> list[str]:
    """The fields of the form of a step to another state."""
    scores = [name for name in SCORES if name not in derived_scores(story)]
    return [*(["scheduled_start"] if step.asks_date else ()), *(scores if step.asks_score else ())]


def _without_forfeit(opened: OpenGame) -> dict[str, Any]:
    """The fields that undo a forfeit: the score is again that of the record."""
    game = opened.game
    has_begun = bool(game.started_at or opened.story.at_bats)
    return {
        "status": IN_PROGRESS if has_begun else SCHEDULED,
        "forfeited_to": None,
        "rules": game.rules if has_begun else None,
        "team_score": 0,
        "opponent_score": sum(int(runs) for runs in game.opponent_by_inning or ()),
    }


def _entered(opened: OpenGame, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The entered scores; NotByHand if a derived score differs."""
    game = opened.game
    typed = {name: fields[name] for name in SCORES if fields.get(name) is not None}
    follows = {
        "team_score": not score_is_entered(opened.story),
        "opponent_score": opponent_score_follows(game),
    }
    for name, value in typed.items():
        if follows[name] and value != int(getattr(game, name) or 0):
            raise NotByHand(field=name)
    return typed


def _rules_of_season(opened: OpenGame) -> dict[str, Any] | None:
    """A copy of the season's rules, unless the game has rules or was played already."""
    game = opened.game
    if game.rules is not None or opened.story.at_bats or not game.season_id:
        return game.rules
    season = repository.seasons.of(game.team_id, game.season_id, strong=True)
    # In full, also where the season has none of its own: a game without a copy would be given one later.
    return season_rules.stored(season_rules.from_stored(season.rules))
