"""The form of a season and its rules."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.crud.fields import RowForm, RowsField
from core.crud.forms import RecordForm
from tracker.rules import batting, season_rules
from tracker.rules.lineups import MOST
from tracker.rules.replay import AN_OUT, SKIPPED, Rules

LONGEST_NAME = 60
MOST_INNINGS = 15
MOST_RUNS = 99
MOST_MINUTES = 600
EMPTY_PLACE = ((SKIPPED, _("Skipped")), (AN_OUT, _("An out")))
ABOVE_LIMIT = ((batting.OUT, _("An out")), (batting.SINGLE, _("A single")))
# What a season has besides its rules.
ABOUT = ("name", "starts_on", "ends_on")


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
        _("From then on the last batter starts on second base. Empty: never."),
        30,
        least=2,
    )
    home_run_limit = _limit(_("Home runs per game"), _("How many count. Empty: all."), MOST_RUNS, least=0)
    run_limit = _limit(
        _("Runs per half-inning"), _("With so many the half-inning is over. Empty: no limit."), MOST_RUNS
    )
    time_limit = _limit(
        _("Time limit in minutes"), _("After that no new inning begins. Empty: none."), MOST_MINUTES
    )
    fewest_batters = _limit(_("Fewest batters"), _("So many a line-up needs. Empty: 8."), MOST)
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
        about = {name: getattr(record, name) for name in ABOUT}
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
        about = {name: typed[name] for name in ABOUT}
        return about | {"rules": season_rules.stored(Rules(**chosen))}
