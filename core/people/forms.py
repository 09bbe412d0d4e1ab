"""The forms of user administration."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from core.accounts.user import GROUPS, GUEST
from core.crud.forms import RefusableForm
from core.dynamo.errors import Text

NO_ADDRESS = _("Enter an e-mail address such as name@example.org.")


class Group(NamedTuple):
    title: Text
    purpose: Text


GROUP_TEXTS: dict[str, Group] = {
    "admin": Group(_("Admin"), _("Can do everything, including people and permissions.")),
    "moderator": Group(_("Moderator"), _("Manages all website content and who appears on it.")),
    "official": Group(_("Official"), _("Writes news and events for the website and edits their own.")),
    "scout-lead": Group(_("Scout lead"), _("Runs scouting: events, settings, all forms and analysis.")),
    "scout": Group(_("Scout"), _("Fills in scouting forms and sees which ones are missing.")),
    "steward": Group(_("Steward"), _("Handles quest disputes, rewards and points.")),
}


# Without "guest": an invitation by a team gives that group and `make_member` takes it.
GROUP_TITLES: dict[str, Text] = {
    **{group: text.title for group, text in GROUP_TEXTS.items()},
    GUEST: _("Guest"),
}


def refuse_unprintable(text: str) -> None:
    if not text.isprintable():
        raise ValidationError(_("Use letters, spaces and punctuation only."))


class WithGroups(RefusableForm):
    groups = forms.MultipleChoiceField(
        label=_("Groups"), choices=[(group, GROUP_TEXTS[group].title) for group in GROUPS], required=False
    )
    fixed_groups: frozenset[str] = frozenset()

    def group_boxes(self) -> Iterator[dict[str, Any]]:
        """The checkboxes; one that is fixed and checked cannot be changed."""
        chosen = self["groups"].value() or []
        for group, text in GROUP_TEXTS.items():
            is_fixed = group in chosen and group in self.fixed_groups
            yield {"value": group, "checked": group in chosen, "is_fixed": is_fixed, **text._asdict()}


class InviteForm(WithGroups):
    given_name = forms.CharField(
        label=_("First name"),
        error_messages={"required": _("Enter a first name.")},
        max_length=100,
        validators=[refuse_unprintable],
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    family_name = forms.CharField(
        label=_("Last name"),
        max_length=100,
        required=False,
        validators=[refuse_unprintable],
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    email = forms.EmailField(
        label=_("E-mail address"),
        error_messages={"required": NO_ADDRESS, "invalid": NO_ADDRESS},
        max_length=128,  # the longest user name of Cognito
        help_text=_("We send the invitation here. They also sign in with this address."),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    field_order = ["given_name", "family_name", "email", "groups"]

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        return email.lower()


class GroupsForm(WithGroups):
    """The groups of a person. `seen` are the groups that the form showed, to detect a concurrent change."""

    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, is_own: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fixed_groups = frozenset({"admin"}) if is_own else frozenset()

    def clean_seen(self) -> list[str]:
        return [group for group in self.cleaned_data["seen"].split(",") if group]
