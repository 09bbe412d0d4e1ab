"""The form of a new invitation."""

from collections.abc import Collection, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.crud.forms import RefusableForm
from tracker.roster.models import Player
from tracker.teams.models import MANAGER, PLAYER, SCOREKEEPER

ROLES = {
    PLAYER: _("Player: sees everything of the team"),
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
            "With it, they get a mail, and an account if they have none. "
            "Without it, you get a link for somebody who has an account."
        ),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, ghosts: Sequence[Player], roles: Collection[str], **options: Any) -> None:
        super().__init__(*args, **options)
        player: Any = self.fields["player"]
        role: Any = self.fields["role"]
        player.choices = [("", _("Nobody: only the role")), *((ghost.id, _named(ghost)) for ghost in ghosts)]
        role.choices = [(name, title) for name, title in ROLES.items() if name in roles]

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
