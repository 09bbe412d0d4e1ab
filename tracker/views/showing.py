"""How games are shown on several screens."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django import forms
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from crud.forms import RecordForm
from dynamo.errors import Text
from tracker import states
from tracker.models import FINAL, IN_PROGRESS, Game
from tracker.views.contesting import Contested


@dataclass(frozen=True)
class Card:
    """A game as lists and pages name it."""

    game: Game

    @property
    def opponent(self) -> str:
        name = self.game.opponent_name or _("Opponent not known yet")
        return name if self.game.is_home or not self.game.opponent_name else _("at %(name)s") % {"name": name}

    @property
    def status(self) -> Text:
        return states.TITLES.get(self.game.status, self.game.status)

    @property
    def tone(self) -> str:
        return states.TONES.get(self.game.status, "draft")

    @property
    def score(self) -> str:
        """Ours first; nothing before the game has begun."""
        if self.game.status not in (IN_PROGRESS, FINAL):
            return ""
        return f"{int(self.game.team_score or 0)}:{int(self.game.opponent_score or 0)}"

    @property
    def outcome(self) -> Text:
        ended = states.outcome(self.game)
        return states.OUTCOMES[ended] if ended else ""


def differences(form: RecordForm, theirs: Mapping[str, Any]) -> list[Contested]:
    """What was typed beside what is stored now, in words."""
    return [
        Contested(str(field.label), _shown(field, form.cleaned_data[name]), _shown(field, theirs[name]))
        for name, field in form.fields.items()
        if _shown(field, form.cleaned_data[name]) != _shown(field, theirs[name])
    ]


def _shown(field: forms.Field, value: Any) -> str:
    if isinstance(field, forms.ChoiceField):
        return str(dict(field.choices).get(value or "", ""))  # type: ignore[arg-type]
    if isinstance(value, bool):
        return _("Yes") if value else _("No")
    if isinstance(value, datetime):
        return date_format(localtime(value), "SHORT_DATETIME_FORMAT")
    if isinstance(value, date):
        return date_format(value, "SHORT_DATE_FORMAT")
    if isinstance(value, list):
        return "\n".join(", ".join(str(part) for part in row.values()) for row in value)
    return "" if value is None else str(value)
