"""The data model of a game definition: questions, points, validation, and JSON."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy as _

from core.dynamo.errors import Invalid

FOLDER = Path(__file__).parent
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
MOST_POINTS = 1000
MOST_QUESTIONS = 60
MOST_RANKED_BY = 10
MOST_CHOICES = 40
KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
# A value of The Blue Alliance, or a nested one: hubScore.autoPoints.
FIGURE = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,59}(\.[A-Za-z0-9_]{1,60})?")
CHOICE_KEY = re.compile(r"[A-Za-z0-9_]{1,40}")
# Keys of computed figures, which questions cannot use.
RESERVED_KEYS = {"autoScore", "teleScore", "totalScore"}
POINT_DIGITS = 6
LONGEST_TEXT = 750
# Limits for definitions that leads edit.
LONGEST_NAME, LONGEST_LABEL, LONGEST_SECTION, LONGEST_HELP, LONGEST_LIST = 60, 120, 60, 300, 3000
MOST_CRITICALS = 40


@dataclass(frozen=True)
class Choice:
    key: str
    label: str
    points: float = 0


@dataclass(frozen=True)
class Condition:
    """The condition of a question: another question has one of these answers."""

    field: str
    among: tuple[Any, ...]

    def holds(self, values: Mapping[str, Any]) -> bool:
        return values.get(self.field) in self.among


@dataclass(frozen=True)
class Question:
    """One question of a form. `phase` is a phase of the match, or a section of the pit form."""

    key: str
    label: str
    phase: str
    kind: str
    points: float = 0
    choices: tuple[Choice, ...] = ()
    most: int = MOST_COUNTED
    help: str = ""
    shown: Condition | None = None
    required: bool = False

    @property
    def is_number(self) -> bool:
        return self.kind in (COUNTER, TIMER)

    @property
    def empty(self) -> Any:
        """The value of the question without an answer."""
        if self.is_number:
            return 0
        return {YES_NO: False, MULTI: []}.get(self.kind, "")

    def worth(self, value: Any) -> float:
        """The points of an answer."""
        if self.kind in (CHOICE, MULTI):
            chosen = [value] if self.kind == CHOICE else value or ()
            return sum(choice.points for choice in self.choices if choice.key in chosen)
        return 0 if self.kind == TEXT else self.points * (value or 0)


@dataclass(frozen=True)
class Scores:
    """The points of a robot. The endgame is part of teleop, so autonomous and teleop add up to the total."""

    auto: float
    tele: float

    @property
    def total(self) -> float:
        return in_points(self.auto + self.tele)


@dataclass(frozen=True)
class Game:
    """The definition of a year's game: the questions of the stand form and those of the pit form."""

    year: int
    name: str
    questions: tuple[Question, ...]
    criticals: tuple[str, ...] = ()
    pit: tuple[Question, ...] = ()
    # The names of The Blue Alliance's values by which the ranking sorts.
    ranking: tuple[str, ...] = ()

    def __hash__(self) -> int:
        """Hashes year and name only: games are cache keys, and hashing sixty questions would be slow."""
        return hash((self.year, self.name))

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
        """The points of the answers. Answers to questions with an unmet condition do not count."""
        return Scores(auto=self._worth(values, AUTO), tele=self._worth(values, TELE, ENDGAME))

    def _worth(self, values: Mapping[str, Any], *phases: str) -> float:
        return in_points(
            sum(
                question.worth(values.get(question.key))
                for question in self.questions
                if question.phase in phases and is_asked(question, values)
            )
        )


def in_points(total: float) -> float:
    """Points rounded for display and storage: three times 0.1 is 0.3."""
    return round(total, POINT_DIGITS)


def is_asked(question: Question, values: Mapping[str, Any]) -> bool:
    return question.shown is None or question.shown.holds(values)


@cache
def shipped_games() -> Mapping[int, Game]:
    """The definitions that come with the software, by year."""
    stored = (json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json")))
    return {game.year: game for game in map(from_json, stored)}


def shipped(year: int) -> Game | None:
    return shipped_games().get(year)


def from_json(stored: Mapping[str, Any]) -> Game:
    """The game from a JSON file or a stored map. Raises Invalid with a readable message."""
    try:
        game = Game(
            year=int(stored["year"]),
            name=_text(stored["name"]),
            questions=tuple(map(question_of, stored["questions"])),
            criticals=_texts(stored.get("criticals", [])),
            pit=tuple(map(question_of, stored.get("pit", ()))),
            ranking=_texts(stored.get("ranking", [])),
        )
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise Invalid(_("This game definition is not valid.")) from error
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
    """All errors of a definition, typed or uploaded."""
    if not game.name.strip():
        yield _("The game has no name.")
    if len(game.name) > LONGEST_NAME:
        yield _("The name of the game is too long.")
    yield from problems_of_criticals(game.criticals)
    if not game.questions:
        yield _("The game has no questions.")
    yield from problems_of_ranking(game.ranking)
    for questions, phases in ((game.questions, PHASES), (game.pit, None)):
        if len(questions) > MOST_QUESTIONS:
            yield _("A game can have at most %(most)d questions.") % {"most": MOST_QUESTIONS}
        for _number, problem in problems_of(questions, phases):
            yield problem


def problems_of_criticals(names: Collection[str]) -> Iterator[Any]:
    if len(names) > MOST_CRITICALS or len("\n".join(names)) > LONGEST_LIST:
        yield _("A game can have at most %(most)d incidents, each in a few words.") % {"most": MOST_CRITICALS}


def problems_of_ranking(names: Collection[str]) -> Iterator[Any]:
    """Errors in the values by which a game ranks."""
    if len(names) > MOST_RANKED_BY:
        yield _("A ranking can use at most %(most)d stats.") % {"most": MOST_RANKED_BY}
    if len(set(names)) < len(names):
        yield _("A ranking can use each stat only once.")
    for name in names:
        if not FIGURE.fullmatch(name):
            yield _("“%(name)s” is not the name of a stat, such as rp or autoPoints.") % {"name": name[:60]}


def problems_of(
    questions: Iterable[Question], phases: Collection[str] | None = None
) -> Iterator[tuple[int, Any]]:
    """Errors in the questions of a form, each with the index of its question."""
    earlier: dict[str, Question] = {}
    for number, question in enumerate(questions):
        for problem in (*_problems(question, phases), *_problems_among(question, earlier)):
            yield number, problem % {"label": (question.label or question.key)[:LONGEST_LABEL]}
        earlier.setdefault(question.key, question)


def _problems(question: Question, phases: Collection[str] | None) -> Iterator[Any]:
    """Errors of a question by itself."""
    if not KEY.fullmatch(question.key):
        yield _("“%(label)s” needs a key of letters and digits without spaces, such as autoFuel.")
    if question.key in RESERVED_KEYS:
        yield _("“%(label)s” uses the key of a calculated score.")
    if not question.label.strip():
        yield _("“%(label)s” has no question.")
    labels = [question.label, *(choice.label for choice in question.choices)]
    if max(map(len, labels)) > LONGEST_LABEL or len(question.help) > LONGEST_HELP:
        yield _("“%(label)s” is too long, or its help or a choice is.")
    if len(question.phase) > LONGEST_SECTION or len(question.choices) > MOST_CHOICES:
        yield _("“%(label)s” has too many choices, or the name of its part is too long.")
    if question.kind not in KINDS:
        yield _("“%(label)s” has a kind that does not exist.")
    if phases is not None and question.phase not in phases:
        yield _("“%(label)s” belongs to no phase of the match.")
    if not 1 <= question.most <= MOST_COUNTED:
        yield _("“%(label)s” counts to a number from 1 to 999.")
    worth = [question.points, *(choice.points for choice in question.choices)]
    if not all(abs(points) <= MOST_POINTS for points in worth):
        yield _("“%(label)s” has too many points.")
    if question.kind not in (CHOICE, MULTI):
        return
    keys = [choice.key for choice in question.choices]
    if not keys:
        yield _("“%(label)s” has no choices.")
    if not all(map(CHOICE_KEY.fullmatch, keys)):
        yield _("“%(label)s” has a choice without a key of letters and digits.")
    if len(set(keys)) < len(keys):
        yield _("“%(label)s” has two choices with the same key.")


def _problems_among(question: Question, earlier: Mapping[str, Question]) -> Iterator[Any]:
    """Errors of a question that depend on the ones before it."""
    if question.key in earlier:
        yield _("“%(label)s” has the same key as another question.")
    if question.shown is None:
        return
    asked = earlier.get(question.shown.field)
    if asked is None:
        yield _("“%(label)s” depends on a question that does not come before it.")
    elif asked.kind == MULTI:
        yield _("“%(label)s” depends on a question that has several answers.")
    elif not question.shown.among or not all(_can_answer(asked, answer) for answer in question.shown.among):
        yield _("“%(label)s” depends on an answer that does not exist.")


def _can_answer(question: Question, answer: Any) -> bool:
    if question.kind == YES_NO:
        return isinstance(answer, bool)
    if question.is_number:
        is_number = isinstance(answer, int | float) and not isinstance(answer, bool)
        return is_number and 0 <= answer <= question.most
    if question.kind == CHOICE:
        return answer in [choice.key for choice in question.choices]
    return isinstance(answer, str) and bool(answer.strip())


def question_of(stored: Mapping[str, Any]) -> Question:
    return Question(
        key=_text(stored["key"]),
        label=_text(stored["label"]),
        phase=_text(stored["phase"]),
        kind=_text(stored["kind"]),
        points=_number(stored.get("points", 0)),
        choices=tuple(map(_choice, stored.get("choices", ()))),
        most=int(_number(stored.get("most", MOST_COUNTED))),
        help=_text(stored.get("help", "")),
        shown=_shown(stored.get("shown")),
        required=bool(stored.get("required", False)),
    )


def _choice(stored: Mapping[str, Any]) -> Choice:
    return Choice(_text(stored["key"]), _text(stored["label"]), _number(stored.get("points", 0)))


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(value)
    return value


def _text(value: Any) -> str:
    """A text that can be stored. ValueError for other types, and lone surrogates, as JSON may have."""
    if not isinstance(value, str):
        raise ValueError(value)
    value.encode()
    return value


def _shown(stored: Any) -> Condition | None:
    if not stored:
        return None
    if not isinstance(stored["among"], list):
        raise ValueError(stored)
    answers = (_text(each) if isinstance(each, str) else each for each in stored["among"])
    return Condition(_text(stored["field"]), tuple(answers))


def _texts(stored: Any) -> tuple[str, ...]:
    """A list of texts. Raises ValueError for anything else, such as one text, which is iterable, too."""
    if not isinstance(stored, list) or not all(_text(each).strip() for each in stored):
        raise ValueError(stored)
    return tuple(stored)


def _stored(question: Question) -> dict[str, Any]:
    """The question as a map without default values, so that files stay readable."""
    stored = {
        each.name: getattr(question, each.name)
        for each in fields(question)
        if getattr(question, each.name) != each.default
    }
    if question.choices:
        stored["choices"] = [asdict(choice) for choice in question.choices]
    if question.shown:
        stored["shown"] = {"field": question.shown.field, "among": list(question.shown.among)}
    return stored
