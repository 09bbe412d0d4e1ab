"""A game by year, as data: which values a form asks for, and what they are worth."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy as _

from dynamo.errors import Invalid

FOLDER = Path(__file__).parent / "games"
AUTO, TELE, ENDGAME, POST = "auto", "tele", "endgame", "post"
PHASES = {AUTO: _("Autonomous"), TELE: _("Teleop"), ENDGAME: _("Endgame"), POST: _("After the match")}
COUNTER, YES_NO, CHOICE, MULTI, TEXT, TIMER = "counter", "yes_no", "choice", "multi", "text", "timer"
KINDS = {
    COUNTER: _("Counter"),
    YES_NO: _("Yes or no"),
    CHOICE: _("One of several"),
    MULTI: _("Some of several"),
    TEXT: _("Text"),
    TIMER: _("Seconds"),
}
MOST_COUNTED = 999
LONGEST_TEXT = 750


@dataclass(frozen=True)
class Choice:
    key: str
    label: str
    points: float = 0


@dataclass(frozen=True)
class Shown:
    """A question that is asked only after a certain answer to another one."""

    field: str
    among: tuple[Any, ...]

    def holds(self, values: Mapping[str, Any]) -> bool:
        return values.get(self.field) in self.among


@dataclass(frozen=True)
class Question:
    """One value of a form. `phase` is a phase of the match, or a section of the pit form."""

    key: str
    label: str
    phase: str
    kind: str
    points: float = 0
    choices: tuple[Choice, ...] = ()
    most: int = MOST_COUNTED
    help: str = ""
    shown: Shown | None = None
    required: bool = False

    @property
    def is_number(self) -> bool:
        return self.kind in (COUNTER, TIMER)

    @property
    def empty(self) -> Any:
        """What a form has before anybody answers."""
        match self.kind:
            case "counter" | "timer":
                return 0
            case "yes_no":
                return False
            case "multi":
                return []
        return ""

    def worth(self, value: Any) -> float:
        """The points of an answer."""
        match self.kind:
            case "counter" | "timer":
                return self.points * (value or 0)
            case "yes_no":
                return self.points if value else 0
            case "choice":
                return sum(choice.points for choice in self.choices if choice.key == value)
            case "multi":
                return sum(choice.points for choice in self.choices if choice.key in (value or ()))
        return 0


@dataclass(frozen=True)
class Scores:
    """What a robot scored. The endgame is part of teleop, so the two parts are the whole."""

    auto: float
    tele: float

    @property
    def total(self) -> float:
        return self.auto + self.tele


@dataclass(frozen=True)
class Game:
    """The definition of a year's game: the questions of the stand form and those of the pit form."""

    year: int
    name: str
    questions: tuple[Question, ...]
    criticals: tuple[str, ...] = ()
    pit: tuple[Question, ...] = ()
    # The names of The Blue Alliance's figures by which a ranking is sorted.
    ranking: tuple[str, ...] = field(default=())

    def of_phase(self, phase: str) -> list[Question]:
        return [question for question in self.questions if question.phase == phase]

    def question(self, key: str) -> Question | None:
        return next((question for question in self.questions if question.key == key), None)

    @property
    def pit_sections(self) -> dict[str, list[Question]]:
        sections: dict[str, list[Question]] = {}
        for question in self.pit:
            sections.setdefault(question.phase, []).append(question)
        return sections

    def score(self, values: Mapping[str, Any]) -> Scores:
        """What is not asked after other answers does not count, whatever was sent."""
        return Scores(auto=self._worth(values, AUTO), tele=self._worth(values, TELE, ENDGAME))

    def _worth(self, values: Mapping[str, Any], *phases: str) -> float:
        return sum(
            question.worth(values.get(question.key))
            for question in self.questions
            if question.phase in phases and is_asked(question, values)
        )


def is_asked(question: Question, values: Mapping[str, Any]) -> bool:
    return question.shown is None or question.shown.holds(values)


def shipped_years() -> list[int]:
    return sorted(int(path.stem) for path in FOLDER.glob("*.json"))


@cache
def shipped(year: int) -> Game | None:
    path = FOLDER / f"{year}.json"
    return from_json(json.loads(path.read_text())) if path.exists() else None


def from_json(stored: Mapping[str, Any]) -> Game:
    """A definition out of a file or a stored map; what is wrong with it is said in words."""
    try:
        game = Game(
            year=int(stored["year"]),
            name=str(stored["name"]),
            questions=tuple(map(_question, stored["questions"])),
            criticals=tuple(stored.get("criticals", ())),
            pit=tuple(map(_question, stored.get("pit", ()))),
            ranking=tuple(stored.get("ranking", ())),
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise Invalid(_("This game definition cannot be read.")) from error
    for problem in problems(game):
        raise Invalid(problem)
    return game


def to_json(game: Game) -> dict[str, Any]:
    return {
        "year": game.year,
        "name": game.name,
        "criticals": list(game.criticals),
        "ranking": list(game.ranking),
        "questions": [_stored(question) for question in game.questions],
        "pit": [_stored(question) for question in game.pit],
    }


def problems(game: Game) -> Iterator[Any]:
    """What makes a definition unusable."""
    yield from _problems_of(game.questions)
    yield from _problems_of(game.pit)
    for question in game.questions:
        if question.phase not in PHASES:
            yield _("“%(label)s” belongs to no phase of the match.") % {"label": question.label}


def _problems_of(questions: Iterable[Question]) -> Iterator[Any]:
    keys: set[str] = set()
    for question in questions:
        label = {"label": question.label or question.key}
        if question.key in keys:
            yield _("“%(label)s” has the same key as another question.") % label
        if question.kind not in KINDS:
            yield _("“%(label)s” has a kind that does not exist.") % label
        if question.kind in (CHOICE, MULTI) and not question.choices:
            yield _("“%(label)s” has nothing to choose from.") % label
        if question.shown and question.shown.field not in keys:
            yield _("“%(label)s” depends on a question that does not come before it.") % label
        keys.add(question.key)


def _question(stored: Mapping[str, Any]) -> Question:
    shown = stored.get("shown")
    return Question(
        key=str(stored["key"]),
        label=str(stored["label"]),
        phase=str(stored["phase"]),
        kind=str(stored["kind"]),
        points=_points(stored),
        choices=tuple(map(_choice, stored.get("choices", ()))),
        most=int(stored.get("most", MOST_COUNTED)),
        help=str(stored.get("help", "")),
        shown=Shown(shown["field"], tuple(shown["among"])) if shown else None,
        required=bool(stored.get("required", False)),
    )


def _choice(stored: Mapping[str, Any]) -> Choice:
    return Choice(str(stored["key"]), str(stored["label"]), _points(stored))


def _points(stored: Mapping[str, Any]) -> float:
    points = stored.get("points", 0)
    if isinstance(points, bool) or not isinstance(points, int | float) or not math.isfinite(points):
        raise ValueError(points)
    return points


def _stored(question: Question) -> dict[str, Any]:
    """Without what is usual, so that files stay readable."""
    told: dict[str, Any] = {"key": question.key, "label": question.label}
    told |= {"phase": question.phase, "kind": question.kind}
    if question.points:
        told["points"] = question.points
    if question.choices:
        told["choices"] = [
            {"key": choice.key, "label": choice.label, "points": choice.points} for choice in question.choices
        ]
    if question.most != MOST_COUNTED:
        told["most"] = question.most
    if question.help:
        told["help"] = question.help
    if question.shown:
        told["shown"] = {"field": question.shown.field, "among": list(question.shown.among)}
    if question.required:
        told["required"] = True
    return told
