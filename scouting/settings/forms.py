"""The form for the settings of a year."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.crud.forms import RecordForm
from scouting.events.models import EventInfo
from scouting.games.services import Listed
from scouting.settings.models import Settings

NO_EVENT = ""


class SettingsForm(RecordForm):
    """The settings of a year."""

    event = forms.ChoiceField(label=_("Current event"), required=False)
    locked = forms.BooleanField(
        label=_("Lock forms to this event"),
        required=False,
        help_text=_("Scouts cannot choose another event."),
    )
    game_year = forms.TypedChoiceField(label=_("Game"), coerce=int, empty_value=None, required=False)

    def __init__(
        self, *data: Any, events: list[EventInfo], games: list[Listed], chosen: Settings, **options: Any
    ) -> None:
        super().__init__(*data, **options)
        listed = [(event.event, f"{event.name} ({event.event})") for event in events]
        if chosen.active_event and chosen.active_event not in dict(listed):
            listed.append((chosen.active_event, chosen.active_event))
        self.fields["event"].choices = [(NO_EVENT, _("No event")), *listed]  # type: ignore[attr-defined]
        same = _("Game of %(year)d") % {"year": int(chosen.year)}
        titles = [(game.year, f"{game.year} {game.name}") for game in games]
        self.fields["game_year"].choices = [("", same), *titles]  # type: ignore[attr-defined]

    @classmethod
    def initial_of(cls, record: Any) -> dict[str, Any]:
        return {
            "event": record.active_event or NO_EVENT,
            "locked": record.locked,
            "game_year": int(record.game_year) if record.game_year else "",
        }
