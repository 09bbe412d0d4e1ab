"""The bodies and answers about plays and statistics."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field

from api.fields import SENT, Moment, Number, whole
from api.tracker.team_schemas import Id, Stored
from tracker.rules import results
from tracker.rules.runners import BATTER, HOME
from tracker.scoring.forms.plays import MOST_BATTED_IN
from tracker.scoring.rules import MOST_RUNS

Whole = BeforeValidator(whole)
Result = Annotated[str, Field(json_schema_extra={"enum": list(results.TITLES)})]
HitType = Annotated[str, Field(json_schema_extra={"enum": list(results.HIT_TYPES)})]
Base = Annotated[int, Field(ge=BATTER, le=HOME), Whole]
Figures = Annotated[
    dict[str, Number | None],
    Field(description="avg, hr, rbi, ops, pa, ab and so on; null where there is nothing to divide."),
]


# --- Plays --------------------------------------------------------------------------------------------------


class Point(BaseModel):
    """A place on the picture of the field, from its upper left corner."""

    model_config = SENT
    x: Annotated[float, Field(ge=0, le=1)]
    y: Annotated[float, Field(ge=0, le=1)]


class Runner(BaseModel):
    """Who was at bat (0) or on a base, and where they are then (4 is home) or that they are out.

    `playerId` is who ran instead.
    """

    model_config = SENT
    from_: Annotated[int, Field(alias="from", ge=BATTER, lt=HOME), Whole]
    to: Base | None = None
    out: bool = False
    playerId: Id | None = None


class AtBat(Stored):
    """A plate appearance, or a play between two of them."""

    atBatId: str | None = None
    gameId: str | None = None
    teamId: str | None = None
    playerId: str | None = None
    number: Annotated[Number | None, Field(description="Orders the plays of a game.")] = None
    result: str | None = None
    inning: Number | None = None
    outs: Annotated[Number | None, Field(description="Before the play.")] = None
    battingOrder: Number | None = None
    hitLocation: dict[str, Number] | None = None
    hitType: str | None = None
    rbis: Annotated[Number | None, Field(description="null: as usual.")] = None
    runners: Annotated[list[dict[str, Any]] | None, Field(description="null: they moved as usual.")] = None
    chargedTo: Annotated[str | None, Field(description="Whose strikeout it is.")] = None
    scoredBy: str | None = None


class AtBatChange(BaseModel):
    """What is left out stays; null is as usual. Inning, outs and place in the order are computed."""

    model_config = SENT
    result: Result = ""
    playerId: Annotated[Id | None, Field(description="Left out, whose turn it is.")] = None
    hitLocation: Point | None = None
    hitType: HitType | None = None
    rbis: Annotated[int, Field(ge=0, le=MOST_BATTED_IN), Whole] | None = None
    runners: Annotated[
        Annotated[list[Runner], Field(max_length=4)] | None,
        Field(description="Of those who moved otherwise than usual."),
    ] = None
    chargedTo: Id | None = None


class InsertedAtBat(AtBatChange):
    """A play that was forgotten."""

    result: Result


class AtBatBody(InsertedAtBat):
    """The next play, and what it is based on: `seen` and `situation` of the situation of the game."""

    seen: Annotated[int, Field(ge=0, le=10_000), Whole]
    situation: Annotated[str, Field(max_length=64)] | None = None


class PlayBody(BaseModel):
    """The play that was last, or that was undone last."""

    model_config = SENT
    atBatId: Id


class OpponentBody(BaseModel):
    """The opponent's runs in an inning; null removes the last one. `was` is what you have read."""

    model_config = SENT
    runs: Annotated[int, Field(ge=0, le=MOST_RUNS), Whole] | None
    was: Annotated[int, Field(ge=0, le=999), Whole] | None = None


class Situation(BaseModel):
    """What the next play is based on."""

    gameId: str
    status: str
    seen: Annotated[int, Field(description="How many plays there are.")]
    situation: Annotated[str, Field(description="Changes with batter, bases, outs, order and rules.")]
    inning: int
    outs: int
    bases: Annotated[dict[str, str | None], Field(description="Who stands on 1, 2 and 3.")]
    batter: Annotated[str | None, Field(description="null in a game without a line-up.")]
    onDeck: str | None
    nextPlace: int
    isPlaceEmpty: Annotated[bool, Field(description="Its batter left: record an EP.")]
    order: Annotated[list[str], Field(description="Who can bat, in batting order.")]
    teamScore: int
    opponentScore: int
    runsByInning: list[int]
    opponentByInning: list[int]
    hasEnded: Annotated[bool, Field(description="By the rules; it is FINAL when somebody says so.")]
    last: Annotated[str | None, Field(description="The atBatId of the last play, which can be undone.")]
    redoable: Annotated[str | None, Field(description="The atBatId of what was undone last.")]


# --- Statistics ---------------------------------------------------------------------------------------------


class Inning(BaseModel):
    inning: int
    team: int | None
    opponent: int | None


class Batter(BaseModel):
    """A row of the batting table: a starter, a substitute or a runner."""

    playerId: str
    name: str
    battingOrder: int | None
    position: str
    isSubstitute: bool
    figures: Figures


class ReplayedPlay(BaseModel):
    """A play and what came of it."""

    atBatId: str
    playerId: str
    result: str
    countedAs: Annotated[str, Field(description="Another result for a home run above the limit.")]
    inning: int
    outsBefore: int
    outs: int
    runs: int
    runsBattedIn: int
    scored: list[str]


class Contradiction(BaseModel):
    """What does not fit in the record."""

    atBatId: str
    inning: int
    text: str


class BoxScore(BaseModel):
    gameId: str
    teamId: str
    status: str
    isHome: bool
    runs: int
    opponentScore: int
    innings: list[Inning]
    leftOnBase: int
    putouts: int
    batting: list[Batter]
    team: Figures
    plays: list[ReplayedPlay]
    problems: list[Contradiction]
    figuresStand: Annotated[bool, Field(description="Whether the game counts in statistics.")]


class WinsAndLosses(BaseModel):
    wins: int
    losses: int
    ties: int
    share: Annotated[float | None, Field(description="Of wins, without ties.")]


class PlayerTotal(BaseModel):
    playerId: str
    name: str
    games: int
    figures: Figures


class FigureLeader(BaseModel):
    rank: int
    playerId: str
    value: Number


class TeamStatistics(BaseModel):
    """The figures of a team in a season; `all` is all games, `-` those without a season."""

    teamId: str
    season: str
    record: WinsAndLosses
    games: int
    figures: Figures
    players: Annotated[list[PlayerTotal], Field(description="The best average first.")]
    leaders: Annotated[dict[str, list[FigureLeader]], Field(description="By figure, such as avg.")]


class LoggedGame(BaseModel):
    """A game of a player or a person."""

    gameId: str
    teamId: str
    seasonId: str | None
    status: str
    scheduledStart: Moment | None
    opponentName: str | None
    isHome: bool
    teamScore: int
    opponentScore: int
    figures: Figures


class SeasonTotal(BaseModel):
    """A season of a team, or with null its games without one."""

    teamId: str
    seasonId: str | None
    games: int
    figures: Figures


class PersonStatistics(BaseModel):
    """The figures of a player or a person."""

    games: int
    figures: Figures
    seasons: list[SeasonTotal]
    log: Annotated[list[LoggedGame], Field(description="Game by game, the newest first.")]
