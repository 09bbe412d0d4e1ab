"""The states of a game and the steps between them (FIELDS.md 5.6), as data. No requests."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from core.dynamo.errors import Text
from tracker.games.models import FINAL, IN_PROGRESS, POSTPONED, SCHEDULED, Game
from tracker.policy import Access

TITLES: Mapping[str, Text] = {
    SCHEDULED: _("Scheduled"),
    IN_PROGRESS: _("Live"),
    FINAL: _("Final"),
    POSTPONED: _("Postponed"),
}
# The badge style of each state.
TONES: Mapping[str, str] = {
    SCHEDULED: "scheduled",
    IN_PROGRESS: "active",
    FINAL: "archived",
    POSTPONED: "waiting",
}
WON, LOST, TIED = "won", "lost", "tied"
BY_FORFEIT: Mapping[str, Text] = {WON: _("Won by forfeit"), LOST: _("Lost by forfeit")}
# The winner of a forfeited game.
OWN, OPPONENT = "own", "opponent"
FORFEITED_FROM = (SCHEDULED, IN_PROGRESS)
OUTCOMES: Mapping[str, Text] = {WON: _("Won"), LOST: _("Lost"), TIED: _("Tied")}


@dataclass(frozen=True)
class Step:
    """A transition between two states, with its verb in the history, its texts and the right it requires."""

    start: str
    end: str
    verb: str
    title: Text
    done: Text
    # The right in the team that the step requires, a key of `policy.MATRIX`.
    needs: str = "manage_games"
    asks_date: bool = False
    asks_score: bool = False
    # The text of the confirmation page; without one the step needs no confirmation.
    question: Text = ""


STEPS = (
    Step(SCHEDULED, IN_PROGRESS, "start", _("Start the game"), _("Game started.")),
    Step(
        SCHEDULED,
        FINAL,
        "enter_result",
        _("Enter the result"),
        _("Result entered."),
        asks_score=True,
        question=_("For a game with only a final score. The game is then final."),
    ),
    Step(
        SCHEDULED,
        POSTPONED,
        "postpone",
        _("Postpone"),
        _("Game postponed."),
        question=_("It stays in the schedule until you set a new date."),
    ),
    Step(
        POSTPONED,
        SCHEDULED,
        "reschedule",
        _("Set a new date"),
        _("New date set."),
        asks_date=True,
        question=_("Everything recorded so far is kept."),
    ),
    Step(
        IN_PROGRESS,
        FINAL,
        "finish",
        _("Finish the game"),
        _("Game finished."),
        asks_score=True,
        question=_("After that you can only make corrections, unless an owner or manager reopens the game."),
    ),
    Step(
        IN_PROGRESS,
        POSTPONED,
        "suspend",
        _("Suspend"),
        _("Game suspended."),
        question=_("It continues on a new date with everything recorded so far."),
    ),
    Step(
        FINAL,
        IN_PROGRESS,
        "reopen",
        _("Reopen"),
        _("Game reopened."),
        needs="reopen_game",
        question=_("It can be scored again until it is finished. The history shows who reopened it."),
    ),
)


def step(start: str, end: str) -> Step | None:
    return next((each for each in STEPS if each.start == start and each.end == end), None)


def possible(access: Access, game: Game) -> list[Step]:
    """The steps that this person can take from the game's state."""
    return [each for each in STEPS if each.start == game.status and access.may(each.needs)]


def outcome(game: Game) -> str | None:
    """The outcome for the team; None unless the game is final."""
    if game.status != FINAL:
        return None
    ahead = int(game.team_score or 0) - int(game.opponent_score or 0)
    return WON if ahead > 0 else LOST if ahead < 0 else TIED
