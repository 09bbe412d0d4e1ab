"""What the history shows of a version: fields with titles, which tell how their values are written."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from core.crud.diff import Difference, differences
from core.crud.display import InWords, Names
from scouting.events.event import Team, matches_from
from scouting.events.forms import EventForm
from scouting.events.lines import match_lines, team_lines
from scouting.events.models import EventInfo
from scouting.games.forms import question_line
from scouting.games.models import StoredGame
from scouting.settings.forms import SettingsForm
from scouting.settings.models import Settings

DEFINITION = {
    "questions": InWords(question_line, label=_("Scout a match")),
    "pit": InWords(question_line, label=_("Pit")),
    "criticals": forms.Field(label=_("Possible incidents")),
    "ranking": forms.Field(label=_("Ranked by")),
}
# By the name of the kind.
FIELDS: Mapping[str, Mapping[str, forms.Field]] = {
    "event": {
        name: field for name, field in EventForm.base_fields.items() if name in EventInfo.get_attributes()
    },
    "teams": {
        "teams": InWords(
            lambda stored: team_lines([Team(**stored)]), label=pgettext_lazy("scouting", "Teams")
        )
    },
    "schedule": {"matches": InWords(lambda stored: match_lines(matches_from([stored])), label=_("Matches"))},
    "game": {"name": forms.Field(label=_("Name of the game")), **DEFINITION},
    "settings": {name: forms.Field(label=field.label) for name, field in SettingsForm.base_fields.items()},
}


def differences_of(kind: str, before: Any, after: Any) -> list[Difference]:
    fields = FIELDS[kind]
    return differences(fields, _values(fields, before), _values(fields, after), Names())


def _values(fields: Mapping[str, forms.Field], item: Any) -> dict[str, Any]:
    if isinstance(item, StoredGame):
        return {"name": item.name} | {name: (item.definition or {}).get(name) for name in DEFINITION}
    if isinstance(item, Settings):
        return SettingsForm.initial_of(item)
    return {name: getattr(item, name) for name in fields}
