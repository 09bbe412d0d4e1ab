"""How a game is written: the game, what happened in it and its box score change in one transaction."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from core.accounts.user import User
from core.dynamo.errors import Conflict
from core.dynamo.idempotency import IdempotencyKey
from core.dynamo.transactions import Transaction
from tracker import policy, repository
from tracker.games.models import Game
from tracker.games.repository import GameStory
from tracker.policy import Access
from tracker.rules import box_scores
from tracker.scoring.models import AtBat
from tracker.statistics.models import StoredBox


@dataclass(frozen=True)
class OpenGame:
    """A game as it is now, and what somebody may do in its team."""

    access: Access
    story: GameStory
    # None for a game of another program: its first write makes one.
    box: StoredBox | None

    @property
    def game(self) -> Game:
        return self.story.game

    @property
    def revision(self) -> int:
        """Of the box score that the next write stores."""
        return int(self.box.revision) + 1 if self.box else 1


def opened(user: User, game_id: str, verb: str) -> OpenGame:
    """The guard of every write of a game: two strong reads, and refused unless the role may do it.

    Somebody may write between the two, and a write from such a picture would lose theirs: then both are
    read again. Where nobody wrote in between, the box score is of another program, and the write mends it.
    """
    last: int | None = None
    while True:
        story = repository.games.story(game_id, strong=True)
        around = repository.games.surroundings(story.game, user.sub, strong=True)
        box = around.box
        if box is None or box.made_of == box_scores.made_of(story.at_bats) or box.revision == last:
            break
        last = int(box.revision)
    access = policy.granted(user, around.team, around.membership)
    access.ensure(verb)
    return OpenGame(access, story, box)


def write(
    opened: OpenGame,
    fields: Mapping[str, Any],
    *,
    verb: str,
    at_bats: Sequence[AtBat] | None = None,
    seen_version: int | None = None,
    once: IdempotencyKey | None = None,
    transaction: Transaction | None = None,
) -> Game:
    """Change a game and store the box score that follows; refused when anything was written meanwhile.

    `at_bats` are the plate appearances as they will be, where `transaction` writes some of them.
    """
    told = opened.story.at_bats if at_bats is None else at_bats
    whole = transaction or Transaction()
    game = repository.games.update(
        opened.game,
        {**fields, **_score(opened, fields, told)},
        actor=opened.access.user.actor,
        verb=verb,
        seen_version=seen_version,
        once=once,
        transaction=whole,
    )
    if opened.box is None and game.version == opened.game.version:
        # No box score tells whether the game is still there.
        whole.add(repository.games.check_unchanged(opened.game))
    box = box_scores.stored_box(game, told, revision=opened.revision)
    whole.add(*repository.boxes.move(box, seen=opened.box))
    if transaction is None:
        whole.commit()
    return game


def _score(opened: OpenGame, fields: Mapping[str, Any], told: Sequence[AtBat]) -> dict[str, int]:
    """What the plate appearances say, whatever somebody has entered; nothing where they say nothing."""
    planned: Game = Game.from_raw_data(opened.game.stored)
    for name, value in fields.items():
        setattr(planned, name, value)
    if box_scores.follows(planned, told):
        return {"team_score": box_scores.box_of(planned, told).runs}
    return {"team_score": 0} if box_scores.follows(opened.game, opened.story.at_bats) and not told else {}


def fingerprint(game: Game, names: Iterable[str]) -> str:
    """Of these fields of a game, for a form to carry: a run that scores meanwhile makes no form stale."""
    stored = {name: game.stored.get(name) for name in sorted(Game.stored_names(names))}
    return hashlib.sha256(json.dumps(stored, sort_keys=True).encode()).hexdigest()[:32]


def refuse_unseen(game: Game, names: Iterable[str], seen: str | None, once: IdempotencyKey | None) -> None:
    """Refuse a form that was made before somebody changed what it writes."""
    if seen is not None and seen != fingerprint(game, names):
        refuse(Conflict(current=game), once)


def refuse(error: Exception, once: IdempotencyKey | None) -> NoReturn:
    """A request that is sent again finds what it has done itself: then that is the answer."""
    if once is not None:
        once.check()
    raise error
