"""The stand form: one robot in one match, phase by phase."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scouting.forms.forms.questions import (
    RANGE,
    EventField,
    FormQuestion,
    LongText,
    QuestionsForm,
    Step,
    TeamField,
)
from scouting.forms.models import StandForm
from scouting.games.definition import AUTO, COUNTER, ENDGAME, MULTI, PHASES, POST, TELE, TEXT, YES_NO, Game
from scouting.keys import HIGHEST_MATCH

MOST_RANKING_POINTS = 6
SHORT = {AUTO: _("Auto"), TELE: _("Teleop"), ENDGAME: _("Endgame"), POST: _("After")}
# Questions that are the same every year, with the kind by which they are displayed.
BEFORE = {"no_show": YES_NO}
AFTER = {
    "win": YES_NO,
    "rp_earned": COUNTER,
    "defense": YES_NO,
    "defended_against": YES_NO,
    "criticals": MULTI,
    "strategy": TEXT,
    "comments": TEXT,
}


class StandEntry(QuestionsForm):
    event = EventField()
    match = forms.IntegerField(label=_("Match"), min_value=1, max_value=HIGHEST_MATCH, error_messages=RANGE)
    team = TeamField()
    no_show = forms.BooleanField(label=_("The robot did not come"), required=False)
    win = forms.BooleanField(label=_("Its alliance won"), required=False)
    rp_earned = forms.IntegerField(
        label=_("Ranking points"),
        required=False,
        min_value=0,
        max_value=MOST_RANKING_POINTS,
        error_messages=RANGE,
    )
    defense = forms.BooleanField(label=_("It played defence"), required=False)
    defended_against = forms.BooleanField(label=_("It was defended against"), required=False)
    criticals = forms.MultipleChoiceField(
        label=_("What went wrong"), required=False, widget=forms.CheckboxSelectMultiple
    )
    strategy = LongText(label=_("Overall strategy"), required=False)
    comments = LongText(label=_("Extra comments"), required=False)

    def __init__(
        self,
        game: Game,
        data: Mapping[str, Any] | None = None,
        *,
        initial: Mapping[str, Any] | None = None,
        is_edit: bool = False,
    ) -> None:
        super().__init__(game.questions, data, initial=initial)
        self.game = game
        told = list(game.criticals)
        # Incidents of an earlier definition remain choices, so that correcting does not lose them.
        told += [each for each in (initial or {}).get("criticals", ()) if each not in told]
        self.fields["criticals"].choices = [(each, each) for each in told]  # type: ignore[attr-defined]
        if not told:
            del self.fields["criticals"]
        if is_edit:
            # The robot is the key of the form, so a correction cannot change it.
            for name in ("event", "match", "team"):
                del self.fields[name]

    @classmethod
    def initial_of(cls, form: StandForm) -> dict[str, Any]:
        common = {name: getattr(form, name) for name in (*BEFORE, *AFTER)}
        return common | cls.initial_of_values(form.scores or {})

    def values(self) -> dict[str, Any]:
        """The answers; empty if the robot did not show up."""
        if self.cleaned_data.get("no_show"):
            return {question.key: question.empty for question in self.questions}
        return super().values()

    def fields_of(self) -> dict[str, Any]:
        """The attributes to write to the form."""
        own = {name: self.cleaned_data[name] for name in self.base_fields if name in self.cleaned_data}
        return own | {"rp_earned": own.get("rp_earned") or 0, "scores": self.values()}

    def steps(self) -> list[Step]:
        """The steps by phase, without empty ones; the last one always has questions."""
        steps = [Step(phase, title, self._of_phase(phase), SHORT[phase]) for phase, title in PHASES.items()]
        return [step for step in steps if step.asked]

    def _of_phase(self, phase: str) -> list[FormQuestion]:
        asked = [self.asked(question) for question in self.game.of_phase(phase)]
        if phase == AUTO:
            return [*self._common(BEFORE), *asked]
        return [*self._common(AFTER), *asked] if phase == POST else asked

    def _common(self, kinds: Mapping[str, str]) -> list[FormQuestion]:
        return [
            FormQuestion(self[name], kind, steps=(1,), most=MOST_RANKING_POINTS)
            for name, kind in kinds.items()
            if name in self.fields
        ]
