"""The bodies and answers of scouting. Bodies are checked strictly, answers are only described."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from api.fields import NOT_BLANK, SENT, TEXT, Day, Moment, Number, Photo, whole
from scouting import keys
from scouting.events.forms import LONGEST_NAME, LONGEST_PLACE
from scouting.forms.forms import MOST_RANKING_POINTS
from scouting.games.definition import LONGEST_TEXT
from scouting.selection.models import COLUMNS
from scouting.selection.pick_list import MOST_TEAMS

EventKey = Annotated[
    str,
    Field(
        pattern=r"^([0-9]{4}[a-z0-9]{2,12}|[a-z][a-z0-9]{1,11})$",
        description="Its year and code; without a year where another program has stored it so.",
        examples=["2026mndu"],
    ),
]
NewEventKey = Annotated[str, Field(pattern=r"^[0-9]{4}[a-z0-9]{2,12}$", examples=["2026mndu"])]
# At most keys.HIGHEST_TEAM, perhaps with a letter.
TeamNumber = Annotated[
    str,
    Field(
        pattern=r"^([1-9][0-9]{0,3}|1[0-9]{4}|2[0-4][0-9]{3}|25[0-5][0-9]{2})[A-Z]?$",
        examples=["254", "254B"],
    ),
]
MatchNumber = Annotated[int, Field(ge=1, le=keys.HIGHEST_MATCH), BeforeValidator(whole)]
LongText = Annotated[str, Field(max_length=LONGEST_TEXT, pattern=TEXT)]

ANSWERS: dict[str, Any] = {
    "description": "The answers to the questions of the game, by their keys: see /scouting/games/{year}.",
    "additionalProperties": {"type": ["number", "boolean", "string", "array"], "items": {"type": "string"}},
}
SENT_WITH_ANSWERS = ConfigDict(strict=True, extra="allow", json_schema_extra=ANSWERS)


class SentForm(BaseModel):
    """What all kinds of forms have. With `fields=`, an answer has only those."""

    key: Annotated[str | None, Field(description="What follows the kind in the address of the form.")] = None
    id: str | None = None
    entity: str | None = None
    event: str | None = None
    teamNumber: str | None = None
    usersName: Annotated[str | None, Field(description="The name of the scout.")] = None
    scoutId: str | None = None
    createdAt: Moment | None = None
    updatedAt: Moment | None = None
    version: Annotated[int | None, Field(description="The ETag is this number in quotes.")] = None


class StandForm(SentForm):
    """A report about one robot in one match, with the answers to the questions of its game beside these."""

    model_config = ConfigDict(extra="allow", json_schema_extra={"additionalProperties": True})
    matchNumber: Number | None = None
    gameYear: Number | None = None
    autoScore: Number | None = None
    teleScore: Number | None = None
    totalScore: Number | None = None
    rpEarned: Number | None = None
    noShow: bool | None = None
    win: bool | None = None
    defense: bool | None = None
    defendedAgainst: bool | None = None
    criticals: list[Any] | None = None
    strategy: str | None = None
    comments: str | None = None


class PitForm(SentForm):
    """The answers of a team about its robot, beside these fields."""

    model_config = ConfigDict(extra="allow", json_schema_extra={"additionalProperties": True})
    gameYear: Number | None = None
    robotImage: str | None = None
    photos: list[Photo] | None = None


class CommentForm(SentForm):
    """A note about a team at an event."""

    comments: str | None = None


class StandFormChange(BaseModel):
    """What was wrong in a stand form; what is left out stays."""

    model_config = SENT_WITH_ANSWERS
    noShow: bool = False
    win: bool = False
    rpEarned: Annotated[int, Field(ge=0, le=MOST_RANKING_POINTS), BeforeValidator(whole)] = 0
    defense: bool = False
    defendedAgainst: bool = False
    criticals: list[str] = []
    strategy: LongText = ""
    comments: LongText = ""


class StandFormBody(StandFormChange):
    """A new stand form."""

    event: EventKey
    teamNumber: TeamNumber
    matchNumber: MatchNumber


class PitFormChange(BaseModel):
    """Corrected answers; what is left out stays."""

    model_config = SENT_WITH_ANSWERS


class PitFormBody(PitFormChange):
    """A new pit form; photos are added to it afterwards."""

    event: EventKey
    teamNumber: TeamNumber


class CommentFormChange(BaseModel):
    model_config = SENT
    comments: Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT, pattern=NOT_BLANK)]


class CommentFormBody(CommentFormChange):
    """A new comment."""

    event: EventKey
    teamNumber: TeamNumber


class StandFormPlace(BaseModel):
    """Where a stand form belongs."""

    model_config = SENT
    teamNumber: TeamNumber
    matchNumber: MatchNumber


class PitFormPlace(BaseModel):
    """Where a pit form belongs."""

    model_config = SENT
    teamNumber: TeamNumber


Column = Literal["unsorted", "r1", "r2", "r3", "dnp"]
assert Column.__args__ == COLUMNS  # type: ignore[attr-defined]  # noqa: S101


class PickBody(BaseModel):
    model_config = SENT
    teamNumber: TeamNumber
    columnId: Column


class TeamSelectionBody(BaseModel):
    """The order: the teams of each column from the top. Teams that are left out become unsorted."""

    model_config = SENT
    teams: Annotated[list[PickBody], Field(max_length=MOST_TEAMS)]


class Pick(BaseModel):
    teamNumber: str
    teamName: str
    rank: int
    columnId: Column
    taken: bool


class TeamSelection(BaseModel):
    """The pick list of an event. Version 0 says that nothing is saved yet."""

    event: str
    teams: list[Pick]
    savedBy: str | None
    savedAt: Moment | None
    createdAt: Moment | None
    updatedAt: Moment | None
    version: int


class ConfigBody(BaseModel):
    model_config = SENT
    event: Annotated[
        str, Field(pattern=r"^(none|[0-9]{4}[a-z0-9]{2,12})$", description="none if we are nowhere.")
    ]
    locked: Annotated[bool, Field(description="Forms can be sent for this event only.")] = False
    gameYear: Annotated[
        Annotated[int, Field(ge=1992, le=9999), BeforeValidator(whole)] | None,
        Field(description="null for that of the year."),
    ] = None


class Config(BaseModel):
    """The settings of a year. Version 0 says that nothing is saved yet."""

    year: int
    event: str
    locked: bool
    gameYear: int | None
    isCurrent: bool
    createdAt: Moment | None
    updatedAt: Moment | None
    version: int


class Game(BaseModel):
    """What the forms of a year ask for, and what it is worth."""

    model_config = ConfigDict(extra="allow", json_schema_extra={"additionalProperties": True})
    year: int
    name: str
    criticals: list[str]
    ranking: list[str]
    questions: list[dict[str, Any]]
    pit: list[dict[str, Any]]


class EventChange(BaseModel):
    """What is left out stays."""

    model_config = SENT
    name: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, pattern=NOT_BLANK)] = ""
    place: Annotated[str, Field(max_length=LONGEST_PLACE, pattern=TEXT)] = ""
    startsOn: Day | None = None
    endsOn: Day | None = None
    timeZone: Annotated[str | None, Field(max_length=40, examples=["America/New_York"])] = None
    isOwn: Annotated[bool, Field(description="The Blue Alliance does not know it; it needs a name.")] = False


class EventBody(EventChange):
    """A new event."""

    event: NewEventKey


class ScoutingEvent(BaseModel):
    """An event. With `fields=`, an answer has only those."""

    entity: str | None = None
    event: str | None = None
    name: str | None = None
    place: str | None = None
    startsOn: str | None = None
    endsOn: str | None = None
    timeZone: str | None = None
    isOwn: bool | None = None
    createdAt: Moment | None = None
    updatedAt: Moment | None = None
    version: int | None = None


class ScoutingTeam(BaseModel):
    """A team at an event; rank 0 means that there is none yet."""

    teamNumber: str
    teamName: str
    place: str
    rank: int
    record: str


class Alliance(BaseModel):
    teams: list[str]
    score: int | None
    surrogates: list[str]
    disqualified: list[str]


class Match(BaseModel):
    """A match; `level` is qm for qualification, or ef, qf, sf, f."""

    matchNumber: int
    level: Literal["qm", "ef", "qf", "sf", "f"]
    set: int
    time: str | None
    videos: list[str]
    red: Alliance
    blue: Alliance


class Refreshed(BaseModel):
    """How many there are now."""

    teams: int
    matches: int
    playoffs: int


class Remark(BaseModel):
    matchNumber: int
    usersName: str
    strategy: str
    comments: str


class Aggregate(BaseModel):
    """The figures of a team. `figures` has statistics of scores and answers, such as totalScore.mean."""

    teamNumber: str
    matches: list[int]
    noShows: list[int]
    figures: dict[str, Number | None]
    series: Annotated[dict[str, list[Number]], Field(description="For each number, in the order of matches.")]
    criticals: dict[str, int]
    comments: list[Remark]


class Rating(BaseModel):
    teamNumber: str
    opr: float | None
    dpr: float | None
    ccwm: float | None
    epa: float | None


class Ranked(BaseModel):
    """A row of the ranking; `figures` are those by which the game ranks."""

    rank: int | None
    teamNumber: str
    matches: int
    wins: int
    losses: int
    ties: int
    figures: dict[str, float]
