"""Forms of a game: its data, a change of its state, a forfeit, and its deletion."""

from collections.abc import Collection, Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.crud.fields import ClubDateTimeField
from core.crud.forms import RecordForm, RefusableForm
from tracker.games.models import SCORES, Game, Season
from tracker.rules.game_states import OPPONENT, OWN

LONGEST = 100
HIGHEST_SCORE = 999
NO_SEASON = ""


def _score(label: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=0, max_value=HIGHEST_SCORE)


class GameForm(RecordForm):
    opponent_name = forms.CharField(label=_("Opponent"), max_length=LONGEST, required=False)
    scheduled_start = ClubDateTimeField(label=_("When"), required=False)
    location = forms.CharField(label=_("Where"), max_length=LONGEST, required=False)
    season_id = forms.ChoiceField(label=_("Season"), required=False)
    is_home = forms.BooleanField(
        label=_("Home game"), required=False, help_text=_("The home team bats second.")
    )
    team_score = _score(_("Our score"))
    opponent_score = _score(_("Their score"))

    def __init__(
        self, *args: Any, seasons: Iterable[Season], without: Iterable[str] = (), **options: Any
    ) -> None:
        """`without` names fields to leave out, because their values are derived."""
        super().__init__(*args, **options)
        named = [(season.id, season.name) for season in seasons]
        self.fields["season_id"].choices = [(NO_SEASON, _("No season")), *named]  # type: ignore[attr-defined]
        self.leave_out(without)

    @classmethod
    def initial_of(cls, record: Any) -> dict[str, Any]:
        found = super().initial_of(record)
        scores = {name: int(found[name] or 0) for name in SCORES}
        return found | scores | {"season_id": record.season_id or NO_SEASON}

    def fields_of(self) -> dict[str, Any]:
        """The attributes to write to the game; empty values become None, which removes the attribute."""
        written = {name: None if value == "" else value for name, value in self.cleaned_data.items()}
        return written | {name: written[name] or 0 for name in SCORES if name in written}


class StepForm(RefusableForm):
    """The date or the scores that a step to another state asks for."""

    use_required_attribute = False
    scheduled_start = ClubDateTimeField(label=_("New date"))
    team_score = _score(_("Our score"))
    opponent_score = _score(_("Their score"))

    def __init__(self, *args: Any, asks: Collection[str], **options: Any) -> None:
        super().__init__(*args, **options)
        for name in self.fields.keys() - asks:
            del self.fields[name]


class ForfeitForm(RefusableForm):
    use_required_attribute = False
    winner = forms.ChoiceField(
        label=_("Who has won?"),
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose who has won.")},
    )

    def __init__(self, *args: Any, game: Game, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["winner"].choices = [  # type: ignore[attr-defined]
            (OWN, _("We have")),
            (OPPONENT, game.opponent_name or _("The opponent")),
        ]


class DeleteForm(RefusableForm):
    confirmed = forms.BooleanField(
        label=_("Delete what was written down in it too"),
        required=False,
        help_text=_("The plate appearances count in nobody’s figures any more."),  # noqa: RUF001
    )
