"""What all pages of a team share: the team, its tabs, and where its forms lead to."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from core.crud.cached_urls import address_of
from tracker.policy import Access

# Name of the tab, its title, its address.
TABS = (
    ("overview", _("Overview"), "tracker:team"),
    ("games", _("Schedule"), "tracker:games"),
    ("roster", _("Roster"), "tracker:roster"),
    ("statistics", _("Statistics"), "tracker:statistics"),
    ("members", _("Members"), "tracker:members"),
    ("seasons", _("Seasons"), "tracker:seasons"),
)
# The tabs of a personal team, which has no roster or members to manage.
OF_A_PERSON = ("overview", "games", "statistics", "seasons")


def team_context(access: Access, tab: str) -> dict[str, Any]:
    """The context of `tracker/team_page.html`; `tab` is the current tab."""
    return {
        "access": access,
        "team": access.team,
        "tab": tab,
        "tabs": [
            (name, title, address_of(address, access.team.id))
            for name, title, address in TABS
            if not access.team.is_personal or name in OF_A_PERSON
        ],
    }


class TeamPage:
    """A form page of a team, which leads back to a page of it."""

    leads_to = "tracker:team"
    kwargs: dict[str, Any]

    def success_url(self) -> str:
        return reverse(self.leads_to, args=[self.kwargs["team"]])
