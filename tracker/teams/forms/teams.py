"""Forms of a team: its data, a member's role, a new owner."""

import unicodedata
from functools import partial
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import lazy
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from core.crud.forms import RecordForm, RefusableForm
from core.dynamo.errors import Text
from tracker.teams.models import MANAGED, MANAGER, OWNER, PERSONAL, PLAYER, SCOREKEEPER

SHORTEST_NAME, LONGEST_NAME = 3, 50
LONGEST_DESCRIPTION = 500
IN_NAMES = " -'\N{RIGHT SINGLE QUOTATION MARK}&."

_explained = lazy(partial(format_html, "{} <span class='quiet'>{}</span>"), str)

TYPES: dict[str, Text] = {
    MANAGED: _explained(_("A team"), _("A roster, games and line-ups, together with others.")),
    PERSONAL: _explained(_("Just me"), _("My own plate appearances, under a name such as “Monday League”.")),
}
ROLES: dict[str, Text] = {
    OWNER: _("Owner"),
    MANAGER: _("Manager"),
    SCOREKEEPER: _("Scorekeeper"),
    PLAYER: _("Player"),
}
MAY_DO: dict[str, Text] = {
    MANAGER: _explained(ROLES[MANAGER], _("Changes the team, its roster and its games, and invites people.")),
    SCOREKEEPER: _explained(
        ROLES[SCOREKEEPER], _("Plans games, makes line-ups and writes down what happens.")
    ),
    PLAYER: _explained(ROLES[PLAYER], _("Sees everything and says whether they are coming.")),
}


class TeamNameField(forms.CharField):
    """A team name: letters of any language, digits, and the characters of `IN_NAMES`."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_length=SHORTEST_NAME, max_length=LONGEST_NAME, **options)

    def to_python(self, value: Any) -> str:
        text = unicodedata.normalize("NFC", super().to_python(value) or "")
        return " ".join(text.split())

    def validate(self, value: str) -> None:
        super().validate(value)
        if not all(sign in IN_NAMES or unicodedata.category(sign)[0] in "LMN" for sign in value):
            raise ValidationError(_("Use letters, digits, spaces, hyphens, apostrophes, periods and & only."))
        if value and not any(sign.isalnum() for sign in value):
            raise ValidationError(_("A name has a letter or a digit."))


class TeamForm(RecordForm):
    name = TeamNameField(
        label=_("Name"),
        error_messages={"required": _("Give the team a name.")},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=LONGEST_DESCRIPTION,
        help_text=_("Where and when you play, or whatever the others should know."),
        widget=forms.Textarea(attrs={"rows": 4}),
    )


class NewTeamForm(TeamForm):
    """With the type of the team, which can only be chosen here and never changes."""

    field_order = ("team_type", "name", "description")
    team_type = forms.ChoiceField(
        label=_("What do you want to keep?"),
        choices=list(TYPES.items()),
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose what kind of team it is.")},
    )


class RoleForm(RefusableForm):
    role = forms.ChoiceField(label=_("Role"), widget=forms.RadioSelect)

    def __init__(self, *args: Any, roles: frozenset[str], **options: Any) -> None:
        super().__init__(*args, **options)
        offered = [(role, text) for role, text in MAY_DO.items() if role in roles]
        self.fields["role"].choices = offered  # type: ignore[attr-defined]


class TransferForm(RefusableForm):
    """The choice of a new owner; the service validates it."""

    owner = forms.ChoiceField(label=_("New owner"), widget=forms.RadioSelect, required=False)

    def __init__(self, *args: Any, members: list[tuple[str, str]], **options: Any) -> None:
        super().__init__(*args, **options)
        self.choose_from(members)

    def choose_from(self, members: list[tuple[str, str]]) -> None:
        self.fields["owner"].choices = members  # type: ignore[attr-defined]
