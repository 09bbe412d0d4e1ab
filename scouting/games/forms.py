"""The Django form that edits a game definition: its questions as rows."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

from core.common.http import small_number
from core.crud.fields import RowForm, RowsField
from core.crud.fields.rows import CHECK_ROWS, is_blank
from core.crud.forms import RecordForm
from core.dynamo.errors import Invalid
from scouting.games import definition as definitions
from scouting.games.definition import LONGEST_LIST, MOST_COUNTED, YES_NO, Choice, Condition, Game, Question

is_key = RegexValidator(
    rf"\A{definitions.KEY.pattern}\Z", _("A key is letters and digits without spaces, such as autoFuel.")
)
is_choice_key = RegexValidator(
    rf"\A{definitions.CHOICE_KEY.pattern}\Z",
    _("A choice starts with its key in letters and digits: one | Level 1 | 10"),
)
YES, NO = "yes", "no"
LARGEST_FILE = 200_000


class ChoicesField(forms.CharField):
    """The choices of a question, one per line: key | label | points."""

    def __init__(self, **options: Any) -> None:
        widget = forms.Textarea(attrs={"rows": 3})
        super().__init__(widget=widget, required=False, max_length=LONGEST_LIST, **options)

    def prepare_value(self, value: Any) -> Any:
        return value if isinstance(value, str | None) else "\n".join(map(_choice_line, value))

    def has_changed(self, initial: Any, data: Any) -> bool:
        return super().has_changed(self.prepare_value(initial), data)

    def clean(self, value: Any) -> tuple[Choice, ...]:
        lines = [line for line in super().clean(value).splitlines() if line.strip()]
        return tuple(map(_choice, lines))


class PointsField(forms.FloatField):
    """A number field that displays whole points without decimals."""

    def prepare_value(self, value: Any) -> Any:
        return int(value) if isinstance(value, float) and value.is_integer() else value


class QuestionRow(RowForm):
    """A question of the stand form."""

    title = _("Question")

    key = forms.CharField(label=_("Key"), validators=[is_key])
    label = forms.CharField(label=_("Question"), max_length=definitions.LONGEST_LABEL)
    phase = forms.ChoiceField(label=_("Part"), choices=list(definitions.PHASES.items()))
    kind = forms.ChoiceField(
        label=_("Kind"), choices=list(definitions.KINDS.items()), initial=definitions.COUNTER
    )
    points = PointsField(
        label=_("Points"),
        required=False,
        min_value=-definitions.MOST_POINTS,
        max_value=definitions.MOST_POINTS,
    )
    most = forms.IntegerField(label=_("At most"), required=False, min_value=1, max_value=MOST_COUNTED)
    choices = ChoicesField(label=_("Choices"), help_text=_("One per line: key | label | points"))
    shown = forms.CharField(
        label=_("Asked only if"),
        required=False,
        max_length=300,
        help_text=_("The key of an earlier question and its answers: climbLevel: one, two"),
    )
    help = forms.CharField(label=_("Help"), required=False, max_length=definitions.LONGEST_HELP)
    required = forms.BooleanField(label=_("Required"), required=False)


class PitRow(QuestionRow):
    """A question of the pit form; its part is a heading."""

    phase = forms.CharField(label=_("Part"), max_length=definitions.LONGEST_SECTION)  # type: ignore[assignment]
    points = None  # type: ignore[assignment]


class GameForm(RecordForm):
    name = forms.CharField(label=_("Name of the game"), max_length=definitions.LONGEST_NAME)
    criticals = forms.CharField(
        label=_("Possible incidents"),
        required=False,
        max_length=LONGEST_LIST,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_("One per line, such as Robot Died."),
    )
    ranking = forms.CharField(
        label=_("Ranked by"),
        required=False,
        max_length=LONGEST_LIST,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_(
            "The alliance stats the rules rank by, one per line, most important first, with their "
            "names at The Blue Alliance: rp for ranking points, points for the score without fouls, "
            "and both2.wallAlgaeCount is 1 if both alliances have at least 2 of wallAlgaeCount."
        ),
    )
    questions = RowsField(
        QuestionRow, label=_("Scout a match"), min_rows=1, max_rows=definitions.MOST_QUESTIONS
    )
    pit = RowsField(PitRow, label=_("Pit"), max_rows=definitions.MOST_QUESTIONS)

    def __init__(self, *data: Any, game: Game, **options: Any) -> None:
        """`game` is what the editor begins with; its year cannot change."""
        super().__init__(*data, **options)
        self.begun_with = game

    @staticmethod
    def initial_of_game(game: Game) -> dict[str, Any]:
        return {
            "name": game.name,
            "criticals": "\n".join(game.criticals),
            "ranking": "\n".join(game.ranking),
            "questions": [_row(question) for question in game.questions],
            "pit": [_row(question) for question in game.pit],
        }

    def clean_criticals(self) -> tuple[str, ...]:
        criticals = tuple(dict.fromkeys(_lines(self.cleaned_data["criticals"])))
        for problem in definitions.problems_of_criticals(criticals):
            raise forms.ValidationError(problem)
        return criticals

    def clean_ranking(self) -> tuple[str, ...]:
        names = _lines(self.cleaned_data["ranking"])
        for problem in definitions.problems_of_ranking(names):
            raise forms.ValidationError(problem)
        return tuple(names)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        for name in ("questions", "pit"):
            if name in cleaned:
                self._mark_problems(name, _questions(cleaned[name]))
        return cleaned

    def _mark_problems(self, name: str, questions: list[Question]) -> None:
        """Add each error to the row of its question."""
        rows = [row for row in self[name].parts.forms if not is_blank(row)]  # type: ignore[attr-defined]
        found = list(definitions.problems_of(questions))
        for number, problem in found:
            rows[number].add_error(None, problem)
        if found:
            self.add_error(name, CHECK_ROWS)

    def game(self) -> Game:
        """The definition from the typed values."""
        return replace(
            self.begun_with,
            name=self.cleaned_data["name"],
            criticals=self.cleaned_data["criticals"],
            ranking=self.cleaned_data["ranking"],
            questions=tuple(_questions(self.cleaned_data["questions"])),
            pit=tuple(_questions(self.cleaned_data["pit"])),
        )


class UploadForm(RecordForm):
    """An uploaded definition; the year in the file is ignored."""

    file = forms.FileField(
        label=_("A definition as JSON"),
        error_messages=dict.fromkeys(("required", "missing", "invalid", "empty"), _("Choose a file.")),
    )

    def __init__(self, *data: Any, year: int, **options: Any) -> None:
        super().__init__(*data, **options)
        self.year = year

    def clean_file(self) -> Game:
        file = self.cleaned_data["file"]
        if (file.size or 0) > LARGEST_FILE:
            raise forms.ValidationError(_("This file is too large."))
        try:
            definition = json.loads(file.read())
        except (ValueError, RecursionError) as error:
            raise forms.ValidationError(_("This file is not JSON.")) from error
        if not isinstance(definition, dict):
            raise forms.ValidationError(_("This game definition is not valid."))
        try:
            return definitions.from_json(definition | {"year": self.year})
        except Invalid as error:
            raise forms.ValidationError(str(error)) from error


# --- Questions as rows, and back ----------------------------------------------------------------------------


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _row(question: Question) -> dict[str, Any]:
    return {name: getattr(question, name) for name in QuestionRow.base_fields} | {
        "points": question.points or None,
        "most": None if question.most == MOST_COUNTED else question.most,
        "choices": "\n".join(map(_choice_line, question.choices)),
        "shown": _shown_line(question.shown),
    }


def question_line(stored: Mapping[str, Any]) -> str:
    """A stored question as one line of text, for the comparison of two versions."""
    row = _row(definitions.question_of(stored))
    if row.pop("required"):
        row["required"] = QuestionRow.base_fields["required"].label
    return " \N{MIDDLE DOT} ".join(str(value).replace("\n", ", ") for value in row.values() if value)


def _questions(rows: Iterable[Mapping[str, Any]]) -> list[Question]:
    found: dict[str, Question] = {}
    questions = []
    for row in rows:
        own = {
            "points": row.get("points") or 0,
            "most": row["most"] or MOST_COUNTED,
            "shown": _shown(row["shown"], found),
        }
        question = Question(**{**row, **own})
        found.setdefault(question.key, question)
        questions.append(question)
    return questions


def _choice_line(choice: Choice) -> str:
    named = f"{choice.key} | {choice.label}"
    return f"{named} | {choice.points:g}" if choice.points else named


def _choice(line: str) -> Choice:
    key, label, points = (*(part.strip() for part in line.split("|")), "", "")[:3]
    is_choice_key(key)
    if not re.fullmatch(r"-?\d{0,4}([.,]\d{1,3})?", points):
        raise forms.ValidationError(_("The points in “%(line)s” are not a number."), params={"line": line})
    return Choice(key, label or key, float(points.replace(",", ".")) if points else 0)


def _shown_line(shown: Condition | None) -> str:
    if shown is None:
        return ""
    words = {True: YES, False: NO}
    answers = [words[each] if isinstance(each, bool) else str(each) for each in shown.among]
    return f"{shown.field}: {', '.join(answers)}"


def _shown(text: str, earlier: Mapping[str, Question]) -> Condition | None:
    if not text.strip():
        return None
    key, _colon, answers = text.partition(":")
    key = key.strip()
    among = [answer.strip() for answer in answers.split(",") if answer.strip()]
    asked = earlier.get(key)
    if asked and asked.kind == YES_NO:
        words = {YES: True, NO: False}
        return Condition(key, tuple(words.get(answer.lower(), answer) for answer in among or [YES]))
    if asked and asked.is_number:
        return Condition(key, tuple(small_number(answer, -1) for answer in among))
    return Condition(key, tuple(among))
