"""The form of a season and its rules."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.crud.fields import RowForm, RowsField
from core.crud.forms import RecordForm
from tracker.games.models import Season
from tracker.rules import batting, season_rules
from tracker.rules.lineups import MOST
from tracker.rules.replay import AN_OUT, SKIPPED, Rules

LONGEST_NAME = 60
MOST_INNINGS = 15
MOST_RUNS = 99
MOST_MINUTES = 600
EMPTY_PLACE = ((SKIPPED, _("Skipped")), (AN_OUT, _("An out")))
ABOVE_LIMIT = ((batting.OUT, _("An out")), (batting.SINGLE, _("A single")))


def _day(label: Any) -> forms.DateField:
    return forms.DateField(
        label=label, required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
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
    tie_breaker_from = forms.IntegerField(
        label=_("Tie-breaker from inning"),
        min_value=2,
        max_value=30,
        required=False,
        help_text=_("From then on the last batter starts on second base. Empty: never."),
    )
    home_run_limit = forms.IntegerField(
        label=_("Home runs per game"),
        min_value=0,
        max_value=MOST_RUNS,
        required=False,
        help_text=_("How many count. Empty: all."),
    )
    run_limit = forms.IntegerField(
        label=_("Runs per half-inning"),
        min_value=1,
        max_value=MOST_RUNS,
        required=False,
        help_text=_("With so many the half-inning is over. Empty: no limit."),
    )
    time_limit = forms.IntegerField(
        label=_("Time limit in minutes"),
        min_value=1,
        max_value=MOST_MINUTES,
        required=False,
        help_text=_("After that no new inning begins. Empty: none."),
    )
    fewest_batters = forms.IntegerField(
        label=_("Fewest batters"),
        min_value=1,
        max_value=MOST,
        required=False,
        help_text=_("So many a line-up needs. Empty: 8."),
    )
    empty_place = forms.ChoiceField(
        label=_("Somebody leaves without a substitute"),
        choices=EMPTY_PLACE,
        required=False,
        help_text=_("What the turn of their place is."),
    )
    home_run_above_limit = forms.ChoiceField(label=_("A home run above that is"), choices=ABOVE_LIMIT)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        starts_on, ends_on = cleaned.get("starts_on"), cleaned.get("ends_on")
        if starts_on and ends_on and ends_on < starts_on:
            self.add_error("ends_on", _("The last day is not before the first one."))
        return cleaned

    @classmethod
    def initial_of(cls, record: Any) -> dict[str, Any]:
        season: Season = record
        told = {"name": season.name, "starts_on": season.starts_on, "ends_on": season.ends_on}
        return told | cls.initial_of_rules(season_rules.from_stored(season.rules))

    @classmethod
    def initial_of_rules(cls, chosen: Rules) -> dict[str, Any]:
        return {
            "innings": chosen.innings,
            "run_ahead": [{"inning": inning, "lead": lead} for inning, lead in chosen.run_ahead],
            "tie_breaker_from": chosen.tie_breaker_from,
            "home_run_limit": chosen.home_run_limit,
            "home_run_above_limit": chosen.home_run_above_limit,
            "run_limit": chosen.run_limit,
            "fewest_batters": chosen.fewest_batters,
            "time_limit": chosen.time_limit,
            "empty_place": chosen.empty_place,
        }

    def fields_of(self) -> dict[str, Any]:
        """The attributes to write to the season."""
        typed = self.cleaned_data
        chosen = Rules(
            innings=typed["innings"],
            run_ahead=tuple(sorted((row["inning"], row["lead"]) for row in typed["run_ahead"])),
            tie_breaker_from=typed["tie_breaker_from"],
            home_run_limit=typed["home_run_limit"],
            home_run_above_limit=typed["home_run_above_limit"],
            run_limit=typed["run_limit"],
            fewest_batters=typed["fewest_batters"] or Rules().fewest_batters,
            empty_place=typed["empty_place"] or SKIPPED,
            time_limit=typed["time_limit"],
        )
        return {
            "name": typed["name"],
            "starts_on": typed["starts_on"],
            "ends_on": typed["ends_on"],
            "rules": season_rules.stored(chosen),
        }
