"""Reads a game for a write, and writes game, plate appearances and box score in one transaction."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.accounts.user import User
from core.dynamo import adoption
from core.dynamo.actors import Actor
from core.dynamo.errors import Conflict
from core.dynamo.idempotency import IdempotencyKey, refuse
from core.dynamo.transactions import Transaction
from tracker import policy, repository
from tracker.games.models import Game
from tracker.games.repository import GameStory
from tracker.policy import Access
from tracker.rules import box_scores
from tracker.scoring.models import AtBat
from tracker.statistics.models import StoredBox

# What somebody based a change of a game on: the fingerprint in a form, or the version that a program read.
Seen = str | int | None


@dataclass(frozen=True)
class OpenGame:
    """A game read for a write, with the person's access to its team."""

    access: Access
    story: GameStory
    # None for a game that another program created; the first write stores one.
    box: StoredBox | None

    @property
    def game(self) -> Game:
        return self.story.game


def allowed(user: User, game_id: str, verb: str) -> OpenGame:
    """Read a game for a write, in two strongly consistent reads; refused unless the role has the right.

    If the box score does not match the plate appearances, somebody may have written between the reads, and a
    write based on them would lose that. Then both are read again. If the revision is still the same, another
    program has changed the plate appearances, and the write corrects the box score.
    """
    last: int | None = None
    while True:
        story = repository.games.story(game_id, strong=True)
        team, membership, box = repository.games.surroundings(story.game, user.sub, strong=True)
        if box is None or box.made_of == box_scores.made_of(story.at_bats) or box.revision == last:
            break
        last = int(box.revision)
    access = policy.granted(user, team, membership)
    access.ensure(verb)
    if not adoption.is_adopted(story.game.stored):
        # Its box score comes with the adoption, and a write is conditional on that.
        adoption.adopt(repository.games, story.game)
        return allowed(user, game_id, verb)
    return OpenGame(access, story, box)


def write(
    opened: OpenGame,
    fields: Mapping[str, Any],
    *,
    verb: str,
    at_bats: Sequence[AtBat] | None = None,
    once: IdempotencyKey | None = None,
    transaction: Transaction | None = None,
) -> Game:
    """Update a game and its box score; Conflict if either was written since `opened` was read.

    `at_bats` are the plate appearances after the write, if `transaction` changes some of them. The caller
    then commits the transaction.
    """
    after = opened.story.at_bats if at_bats is None else at_bats
    work = transaction or Transaction()
    actor = opened.access.user.actor
    game = add(work, opened.story, opened.box, fields, after, actor=actor, verb=verb, once=once)
    if transaction is None:
        work.commit()
    return game


def add(
    transaction: Transaction,
    story: GameStory,
    box: StoredBox | None,
    fields: Mapping[str, Any],
    after: Sequence[AtBat],
    *,
    actor: Actor,
    verb: str,
    once: IdempotencyKey | None = None,
) -> Game:
    """Add the changes of a game and of its box score, as they were read, to a transaction."""
    score = _score(story, fields, after)
    game = repository.games.update(
        story.game, {**fields, **score}, actor=actor, verb=verb, once=once, transaction=transaction
    )
    if game.version == story.game.version:
        # Without a box score no other condition notices a change or a deletion of the game.
        transaction.add(repository.games.check_unchanged(story.game))
    right = box_scores.stored_box(game, after, revision=revision_after(box))
    transaction.add(*repository.boxes.replace(right, seen=box))
    return game


def _score(story: GameStory, fields: Mapping[str, Any], after: Sequence[AtBat]) -> dict[str, int]:
    """The derived score, if there is one; 0 if the last plate appearance was removed; otherwise nothing."""
    planned: Game = Game.from_raw_data(story.game.stored)
    for name, value in fields.items():
        setattr(planned, name, value)
    if box_scores.follows(planned, after):
        return {"team_score": box_scores.box_of(planned, after).runs}
    return {"team_score": 0} if box_scores.follows(story.game, story.at_bats) and not after else {}


def revision_after(box: StoredBox | None) -> int:
    """The revision of the box score that the next write stores."""
    return int(box.revision) + 1 if box else 1


def fingerprint(game: Game, names: Iterable[str]) -> str:
    """A hash of these fields, for a form. Unlike the version it ignores changes of others, such as runs."""
    stored = {name: game.stored.get(name) for name in sorted(Game.stored_names(names))}
    return hashlib.sha256(json.dumps(stored, sort_keys=True).encode()).hexdigest()[:32]


def refuse_unseen(game: Game, names: Iterable[str], seen: Seen, once: IdempotencyKey | None) -> None:
    """Raise Conflict if the game, or these fields of it, have changed since they were seen."""
    now = game.seen_version if isinstance(seen, int) else fingerprint(game, names)
    if seen is not None and seen != now:
        refuse(Conflict(current=game), once)
