"""Checks that stored box scores and the players' counters match the plate appearances, and repairs them.

Safe while games are scored: what changed during the check is read again, and repairs are conditional writes
on the game and its box score, or on the player's counter, as read.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from core.dynamo.actors import SYSTEM
from core.dynamo.errors import Conflict, NotFound
from core.dynamo.queries import read_all
from core.dynamo.reindex import records_of
from core.dynamo.transactions import Transaction
from tracker import repository
from tracker.games.models import Game
from tracker.games.repository import GameStory
from tracker.roster.models import Player
from tracker.rules import box_scores
from tracker.scoring import game_writing
from tracker.statistics import appearances
from tracker.statistics.models import StoredBox
from tracker.statistics.repository import differing
from tracker.teams.models import Team

# A live game is written every half a minute, so more conflicts in a row have another cause.
MOST_TRIES = 10
PER_PAGE = 100


@dataclass(frozen=True)
class Difference:
    """A wrong box score; `names` are the stored names of the attributes that differ."""

    game_id: str
    title: str
    names: list[str] = field(default_factory=list)
    # None if the game no longer exists.
    story: GameStory | None = None
    # None if no box score is stored.
    box: StoredBox | None = None

    def __str__(self) -> str:
        if self.story is None:
            return f"{self.title}: a box score of a game that does not exist"
        if self.box is None:
            return f"{self.title}: no box score"
        return f"{self.title}: {', '.join(self.names)}"


@dataclass(frozen=True)
class Miscount:
    """A player whose counter of plate appearances is wrong."""

    player: Player
    right: int

    def __str__(self) -> str:
        stored = int(self.player.at_bats or 0)
        return f"{self.player.name} ({self.player.team_id}): atBats is {stored}, not {self.right}"


Finding = Difference | Miscount


def team_ids() -> Iterator[str]:
    """The ids of all teams, each once, also of teams that only their games still name."""
    found: set[str] = set()
    for owned in (records_of(repository.teams), records_of(repository.games)):
        for item in owned:
            team_id = item.id if isinstance(item, Team) else item.team_id
            if team_id not in found:
                found.add(team_id)
                yield team_id


def checks(team_id: str) -> Iterator[Finding | None]:
    """Check each game of a team, each box score (its game may be gone) and each player's counter.

    Yields None for each that is right.
    """
    for game in _games_of(team_id):
        yield _difference(game.id)
    for box in repository.boxes.of_team(team_id):
        yield _without_game(box)
    yield from _miscounts(team_id)


def repair(finding: Finding) -> bool:
    """Store the right values. False if somebody wrote meanwhile; a write of a game repairs its box score."""
    transaction = Transaction()
    if isinstance(finding, Miscount):
        transaction.add(repository.players.recounted(finding.player, finding.right))
    elif finding.story is not None:
        story, box = finding.story, finding.box
        game_writing.add(transaction, story, box, {}, story.at_bats, actor=SYSTEM, verb="rebuild")
    elif finding.box is not None:
        transaction.add(repository.boxes.remove(finding.box))
    try:
        transaction.commit()
    except (Conflict, NotFound):
        return False
    return True


def _games_of(team_id: str) -> Iterator[Game]:
    return read_all(lambda **options: repository.games.of_team(team_id, **options), limit=PER_PAGE)


def _miscounts(team_id: str) -> Iterator[Miscount | None]:
    """Check each player's counter; a difference is counted again, because of concurrent writes."""
    counts = _counts_of(team_id)
    for player in repository.teams.roster(team_id, strong=True).players:
        yield None if _is_right(player, counts) else _miscount(player)


def _miscount(player: Player) -> Miscount | None:
    """The wrong counter, counted while it did not change, or None if it is right."""
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
    """By player id: in how many stored plate appearances of the team they have a part."""
    counts: Counter[str] = Counter()
    for game in _games_of(team_id):
        with suppress(NotFound):
            for at_bat in repository.games.story(game.id, strong=True).at_bats:
                counts.update(appearances.players_in(at_bat))
    return counts


def _difference(game_id: str) -> Difference | None:
    """The difference of a game's box score, read while the game did not change, or None."""
    for _try in range(MOST_TRIES):
        try:
            story = repository.games.story(game_id, strong=True)
            game = story.game
            box = repository.boxes.get(game.team_id, game.season_id, game.id, strong=True)
            names = _differing(story, box)
            if not names:
                return None
            if _state(repository.games.story(game_id, strong=True)) == _state(story):
                return Difference(game_id, _title(game), names, story, box)
        except NotFound:
            return None
    raise Conflict


def _state(story: GameStory) -> tuple[int, str]:
    return story.game.seen_version, box_scores.made_of(story.at_bats)


def _without_game(box: StoredBox) -> Difference | None:
    """The box score as a difference, if its game is gone or belongs to another season."""
    try:
        if repository.games.of(box.game_id, strong=True).season_id == box.season_id:
            return None
    except NotFound:
        pass
    # Games and their box scores are deleted or moved in one transaction, so one still stored is orphaned.
    left = repository.boxes.get(box.team_id, box.season_id, box.game_id, strong=True)
    return Difference(box.game_id, _title(box), box=left) if left else None


def _differing(story: GameStory, box: StoredBox | None) -> list[str]:
    """The stored names of the attributes that differ; PK stands for a missing box score."""
    if box is None:
        return ["PK"]
    right = box_scores.stored_box(story.game, story.at_bats, revision=int(box.revision))
    names = differing(right, box)
    return sorted(names if right.runs == int(story.game.team_score or 0) else [*names, "teamScore"])


def _title(about: Game | StoredBox) -> str:
    start = about.scheduled_start
    day = f"{start:%Y-%m-%d}" if start else "no date"
    return f"{day} {about.opponent_name or 'unknown opponent'} ({about.team_id})"
