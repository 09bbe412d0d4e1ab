"""Queries of members, their roles and the teams they coach."""

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
    """Ids of the members with this e-mail address. A user with it may change them and their teams."""
    return [member.id for member in members.with_email(email, limit=MOST).items] if email else []


def all_roles() -> dict[str, Role]:
    """All roles by id; a club has few, so this is one query."""
    return {role.id: role for role in every(roles_repository.by_name)}


def coached_by(teams: Iterable[Team]) -> dict[str, list[str]]:
    """The names of the teams that each member coaches, by member id."""
    coached: dict[str, list[str]] = {}
    for team in teams:
        for key in team.coach_ids or ():
            coached.setdefault(key, []).append(team.name)
    return coached
