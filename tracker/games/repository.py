"""Repositories of games, seasons and answers, and the reads that combine several entities."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Unpack

from django.utils.translation import gettext_lazy as _

from core.dynamo import adoption, changeset, transactions
from core.dynamo.actors import Actor
from core.dynamo.errors import Conflict, NotFound
from core.dynamo.guards import Unique
from core.dynamo.idempotency import IdempotencyKey
from core.dynamo.items import RawItem
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions
from core.dynamo.references import Reference
from core.dynamo.transactions import Operation, Transaction
from tracker import keys
from tracker.base_repository import TrackerRepository, in_partition, stored
from tracker.games.models import IN_PROGRESS, Answer, Game, Season
from tracker.items import METADATA
from tracker.roster.models import Player
from tracker.roster.repository import players
from tracker.rules import box_scores
from tracker.scoring.models import AtBat, TakenOut
from tracker.statistics.models import StoredBox
from tracker.statistics.repository import boxes, differing
from tracker.teams.models import Membership, Team
from tracker.teams.repository import teams

LISTED = (
    *("id", "team_id", "season_id", "status", "scheduled_start", "created_at"),
    *("opponent_name", "location", "is_home", "team_score", "opponent_score", "forfeited_to"),
)


@dataclass(frozen=True)
class GameStory:
    """A game with the items of its partition: plate appearances in order, answers, and `TakenOut` items."""

    game: Game
    at_bats: list[AtBat]
    answers: list[Answer]
    # By plate appearance id: what was taken out; it may have been restored since.
    taken_out: dict[str, TakenOut] = field(default_factory=dict)

    def at_bat(self, at_bat_id: str) -> AtBat:
        found = next((each for each in self.at_bats if each.id == at_bat_id), None)
        if found is None:
            raise NotFound
        return found


class SeasonRepository(TrackerRepository[Season]):
    model = Season
    entity = "season"
    label = "name"


seasons = SeasonRepository()


def _live_team(game: Game) -> str | None:
    return str(game.team_id) if game.status == IN_PROGRESS else None


def _season_key(game: Game) -> list[str]:
    return [seasons.key(game.team_id, game.season_id)] if game.season_id else []


def _left_the_roster(_stored: RawItem | None) -> Exception:
    return Conflict(_("Someone in the line-up is no longer on the roster. Choose again."))


class GameRepository(TrackerRepository[Game]):
    model = Game
    entity = "tracker-game"
    label = "opponent_name"
    searched = ("opponent_name", "location")
    list_fields = LISTED
    adopts = True
    # One live game per team.
    unique = (
        Unique(
            "status",
            value=_live_team,
            message=_("Another game of this team is in progress. Finish or suspend it first."),
        ),
    )
    # A season with games cannot be deleted; a personal team with games cannot even be renamed.
    references = (
        Reference("season_id", to=seasons.entity, value=_season_key, cut=lambda _game, _gone: None),
        Reference(
            "team_id",
            to=teams.entity,
            value=lambda game: [teams.key(game.team_id)],
            cut=lambda game, _: game.team_id,
        ),
    )

    def _sync_side_items(
        self, whole: Transaction, *, before: Game | None, after: Game | None, **options: Any
    ) -> None:
        """Also count the line-ups of newly named players; the condition refuses players not on the roster."""
        super()._sync_side_items(whole, before=before, after=after, **options)
        if after is None:
            return
        for player_id in sorted(after.named - (before.named if before else set())):
            key = Player.about(after.team_id, player_id).raw_key()
            whole.count(Player, key, Player.line_ups.attr_name, 1, refused=_left_the_roster)

    def put_back(
        self, game: Game, *, actor: Actor, once: IdempotencyKey | None, transaction: Transaction
    ) -> Game:
        """A deleted game, byte for byte as it was stored, with the next version."""
        back = changeset.edited(game, {}, changeset.timestamp_after(game.updated_at))
        transaction.add(
            transactions.put_raw(
                Game, dict(back.stored), condition=transactions.absent(Game), refused=self._already_exists
            ),
            self.history_entry(
                back, verb="restore", actor=actor, at=back.updated_at, fields=back.stored, before={}
            ),
        )
        self._sync_side_items(transaction, before=None, after=back)
        return self._finish(back, transaction, once, transaction)

    def adopted_with(self, item: Game) -> Iterator[Operation]:
        """The box score as it is right now, and that the line-up names its players."""
        story = self.story(item.id, strong=True)
        box = boxes.get(item.team_id, item.season_id, item.id, strong=True)
        right = box_scores.stored_box(item, story.at_bats, revision=int(box.revision) if box else 1)
        if box is None or differing(right, box):
            right.revision = int(box.revision) + 1 if box else 1
            yield from boxes.replace(right, seen=box)
        if not adoption.is_adopted(item.stored):
            yield from players.counted(item.team_id, item.named, "line_ups")

    def story(self, game_id: str, *, strong: bool = False) -> GameStory:
        """A game with all items of its partition, in one Query."""
        parts = {METADATA: Game, "ATBAT#": AtBat, "ANSWER#": Answer, "TAKEN#": TakenOut}
        found = in_partition(keys.of_game(game_id), parts, strong=strong)
        if not found[Game]:
            raise NotFound
        return GameStory(
            found[Game][0],
            sorted(found[AtBat], key=lambda each: each.number),
            found[Answer],
            {each.at_bat_id: each for each in found[TakenOut]},
        )

    def surroundings(
        self, game: Game, user_id: str, *, strong: bool = False
    ) -> tuple[Team | None, Membership | None, StoredBox | None]:
        """The team of a game, a person's membership in it, and the stored box score, in one BatchGetItem."""
        box = StoredBox(pk=keys.of_team(game.team_id), sk=keys.of_box(game.season_id, game.id))
        wanted = (Team.about(game.team_id), Membership.about(user_id, game.team_id), box)
        found = {type(item): item for item in stored(wanted, strong=strong)}
        return found.get(Team), found.get(Membership), found.get(StoredBox)

    def all(self, **options: Unpack[PageOptions]) -> Page[Game]:
        """All games by id (GSI2): a UUIDv7, so by creation time."""
        return self.page("ENTITY#GAME", index="GSI2", **options)

    def of_team(self, team_id: str, **options: Unpack[PageOptions]) -> Page[Game]:
        """The games of a team by start (GSI3). Those without a date sort first: last with `newest_first`."""
        return self.page(keys.of_team(team_id), index="GSI3", prefix="GAME#", **options)

    def listed(self, team_id: str, **options: Unpack[PageOptions]) -> Page[Game]:
        """As `of_team`, with the attributes for lists only (`LISTED`), about a tenth of a game."""
        options["fields"] = LISTED
        return self.of_team(team_id, **options)

    def between(self, team_id: str, earliest: datetime, latest: datetime) -> list[Game]:
        """The games of a team that start between two moments, by start, with the attributes for calendars.

        All are looked through (GSI3): the keys of other programs do not tell when a game starts.
        """
        fields = (*LISTED, "updated_at")
        games = self.every(keys.of_team(team_id), index="GSI3", prefix="GAME#", fields=fields)
        found = [
            game for game in games if game.scheduled_start and earliest <= game.scheduled_start <= latest
        ]
        return sorted(found, key=lambda game: (game.scheduled_start, game.id))

    def shared_as(self, token: str) -> Game:
        """The game that is shared with this token (GSI1)."""
        found = self.page(f"SHARE#{keys.hashed(token)}", index="GSI1", prefix="GAME", limit=1).items
        if not found:
            raise NotFound
        return found[0]


class AnswerRepository(TrackerRepository[Answer]):
    model = Answer
    entity = "availability"
    label = "answer"

    def of_game(self, game_id: str) -> list[Answer]:
        """All answers to a game."""
        return self.every(keys.of_game(game_id), prefix="ANSWER#")

    def of_players(self, players: Mapping[str, str]) -> dict[str, str]:
        """Answers by game id; `players` maps game ids to player ids. One request per hundred."""
        wanted = (self.key(game, player) for game, player in players.items())
        # Strongly consistent: the page after an answer must show it.
        return {each.game_id: each.answer for each in self.get_many(wanted, strong=True).values()}


games = GameRepository()
answers = AnswerRepository()
