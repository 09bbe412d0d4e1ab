"""Members."""

from collections.abc import Container, Iterable

from django.utils.translation import gettext_lazy as _

from cms import repository
from cms.models import Member, Role, Team
from core.accounts import hooks
from core.dynamo.paging import MOST
from core.dynamo.queries import every
from core.dynamo.search_index import fold

# For administrators, moderators and the person: see the right "cms.member.contact".
CONTACT_FIELDS = frozenset({"email", "phone"})
BOARD, TRAINERS, OTHERS = "board", "trainers", "others"
GROUPS = ((BOARD, _("Board")), (TRAINERS, _("Coaches")), (OTHERS, _("Others")))


@hooks.finds_members
def member_ids_of(email: str) -> list[str]:
    """The members who have this address; it gives a person the right to change them and their teams."""
    return [member.id for member in repository.members.with_email(email, limit=MOST).items] if email else []


def all_roles() -> dict[str, Role]:
    """A club has few of them: one request."""
    return {role.id: role for role in every(repository.roles.by_name)}


def coached_by(teams: Iterable[Team]) -> dict[str, list[str]]:
    """By the key of each member who coaches some of them: what these are called."""
    coached: dict[str, list[str]] = {}
    for team in teams:
        for key in team.coach_ids or ():
            coached.setdefault(key, []).append(team.name)
    return coached


def group_of(member: Member, roles: dict[str, Role], coaches: Container[str]) -> str:
    """Where the website shows a member: with the board, with the coaches, or with the others.

    `coaches` are the keys of those who coach a published team, whatever their roles are called.
    """
    own = [roles[key] for key in member.role_ids or () if key in roles]
    if any(role.vorstand for role in own):
        return BOARD
    return TRAINERS if member.id in coaches or _is_trainer(own) else OTHERS


def _is_trainer(roles: Iterable[Role]) -> bool:
    """The roles of a club say it in their names: Trainerin, Co-Trainer, Jugendtrainer."""
    return any("trainer" in fold(role.name) for role in roles)
