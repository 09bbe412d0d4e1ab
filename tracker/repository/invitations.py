"""Invitations, found by the link or by the address."""

from dataclasses import dataclass
from typing import Any

from core.dynamo import queries
from core.dynamo.errors import NotFound
from core.dynamo.items import StoredModel
from core.dynamo.queries import every
from tracker import keys
from tracker.models import Invitation, Membership, Player, Profile, Team
from tracker.repository.base import TrackerRepository


@dataclass(frozen=True)
class Offer:
    """An invitation with everything that decides whether somebody can accept it."""

    invitation: Invitation
    team: Team
    # What the person is in the team already.
    membership: Membership | None
    player: Player | None
    inviter: Profile | None
    # What whoever made it is in the team now.
    inviting: Membership | None


class InvitationRepository(TrackerRepository[Invitation]):
    model = Invitation
    entity = "invitation"
    label = "email"
    partition = "TEAM#"
    sort_key = "INVITE#"

    def of(self, team_id: str, invitation_id: str, *, strong: bool = False) -> Invitation:
        return self.get(self.at(keys.of_team(team_id), keys.of_invitation(invitation_id)), strong=strong)

    def of_team(self, team_id: str) -> list[Invitation]:
        """The newest first."""
        return every(
            lambda **options: self.page(
                keys.of_team(team_id), prefix="INVITE#", newest_first=True, strong=True, **options
            )
        )

    def with_token(self, token: str) -> Invitation:
        found = self.page(f"INVITE#{keys.hashed(token)}", index="GSI1", limit=1).items
        if not found:
            raise NotFound
        return found[0]

    def to_address(self, email: str) -> list[Invitation]:
        return every(
            lambda **options: self.page(
                f"EMAIL#{keys.hashed(email)}", index="GSI4", prefix="INVITE#", **options
            )
        )

    def offer(self, invitation: Invitation, user_id: str, *, strong: bool = False) -> Offer:
        """An invitation as it is now with what belongs to it, in one request."""
        team_id = invitation.team_id
        wanted: list[StoredModel] = [
            invitation,
            Team.about(team_id),
            Membership.about(user_id, team_id),
            Membership.about(invitation.invited_by, team_id),
            Profile.about(invitation.invited_by),
        ]
        if invitation.player_id:
            wanted.append(Player.about(team_id, invitation.player_id))
        stored = queries.get_many(((type(item), item.raw_key()) for item in wanted), strong=strong)
        found: dict[type[StoredModel], Any] = {type(item): item for item in stored}
        memberships = {item.user_id: item for item in stored if isinstance(item, Membership)}
        if Invitation not in found or Team not in found:
            raise NotFound
        return Offer(
            invitation=found[Invitation],
            team=found[Team],
            membership=memberships.get(user_id),
            player=found.get(Player),
            inviter=found.get(Profile),
            inviting=memberships.get(invitation.invited_by),
        )


invitations = InvitationRepository()
