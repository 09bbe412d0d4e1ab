"""What Ctrl+K finds of the tracker: somebody's own teams, and who plays for them."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.user import User
from crud import finding
from crud.finding import Hit
from tracker import repository

# Each costs a request, and hardly anybody plays for more.
MOST_ROSTERS = 10

finding.ACTIONS.append(("tracker:team-new", gettext_lazy("New softball team"), "ball"))


@finding.finds
def find_in_teams(user: User) -> Iterator[Hit]:
    """Two requests, and one for the roster of each team that has others in it."""
    memberships = repository.profiles.belonging(user.sub).memberships
    ids = [each.team_id for each in memberships if each.is_active]
    teams = [team for team in repository.teams.with_ids(ids).values() if not team.is_deleted] if ids else []
    for team in teams:
        yield Hit(team.name, "ball", reverse("tracker:team", args=[team.id]), kind=_("Softball team"))
    for team in [each for each in teams if not each.is_personal][:MOST_ROSTERS]:
        for player in repository.teams.roster(team.id).players:
            yield Hit(
                player.name, "person", reverse("tracker:player", args=[team.id, player.id]), kind=team.name
            )
