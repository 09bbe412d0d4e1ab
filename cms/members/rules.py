"""Which group a member belongs to, and which of their fields are private."""

from collections.abc import Container

from django.utils.translation import gettext_lazy as _

from cms.members.models import Member
from cms.roles.models import Role
from core.dynamo.search_index import fold

# Visible to administrators, moderators and the person: see the right "cms.member.contact".
CONTACT_FIELDS = frozenset({"email", "phone"})


BOARD, TRAINERS, OTHERS = "board", "trainers", "others"


GROUPS = ((BOARD, _("Board")), (TRAINERS, _("Coaches")), (OTHERS, _("Others")))


def group_of(member: Member, roles: dict[str, Role], coaches: Container[str]) -> str:
    """Where the website shows a member: with the board, with the coaches, or with the others.

    `coaches` are the keys of those who coach a published team, whatever their roles are called.
    """
    own = [roles[key] for key in member.role_ids or () if key in roles]
    if any(role.vorstand for role in own):
        return BOARD
    # Such as Trainerin, Co-Trainer, Jugendtrainer.
    is_trainer = member.id in coaches or any("trainer" in fold(role.name) for role in own)
    return TRAINERS if is_trainer else OTHERS
