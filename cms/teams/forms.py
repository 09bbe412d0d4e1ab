"""Form of a team."""

import re
from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

from cms.base.fields import OptionalTextField, SlugField
from cms.base.forms import SluggedForm
from cms.media.fields import MediaField
from cms.teams.rules import DAYS, GENDERS, LEAGUES, team_slug
from core.crud.fields import PickerField, RowForm, RowsField

MOST_SCHEDULES = 14
is_team_slug = RegexValidator(r"\A[a-z0-9]+\Z", _("Use lowercase letters and digits only."))
is_instagram_account = RegexValidator(
    r"\A[a-z0-9._]{1,30}\Z", _("Enter the account name, such as “vc_example”.")
)
BEFORE_ACCOUNT = re.compile(r"\A(https?://)?(www\.)?instagram\.com/", re.IGNORECASE)


class ClockField(forms.TimeField):
    """A time of day; cleans to a string HH:MM."""

    widget = forms.TimeInput(format="%H:%M", attrs={"type": "time"})

    def to_python(self, value: Any) -> Any:
        moment = super().to_python(value)
        return moment.strftime("%H:%M") if moment else None


class InstagramField(forms.CharField):
    """The name of an account; also accepts @name or its URL, in any case."""

    default_validators = [is_instagram_account]

    def to_python(self, value: Any) -> Any:
        text = BEFORE_ACCOUNT.sub("", super().to_python(value) or "")
        return re.split(r"[/?#]", text)[0].removeprefix("@").lower() or None


class ScheduleForm(RowForm):
    """One row of the training schedule. The field names are the stored keys, which other programs read."""

    title = _("Training")

    day = forms.MultipleChoiceField(
        label=_("Days"), choices=DAYS, widget=forms.CheckboxSelectMultiple(attrs={"class": "check-line"})
    )
    startTime = ClockField(label=_("From"))
    endTime = ClockField(label=_("To"))
    locationId = PickerField(label=_("Place"), to="location")

    def clean_day(self) -> list[str]:
        """The days without duplicates, in the order of the week."""
        return [day for day, _title in DAYS if day in self.cleaned_data["day"]]

    def clean(self) -> None:
        super().clean()
        cleaned = self.cleaned_data
        start, end = cleaned.get("startTime"), cleaned.get("endTime")
        if start and end and end <= start:
            self.add_error("endTime", _("The end must be after the start."))


class TeamForm(SluggedForm):
    draft_needs = ("name",)
    aside = ("instagram", "slug")
    named_by = "name"
    make_slug = staticmethod(team_slug)

    name = forms.CharField(label=_("Name"), max_length=100)
    gender = forms.TypedChoiceField(
        label=_("Gender"), choices=[("", _("Choose one")), *GENDERS], empty_value=None
    )
    age = forms.IntegerField(
        label=_("Minimum age"),
        required=False,
        min_value=1,
        max_value=99,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    league = forms.TypedChoiceField(
        label=_("League"),
        choices=[("", _("No league")), *((league, league) for league in LEAGUES)],
        required=False,
        empty_value=None,
        widget=forms.Select(attrs={"data-opens-next": ""}),
    )
    sbvv_team_id = PickerField(
        label=_("SAMS team"),
        to="sams-team",
        required=False,
        help_text=_("The table and matches on the team's page come from this SAMS team."),
    )
    description = OptionalTextField(label=_("Description"), max_length=5000, rows=5)
    coach_ids = PickerField(
        label=_("Coaches"),
        to="member",
        many=True,
        required=False,
        help_text=_("Assistants too. They can edit this team when they sign in."),
    )
    contact_person_ids = PickerField(
        label=_("Contact persons"),
        to="member",
        many=True,
        required=False,
        help_text=_("They can edit this team too."),
    )
    schedules = RowsField(ScheduleForm, label=_("Training"), max_rows=MOST_SCHEDULES)
    image_ids = MediaField(
        label=_("Pictures"),
        many=True,
        required=False,
        folder="teams",
        help_text=_("The first picture is shown in lists."),
    )
    instagram = InstagramField(
        label=_("Instagram account"), required=False, help_text=_("Account name or link.")
    )
    slug = SlugField(
        rule=is_team_slug,
        help_text=_(
            "Leave empty to create it from the name. Earlier addresses keep working after you change it."
        ),
    )

    @staticmethod
    def is_reserved(slug: str) -> bool:
        # The feed of a team is at feeds/<slug>.ics, and feeds/all.ics is that of all teams.
        return slug == "all"

    def clean(self) -> None:
        super().clean()
        cleaned = self.cleaned_data
        if cleaned.get("sbvv_team_id") and not cleaned.get("league") and "league" not in self.errors:
            self.add_error("sbvv_team_id", _("Only teams in a league are in SAMS. Choose a league too."))
