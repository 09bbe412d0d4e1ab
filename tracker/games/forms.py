"""Forms of games (data, change of state, forfeit, deletion) and of seasons with their rules."""

from collections.abc import Collection, Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.crud.fields import ClubDateTimeField, RowForm, RowsField
from core.crud.forms import RecordForm, RefusableForm
from tracker.games.models import SCORES, Game, Season
from tracker.rules import batting, lineups, season_rules
from tracker.rules.game_states import OPPONENT, OWN
from tracker.rules.replay import AN_OUT, SKIPPED, Rules

LONGEST = 100
HIGHEST_SCORE = 999
LONGEST_NAME = 60
MOST_INNINGS = 15
MOST_RUNS = 99
MOST_MINUTES = 600
NO_SEASON = ""
EMPTY_PLACE = ((SKIPPED, _("Skipped")), (AN_OUT, _("An out")))
ABOVE_LIMIT = ((batting.OUT, _("An out")), (batting.SINGLE, _("A single")))
# What a season has besides its rules.
ABOUT_A_SEASON = ("name", "starts_on", "ends_on")


def _score(label: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=0, max_value=HIGHEST_SCORE)


class AnswerForm(RefusableForm):
    """Whether a player is coming; without a note in the form the stored one stays."""

    player = forms.CharField(required=False)
    answer = forms.CharField(required=False)
    note = forms.CharField(required=False)

    def clean_note(self) -> str | None:
        return self.cleaned_data["note"] if "note" in self.data else None


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
        label=_("Who won?"),
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose who won.")},
    )

    def __init__(self, *args: Any, game: Game, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["winner"].choices = [  # type: ignore[attr-defined]
            (OWN, _("We have")),
            (OPPONENT, game.opponent_name or _("The opponent")),
        ]


class DeleteForm(RefusableForm):
    confirmed = forms.BooleanField(
        label=_("Delete the recorded plays too"),
        required=False,
        help_text=_("The plate appearances no longer count in any stats."),
    )


def _day(label: Any) -> forms.DateField:
    return forms.DateField(
        label=label, required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )


def _limit(label: Any, help_text: Any, most: int, *, least: int = 1) -> forms.IntegerField:
    """A number that may be left empty."""
    return forms.IntegerField(
        label=label, min_value=least, max_value=most, required=False, help_text=help_text
    )


class RunAheadRow(RowForm):
    title = _("Lead")
    inning = forms.IntegerField(label=_("After inning"), min_value=1, max_value=MOST_INNINGS)
    lead = forms.IntegerField(label=_("Runs ahead"), min_value=1, max_value=MOST_RUNS)


class SeasonForm(RecordForm):
    name = forms.CharField(label=_("Name"), max_length=LONGEST_NAME)
    starts_on = _day(_("First day"))
    ends_on = _day(_("Last day"))
    innings = forms.IntegerField(label=_("Innings"), min_value=1, max_value=MOST_INNINGS)
    run_ahead = RowsField(
        RunAheadRow,
        max_rows=5,
        required=False,
        label=_("Run-ahead rule"),
        help_text=_("A lead that ends the game early."),
    )
    tie_breaker_from = _limit(
        _("Tie-breaker from inning"),
        _("From this inning on, the last batter starts on second base. Leave empty for never."),
        30,
        least=2,
    )
    home_run_limit = _limit(
        _("Home runs per game"), _("How many count. Leave empty for all."), MOST_RUNS, least=0
    )
    run_limit = _limit(
        _("Runs per half-inning"),
        _("The half-inning ends at this number. Leave empty for no limit."),
        MOST_RUNS,
    )
    time_limit = _limit(
        _("Time limit in minutes"),
        _("No new inning starts after this. Leave empty for no limit."),
        MOST_MINUTES,
    )
    fewest_batters = _limit(
        _("Fewest batters"), _("How many batters a line-up needs. Leave empty for 8."), lineups.MOST_PLAYERS
    )
    empty_place = forms.ChoiceField(
        label=_("If a batter leaves without a substitute"),
        choices=EMPTY_PLACE,
        required=False,
        help_text=_("What their turn at bat counts as."),
    )
    home_run_above_limit = forms.ChoiceField(
        label=_("Home runs above the limit count as"), choices=ABOVE_LIMIT
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        starts_on, ends_on = cleaned.get("starts_on"), cleaned.get("ends_on")
        if starts_on and ends_on and ends_on < starts_on:
            self.add_error("ends_on", _("The last day must not be before the first day."))
        return cleaned

    @classmethod
    def initial_of(cls, record: Any) -> dict[str, Any]:
        about = {name: getattr(record, name) for name in ABOUT_A_SEASON}
        return about | cls.initial_of_rules(season_rules.from_stored(record.rules))

    @classmethod
    def initial_of_rules(cls, chosen: Rules) -> dict[str, Any]:
        run_ahead = [{"inning": inning, "lead": lead} for inning, lead in chosen.run_ahead]
        return {**vars(chosen), "run_ahead": run_ahead}

    def fields_of(self) -> dict[str, Any]:
        """The attributes to write to the season."""
        typed = self.cleaned_data
        # What was left empty is the default of `Rules`.
        chosen = {name: typed[name] for name in vars(Rules()) if typed[name] not in (None, "")}
        chosen["run_ahead"] = tuple(sorted((row["inning"], row["lead"]) for row in typed["run_ahead"]))
        about = {name: typed[name] for name in ABOUT_A_SEASON}
        return about | {"rules": season_rules.stored(Rules(**chosen))}
