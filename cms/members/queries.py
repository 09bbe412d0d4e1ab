"""Members."""

from collections.abc import Iterable

from cms.members.repository import members
from cms.roles.models import Role
from cms.roles.repository import roles as roles_repository
from cms.teams.models import Team
from core.accounts import hooks
from core.dynamo.paging import MOST
from core.dynamo.queries import every


@hooks.finds_members
def member_ids_of(email: str) -> list[str]:
    """The members who have this address; it gives a person the right to change them and their teams."""
    return [member.id for member in members.with_email(email, limit=MOST).items] if email else []


def all_roles() -> dict[str, Role]:
    """A club has few of them: one request."""
    return {role.id: role for role in every(roles_repository.by_name)}


def coached_by(teams: Iterable[Team]) -> dict[str, list[str]]:
    """By the key of each member who coaches some of them: what these are called."""
    coached: dict[str, list[str]] = {}
    for team in teams:
        for key in team.coach_ids or ():
            coached.setdefault(key, []).append(team.name)
    return coached
