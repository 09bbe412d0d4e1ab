"""Forms of a team: its data, a member's role, a new owner, an invitation."""

import unicodedata
from collections.abc import Collection, Sequence
from functools import partial
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import lazy
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from core.crud.forms import RecordForm, RefusableForm
from core.dynamo.errors import Text
from tracker.roster.forms import NormalizedField
from tracker.roster.models import Player
from tracker.teams.models import MANAGED, MANAGER, OWNER, PERSONAL, PLAYER, SCOREKEEPER

SHORTEST_NAME = 3
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
    MANAGER: _explained(ROLES[MANAGER], _("Edits the team, its roster and games, and invites people.")),
    SCOREKEEPER: _explained(ROLES[SCOREKEEPER], _("Schedules games, sets line-ups and keeps score.")),
    PLAYER: _explained(ROLES[PLAYER], _("Sees everything and answers whether they are coming.")),
}


class TeamNameField(NormalizedField):
    """A team name: letters of any language, digits, and the characters of `IN_NAMES`."""

    def validate(self, value: str) -> None:
        super().validate(value)
        if not all(sign in IN_NAMES or unicodedata.category(sign)[0] in "LMN" for sign in value):
            raise ValidationError(_("Use letters, digits, spaces, hyphens, apostrophes, periods and & only."))
        if value and not any(sign.isalnum() for sign in value):
            raise ValidationError(_("A name needs a letter or a digit."))


class TeamForm(RecordForm):
    name = TeamNameField(
        min_length=SHORTEST_NAME,
        label=_("Name"),
        error_messages={"required": _("Enter a name for the team.")},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=LONGEST_DESCRIPTION,
        help_text=_("Where and when you play, or anything else the others should know."),
        widget=forms.Textarea(attrs={"rows": 4}),
    )


class NewTeamForm(TeamForm):
    """With the type of the team, which can only be chosen here and never changes."""

    field_order = ("team_type", "name", "description")
    team_type = forms.ChoiceField(
        label=_("What do you want to track?"),
        choices=list(TYPES.items()),
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose a kind of team.")},
    )


class RoleForm(RefusableForm):
    role = forms.ChoiceField(label=_("Role"), widget=forms.RadioSelect)

    def __init__(self, *args: Any, roles: frozenset[str], **options: Any) -> None:
        super().__init__(*args, **options)
        offered = [(role, text) for role, text in MAY_DO.items() if role in roles]
        self.fields["role"].choices = offered  # type: ignore[attr-defined]


class NewOwnerField(forms.ChoiceField):
    """The page adds who can be chosen; the service validates it."""

    def valid_value(self, _value: str) -> bool:
        return True


class TransferForm(RefusableForm):
    owner = NewOwnerField(label=_("New owner"), widget=forms.RadioSelect, required=False)


INVITED_AS = {
    PLAYER: _("Player: sees everything in the team"),
    SCOREKEEPER: _("Scorekeeper: also runs games and keeps the score"),
    MANAGER: _("Manager: also looks after roster and members"),
}


class InvitationForm(RefusableForm):
    player = forms.ChoiceField(label=_("Who on the roster"), required=False)
    role = forms.ChoiceField(label=_("As"), initial=PLAYER)
    email = forms.EmailField(
        label=_("E-mail address"),
        required=False,
        max_length=128,  # the longest user name of Cognito
        help_text=_(
            "With an address, they get an e-mail, and an account if they have none. Without one, you "
            "get a link for someone who has an account."
        ),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, ghosts: Sequence[Player], roles: Collection[str], **options: Any) -> None:
        super().__init__(*args, **options)
        player: Any = self.fields["player"]
        role: Any = self.fields["role"]
        player.choices = [("", _("Nobody (role only)")), *((ghost.id, _named(ghost)) for ghost in ghosts)]
        role.choices = [(name, title) for name, title in INVITED_AS.items() if name in roles]

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        return email.lower()

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("role") == PLAYER and not cleaned.get("player") and "player" not in self.errors:
            self.add_error("player", _("Choose the player on the roster, or another role."))
        return cleaned


def _named(player: Player) -> str:
    return f"{player.jersey_number} {player.name}" if player.jersey_number else player.name
