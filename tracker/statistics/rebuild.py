"""Proves that every stored box score is what the plate appearances come to, and how many of these each player
is part of; mends what is not.

It works while games are scored: what was written in the meantime is read again, and a repair holds only if
the game and its box score, or the player's count, are still as they were read.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from core.dynamo.actors import SYSTEM
from core.dynamo.errors import Conflict, NotFound
from core.dynamo.items import same
from core.dynamo.paging import StartKey
from core.dynamo.reindex import records_of
from core.dynamo.transactions import Transaction
from tracker import repository
from tracker.games.models import Game
from tracker.games.repository import GameStory
from tracker.roster.models import Player
from tracker.rules import box_scores
from tracker.statistics import appearances
from tracker.statistics.models import StoredBox
from tracker.teams.models import Team

# A live game is written every half a minute; who is overtaken that often is in something else.
MOST_TRIES = 10
PER_PAGE = 100


@dataclass(frozen=True)
class Difference:
    """A game whose box score is not what it should be; `names` are the fields that differ."""

    game_id: str
    title: str
    names: list[str] = field(default_factory=list)
    # None where there is no game any more.
    story: GameStory | None = None
    # None where none is stored.
    box: StoredBox | None = None

    def __str__(self) -> str:
        if self.story is None:
            return f"{self.title}: a box score of a game that does not exist"
        if self.box is None:
            return f"{self.title}: no box score"
        return f"{self.title}: {', '.join(self.names)}"


@dataclass(frozen=True)
class Miscount:
    """A player of whom is stored to be part of more or fewer plate appearances than there are."""

    player: Player
    right: int

    def __str__(self) -> str:
        stored = int(self.player.at_bats or 0)
        return f"{self.player.name} ({self.player.team_id}): atBats is {stored}, not {self.right}"


Finding = Difference | Miscount


def team_ids() -> Iterator[str]:
    """Of all teams, each once, also of those that are gone while their games are kept."""
    found: set[str] = set()
    for owned in (records_of(repository.teams), records_of(repository.games)):
        for item in owned:
            team_id = item.id if isinstance(item, Team) else item.team_id
            if team_id not in found:
                found.add(team_id)
                yield team_id


def checks(team_id: str) -> Iterator[Finding | None]:
    """Each game of a team, then each box score, for one may be of no game, then each player's count.

    None is as it should be.
    """
    for game in _games_of(team_id):
        yield _difference(game.id)
    for box in repository.boxes.of_team(team_id):
        yield _without_game(box)
    yield from _miscounts(team_id)


def repair(finding: Finding) -> bool:
    """Store what is right. False when somebody has written meanwhile: of a box score that has mended it."""
    transaction = Transaction()
    if isinstance(finding, Miscount):
        transaction.add(repository.players.recounted(finding.player, finding.right))
    else:
        _mend(transaction, finding)
    try:
        transaction.commit()
    except (Conflict, NotFound):
        return False
    return True


def _mend(transaction: Transaction, difference: Difference) -> None:
    if difference.story is None:
        if difference.box is not None:
            transaction.add(repository.boxes.remove(difference.box))
    else:
        _put_right(transaction, difference.story, difference.box)


def _put_right(transaction: Transaction, story: GameStory, box: StoredBox | None) -> None:
    game = story.game
    if box_scores.follows(game, story.at_bats):
        score = {"team_score": box_scores.box_of(game, story.at_bats).runs}
        game = repository.games.update(game, score, actor=SYSTEM, verb="rebuild", transaction=transaction)
    if game.version == story.game.version:
        transaction.add(repository.games.check_unchanged(story.game))
    revision = int(box.revision) + 1 if box else 1
    right = box_scores.stored_box(game, story.at_bats, revision=revision)
    transaction.add(repository.boxes.replace(right, seen=box))


def _games_of(team_id: str) -> Iterator[Game]:
    """Page by page, each read when those before it are done."""
    start: StartKey | None = None
    while True:
        page = repository.games.of_team(team_id, limit=PER_PAGE, start=start)
        yield from page.items
        if page.next_key is None:
            return
        start = page.next_key


def _miscounts(team_id: str) -> Iterator[Miscount | None]:
    """One for each player. What differs is counted once more, for somebody may have written in between."""
    counts = _counts_of(team_id)
    for player in repository.teams.roster(team_id, strong=True).players:
        yield None if _is_right(player, counts) else _miscount(player)


def _miscount(player: Player) -> Miscount | None:
    """Counted while nobody wrote down anything in which the player has a part."""
    for _try in range(MOST_TRIES):
        before = repository.players.of(player.team_id, player.id, strong=True)
        counts = _counts_of(player.team_id)
        after = repository.players.of(player.team_id, player.id, strong=True)
        if _is_right(after, counts):
            return None
        if before.at_bats == after.at_bats:
            return Miscount(after, counts[player.id])
    raise Conflict


def _is_right(player: Player, counts: Counter[str]) -> bool:
    return int(player.at_bats or 0) == counts[player.id]


def _counts_of(team_id: str) -> Counter[str]:
    """By player: of how many stored plate appearances of the team they are part."""
    counts: Counter[str] = Counter()
    for game in _games_of(team_id):
        with suppress(NotFound):
            for at_bat in repository.games.story(game.id, strong=True).at_bats:
                counts.update(appearances.players_in(at_bat))
    return counts


def _difference(game_id: str) -> Difference | None:
    """What differs when nobody writes between the reads of the box score and of its game."""
    for _try in range(MOST_TRIES):
        try:
            story = repository.games.story(game_id, strong=True)
        except NotFound:
            return None
        box = _box_of(story.game)
        names = _differing(story, box)
        if not names:
            return None
        if _is_still(story):
            return Difference(game_id, _title(story.game), names, story, box)
    raise Conflict


def _is_still(story: GameStory) -> bool:
    """Whether nothing has been written in a game since it was read."""
    try:
        now = repository.games.story(story.game.id, strong=True)
    except NotFound:
        return False
    is_same_game = now.game.seen_version == story.game.seen_version
    return is_same_game and box_scores.made_of(now.at_bats) == box_scores.made_of(story.at_bats)


def _without_game(box: StoredBox) -> Difference | None:
    """A box score whose game is gone, or stands in another season."""
    try:
        if repository.games.of(box.game_id, strong=True).season_id == box.season_id:
            return None
    except NotFound:
        pass
    # A game takes its box score with it in one transaction, so one that is left now belongs to none.
    left = repository.boxes.get(box.team_id, box.season_id, box.game_id, strong=True)
    return Difference(box.game_id, _title(box), box=left) if left else None


def _box_of(game: Game) -> StoredBox | None:
    return repository.boxes.get(game.team_id, game.season_id, game.id, strong=True)


def _differing(story: GameStory, box: StoredBox | None) -> list[str]:
    """The stored names of what is not as it should be."""
    if box is None:
        return ["PK"]
    right = box_scores.stored_box(story.game, story.at_bats, revision=int(box.revision)).serialize()
    stored = box.stored
    names = [name for name in {**right, **stored} if not same(right.get(name), stored.get(name))]
    score = {"N": str(int(story.game.team_score or 0))}
    return sorted(names if same(right["runs"], score) else [*names, "teamScore"])


def _title(about: Game | StoredBox) -> str:
    start = about.scheduled_start
    day = f"{start:%Y-%m-%d}" if start else "no date"
    return f"{day} {about.opponent_name or 'unknown opponent'} ({about.team_id})"
