"""Repositories of teams, memberships and invitations."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Unpack

from pynamodb.expressions.condition import Condition

from core.dynamo import changeset
from core.dynamo.errors import NotFound
from core.dynamo.items import StoredModel
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions
from tracker import keys
from tracker.base_repository import TrackerRepository, in_partition, stored
from tracker.games.models import Season
from tracker.items import TrackedItem
from tracker.people.models import Profile
from tracker.roster.models import Player
from tracker.roster.repository import Roster
from tracker.teams.models import Invitation, Membership, Team

# The sort key range of players and seasons, which one Query reads; no other entity sorts in between.
FIRST_OF_ROSTER, LAST_OF_ROSTER = "PLAYER#", "SEASON#~"


@dataclass(frozen=True)
class Offer:
    """An invitation with the records that decide whether a person can accept it."""

    invitation: Invitation
    team: Team
    # The person's own membership in the team.
    membership: Membership | None
    player: Player | None
    inviter: Profile | None
    # The inviter's current membership.
    inviting: Membership | None


class TeamRepository(TrackerRepository[Team]):
    model = Team
    entity = "tracker-team"
    label = "name"
    searched = ("name",)
    list_fields = ("id", "name", "owner_id", "team_type", "status")
    adopts = True

    def scope_of(self, item: Team) -> str:
        return f"team:{item.id}"

    def word_scope_of(self, item: Team) -> str:
        """The scope of all administrators: members have few teams and need no search index for them."""
        return self.scope

    def words_of(self, item: Team, *, without: Collection[str] = ()) -> list[str]:
        """No words for personal teams, which are private, and for deleted ones."""
        return [] if item.is_personal or item.is_deleted else super().words_of(item, without=without)

    def unchanged_condition(self, item: Team) -> Condition:
        """For personal teams also `refs`, because what is allowed depends on whether there are games."""
        unchanged = super().unchanged_condition(item)
        return unchanged & changeset.attributes_unchanged(item, "refs") if item.is_personal else unchanged

    def all(self, **options: Unpack[PageOptions]) -> Page[Team]:
        """All teams by id (GSI2): a UUIDv7, so by creation time, except teams created at sign-in."""
        return self.page("ENTITY#TEAM", index="GSI2", **options)

    def with_seasons(
        self, places: Iterable[tuple[str, str | None]]
    ) -> tuple[dict[str, Team], dict[str, Season]]:
        """Teams and seasons by id; `places` are pairs of team id and season id. One request per hundred."""
        wanted: list[TrackedItem] = []
        for team_id, season_id in places:
            wanted.append(Team.about(team_id))
            if season_id:
                wanted.append(Season.about(team_id, season_id))
        found = stored(wanted)
        return (
            {item.id: item for item in found if isinstance(item, Team)},
            {item.id: item for item in found if isinstance(item, Season)},
        )

    def with_membership(
        self, team_id: str, user_id: str, *, strong: bool = False
    ) -> tuple[Team | None, Membership | None]:
        """A team and a person's membership in it, in one BatchGetItem."""
        wanted = (Team.about(team_id), Membership.about(user_id, team_id))
        found = {type(item): item for item in stored(wanted, strong=strong)}
        return found.get(Team), found.get(Membership)

    def roster(self, team_id: str, *, strong: bool = False) -> Roster:
        """The players and seasons of a team, in one Query."""
        found = in_partition(
            keys.of_team(team_id),
            {"PLAYER#": Player, "SEASON#": Season},
            at_least=FIRST_OF_ROSTER,
            at_most=LAST_OF_ROSTER,
            strong=strong,
        )
        return Roster(sorted(found[Player], key=_in_order), found[Season])


def _in_order(player: Player) -> tuple[bool, int, str, str, str]:
    """The sort key of players: by number, those without one last, then by name."""
    number = player.jersey_number
    return not number, int(number or 0), number, player.last_name or "", player.first_name


class MembershipRepository(TrackerRepository[Membership]):
    model = Membership
    entity = "membership"
    label = "role"
    adopts = True

    def of_people(self, user_ids: list[str], team_id: str) -> dict[str, Membership]:
        """The memberships of these people in a team by user id, in one strongly consistent request."""
        wanted = (self.key(user_id, team_id) for user_id in user_ids)
        return {found.user_id: found for found in self.get_many(wanted, strong=True).values()}

    def of_team(self, team_id: str) -> list[Membership]:
        """All memberships of a team (GSI3)."""
        return self.every(keys.of_team(team_id), index="GSI3", prefix="MEMBER#")


class InvitationRepository(TrackerRepository[Invitation]):
    model = Invitation
    entity = "invitation"
    label = "email"

    def of_team(self, team_id: str) -> list[Invitation]:
        """All invitations of a team, the newest first."""
        return self.every(keys.of_team(team_id), prefix="INVITE#", newest_first=True, strong=True)

    def with_token(self, token: str) -> Invitation:
        found = self.page(f"INVITE#{keys.hashed(token)}", index="GSI1", limit=1).items
        if not found:
            raise NotFound
        return found[0]

    def to_address(self, email: str) -> list[Invitation]:
        return self.every(f"EMAIL#{keys.hashed(email)}", index="GSI4", prefix="INVITE#")

    def offer(self, invitation: Invitation, user_id: str, *, strong: bool = False) -> Offer:
        """An invitation as stored now with its team, memberships, inviter and player, in one BatchGetItem."""
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
        items = stored(wanted, strong=strong)
        found = {type(item): item for item in items}
        memberships = {item.user_id: item for item in items if isinstance(item, Membership)}
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


teams = TeamRepository()
memberships = MembershipRepository()
invitations = InvitationRepository()
