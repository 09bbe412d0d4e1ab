"""Questions of a game as Django form fields, validated by their kind."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from core.crud.fields.texts import LongText
from core.crud.forms import RefusableForm
from core.dynamo.errors import Invalid, Text
from scouting import keys
from scouting.games.definition import CHOICE, COUNTER, LONGEST_TEXT, MULTI, TIMER, YES_NO, Question, is_asked

# Prefix, because a game may give a value the same name as a field of the form itself.
PREFIX = "q_"
FIVE_AT_ONCE_FROM, TEN_AT_ONCE_FROM = 40, 100
RANGE = {"min_value": _("At least %(limit_value)s."), "max_value": _("At most %(limit_value)s.")}


class KeyField(forms.CharField):
    """A text as people write it, normalised to the stored form by `key`."""

    def __init__(self, *, key: Callable[[str], str], **options: Any) -> None:
        super().__init__(**options)
        self.key = key

    def clean(self, value: Any) -> str:
        text = super().clean(value)
        try:
            return self.key(text)
        except Invalid as error:
            raise forms.ValidationError(str(error)) from error


def team_field() -> KeyField:
    return KeyField(
        key=keys.team_key,
        label=pgettext_lazy("scouting", "Team"),
        max_length=16,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters", "size": 8}),
        error_messages={"required": _("Choose a team.")},
    )


def long_text(**options: Any) -> LongText:
    return LongText(rows=3, max_length=LONGEST_TEXT, **options)


def event_field() -> KeyField:
    """The event, chosen before the form was opened; the page displays it."""
    return KeyField(key=keys.event_key, widget=forms.HiddenInput, max_length=20)


def match_field() -> forms.IntegerField:
    return forms.IntegerField(
        label=pgettext_lazy("scouting", "Match"),
        min_value=1,
        max_value=keys.HIGHEST_MATCH,
        error_messages=RANGE,
    )


@dataclass(frozen=True)
class FormQuestion:
    """A bound field with what its template needs: its kind, and the steps of its stepper buttons."""

    field: forms.BoundField
    kind: str
    key: str = ""
    steps: tuple[int, ...] = ()
    most: int = 0

    @property
    def chosen(self) -> list[str]:
        """The ticked values, as the browser sends them."""
        value = self.field.value()
        return [str(each) for each in value] if isinstance(value, list | tuple) else [str(value or "")]

    @property
    def number(self) -> Any:
        """The number a counter shows: 0 if it is empty."""
        value = self.field.value()
        return 0 if value in (None, "") else value


@dataclass(frozen=True)
class Step:
    """A part of a form under its own heading."""

    name: str
    title: Text
    asked: list[FormQuestion]
    # The title where five steps are side by side on a phone.
    short: Text = ""

    @property
    def has_errors(self) -> bool:
        return any(each.field.errors for each in self.asked)


class QuestionsForm(RefusableForm):
    """Base form: fields of its own and questions of a game. Questions with an unmet condition are ignored."""

    # No browser validation: its messages are not ours, and it cannot focus a field in a hidden step.
    use_required_attribute = False
    # Fields that are the key of the stored form, so a correction cannot change them.
    place = ("event", "match", "team")

    def __init__(
        self, *data: Any, questions: Iterable[Question] = (), is_edit: bool = False, **options: Any
    ) -> None:
        super().__init__(*data, **options)
        self.questions = tuple(questions)
        for question in self.questions:
            name = PREFIX + question.key
            self.fields[name] = field_of(question, self.initial.get(name))
        for name in self.place if is_edit else ():
            self.fields.pop(name, None)

    @staticmethod
    def initial_of_values(values: Mapping[str, Any]) -> dict[str, Any]:
        return {PREFIX + key: value for key, value in values.items()}

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        values = self.values()
        for question in self.questions:
            name = PREFIX + question.key
            # Errors of a field whose condition is not met do not count.
            if not is_asked(question, values):
                self.errors.pop(name, None)
            elif question.required and name not in self.errors and values[question.key] in ("", []):
                self.add_error(name, _("Answer this question."))
        return cleaned

    def values(self) -> dict[str, Any]:
        """The answers by key; a question whose condition is not met has its empty value."""
        values: dict[str, Any] = {}
        for question in self.questions:
            answer = self.cleaned_data.get(PREFIX + question.key)
            is_answered = answer not in (None, "") and is_asked(question, values)
            values[question.key] = answer if is_answered else question.empty
        return values

    def asked(self, question: Question) -> FormQuestion:
        field = self[PREFIX + question.key]
        return FormQuestion(field, question.kind, question.key, steps_of(question), question.most)


def steps_of(question: Question) -> tuple[int, ...]:
    """The steps of a stepper: larger ones if the maximum is large."""
    if question.kind != COUNTER or question.most < FIVE_AT_ONCE_FROM:
        return (1,)
    return (1, 5) if question.most < TEN_AT_ONCE_FROM else (1, 5, 10)


def field_of(question: Question, stored: Any = None) -> forms.Field:
    options: dict[str, Any] = {"label": question.label, "help_text": question.help, "required": False}
    pairs = [(choice.key, choice.label) for choice in question.choices]
    # A value that only an earlier definition offered remains a choice, so that correcting does not lose it.
    chosen = stored if isinstance(stored, list) else [stored or ""]
    pairs += [(str(each), str(each)) for each in chosen if each and each not in dict(pairs)]
    limits: dict[str, Any] = {"min_value": 0, "max_value": question.most, "error_messages": RANGE}
    if question.kind == COUNTER:
        return forms.IntegerField(**limits, **options)
    if question.kind == TIMER:
        return forms.FloatField(**limits, step_size=0.1, **options)
    if question.kind == YES_NO:
        return forms.BooleanField(**options)
    if question.kind == CHOICE:
        return forms.ChoiceField(choices=pairs, widget=forms.RadioSelect, **options)
    if question.kind == MULTI:
        return forms.MultipleChoiceField(choices=pairs, widget=forms.CheckboxSelectMultiple, **options)
    return long_text(**options)
