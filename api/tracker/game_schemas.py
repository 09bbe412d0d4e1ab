"""The bodies and answers about seasons, games and line-ups."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field

from api.fields import SENT, TEXT, Day, Moment, Number, SentMoment, limits_of, whole
from api.tracker.team_schemas import NOT_EMPTY, Id, Stored
from tracker.games.forms import ABOVE_LIMIT, EMPTY_PLACE, GameForm, RunAheadRow, SeasonForm
from tracker.games.models import COMING, FINAL, IN_PROGRESS, MAYBE, NOT_COMING, POSTPONED, SCHEDULED
from tracker.games.services.availability import ANSWERS, LONGEST_NOTE
from tracker.rules.game_states import OPPONENT, OWN
from tracker.rules.lineups import MOST_PLAYERS
from tracker.rules.positions import IN_A_LINE_UP

GameStatus = Literal["SCHEDULED", "IN_PROGRESS", "FINAL", "POSTPONED"]
Said = Literal["yes", "maybe", "no"]
Winner = Literal["own", "opponent"]
AboveLimit = Literal["OUT", "1B"]
EmptyPlace = Literal["skip", "out"]
assert GameStatus.__args__ == (SCHEDULED, IN_PROGRESS, FINAL, POSTPONED)  # type: ignore[attr-defined]  # noqa: S101
assert Said.__args__ == ANSWERS == (COMING, MAYBE, NOT_COMING)  # type: ignore[attr-defined]  # noqa: S101
assert Winner.__args__ == (OWN, OPPONENT)  # type: ignore[attr-defined]  # noqa: S101
assert AboveLimit.__args__ == tuple(dict(ABOVE_LIMIT))  # type: ignore[attr-defined]  # noqa: S101
assert EmptyPlace.__args__ == tuple(dict(EMPTY_PLACE))  # type: ignore[attr-defined]  # noqa: S101
LinePosition = Annotated[str, Field(json_schema_extra={"enum": ["", *IN_A_LINE_UP]})]
# 1.0 is an integer.
Whole = BeforeValidator(whole)


# --- Seasons ------------------------------------------------------------------------------------------------


class RunAhead(BaseModel):
    """A lead that ends the game after an inning."""

    model_config = SENT
    inning: Annotated[int, limits_of(RunAheadRow, "inning"), Whole]
    lead: Annotated[int, limits_of(RunAheadRow, "lead"), Whole]


class SeasonRules(BaseModel):
    """The rules of a season; null for none."""

    model_config = SENT
    innings: Annotated[int, limits_of(SeasonForm, "innings"), Whole] = 7
    runAhead: Annotated[list[RunAhead], Field(max_length=5)] = []
    tieBreakerFrom: Annotated[int, limits_of(SeasonForm, "tie_breaker_from"), Whole] | None = None
    homeRunLimit: Annotated[int, limits_of(SeasonForm, "home_run_limit"), Whole] | None = None
    homeRunAboveLimit: AboveLimit = "OUT"
    runLimit: Annotated[int, limits_of(SeasonForm, "run_limit"), Whole] | None = None
    emptyPlace: EmptyPlace = "skip"
    fewestBatters: Annotated[int, limits_of(SeasonForm, "fewest_batters"), Whole] | None = None
    timeLimit: Annotated[int, limits_of(SeasonForm, "time_limit"), Whole] | None = None


class TeamSeason(Stored):
    """A period in which a team plays by the same rules."""

    seasonId: str | None = None
    teamId: str | None = None
    name: str | None = None
    startsOn: str | None = None
    endsOn: str | None = None
    rules: SeasonRules | None = None


class SeasonChange(BaseModel):
    """What is left out stays, of the rules too."""

    model_config = SENT
    name: Annotated[str, limits_of(SeasonForm, "name"), NOT_EMPTY] = ""
    startsOn: Day | None = None
    endsOn: Day | None = None
    rules: SeasonRules | None = None


class SeasonBody(SeasonChange):
    """A new season."""

    name: Annotated[str, limits_of(SeasonForm, "name"), NOT_EMPTY]


# --- Games --------------------------------------------------------------------------------------------------


class TrackerGame(Stored):
    """A game of a team."""

    gameId: str | None = None
    teamId: str | None = None
    status: GameStatus | None = None
    scheduledStart: Moment | None = None
    opponentName: str | None = None
    location: str | None = None
    seasonId: str | None = None
    isHome: bool | None = None
    teamScore: Number | None = None
    opponentScore: Number | None = None
    opponentByInning: list[Number] | None = None
    lineup: Annotated[
        list[dict[str, Any]] | None, Field(description="playerId, battingOrder and position of each.")
    ] = None
    substitutions: Annotated[
        list[dict[str, Any]] | None,
        Field(
            description="battingOrder and playerId, and the number of the play before it (after). "
            "With left, the player left the place without a substitute."
        ),
    ] = None
    rules: Annotated[
        dict[str, Any] | None, Field(description="Those of its season when it began; before that null.")
    ] = None
    startedAt: Moment | None = None
    forfeitedTo: Annotated[str | None, Field(description="own or opponent.")] = None


class GameChange(BaseModel):
    """What is left out stays. Scores are entered only where they do not follow from the plays."""

    model_config = SENT
    scheduledStart: SentMoment | None = None
    opponentName: Annotated[str, limits_of(GameForm, "opponent_name")] | None = None
    location: Annotated[str, limits_of(GameForm, "location")] | None = None
    seasonId: Id | None = None
    isHome: bool = False
    teamScore: Annotated[int, limits_of(GameForm, "team_score"), Whole] = 0
    opponentScore: Annotated[int, limits_of(GameForm, "opponent_score"), Whole] = 0


class GameBody(BaseModel):
    """A new game, which is scheduled."""

    model_config = SENT
    teamId: Annotated[
        Id | None, Field(description="Left out, your personal team that is called Default.")
    ] = None
    scheduledStart: SentMoment | None = None
    opponentName: Annotated[str, limits_of(GameForm, "opponent_name")] | None = None
    location: Annotated[str, limits_of(GameForm, "location")] | None = None
    seasonId: Id | None = None
    isHome: bool = False


class StatusBody(BaseModel):
    """Another state, with the new date or the scores that the step asks for."""

    model_config = SENT
    status: GameStatus
    scheduledStart: SentMoment | None = None
    teamScore: Annotated[int, limits_of(GameForm, "team_score"), Whole] | None = None
    opponentScore: Annotated[int, limits_of(GameForm, "opponent_score"), Whole] | None = None


class ForfeitBody(BaseModel):
    model_config = SENT
    winner: Winner


class ShareBody(BaseModel):
    model_config = SENT
    shared: bool


class Share(BaseModel):
    """The address of the public live page; null if the game is not shared."""

    address: str | None


class GameAnswer(Stored):
    """Whether a player comes to a game."""

    gameId: str | None = None
    teamId: str | None = None
    playerId: str | None = None
    answer: Said | None = None
    note: str | None = None


class GameAnswerBody(BaseModel):
    """Without a note the stored one stays."""

    model_config = SENT
    answer: Said
    note: Annotated[str, Field(max_length=LONGEST_NOTE, pattern=TEXT)] | None = None


# --- Line-ups -----------------------------------------------------------------------------------------------


class LineupEntry(BaseModel):
    model_config = SENT
    playerId: Id
    battingOrder: Annotated[int, Field(ge=1, le=MOST_PLAYERS), Whole]
    position: LinePosition | None = None


class LineupBody(BaseModel):
    """The starters in batting order, each once and in places from 1 without gaps; empty to remove it."""

    model_config = SENT
    lineup: Annotated[list[LineupEntry], Field(max_length=MOST_PLAYERS)]


class SubstitutionBody(BaseModel):
    """Who comes in for a place; null if its batter leaves without a substitute."""

    model_config = SENT
    battingOrder: Annotated[int, Field(ge=1, le=MOST_PLAYERS), Whole]
    playerId: Id | None
