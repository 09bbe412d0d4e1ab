"""People, and the teams to which they belong."""

from dataclasses import dataclass
from typing import Unpack

from core.dynamo import queries
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions, every
from tracker import keys
from tracker.models import Membership, Profile, Row
from tracker.repository.base import TrackerRepository


@dataclass(frozen=True)
class Belonging:
    """A person with all memberships."""

    profile: Profile | None
    memberships: list[Membership]


class ProfileRepository(TrackerRepository[Profile]):
    model = Profile
    entity = "tracker-user"
    label = "name"
    label_fields = ("first_name", "last_name")
    partition = "USER#"
    sort_key = keys.METADATA

    def of(self, user_id: str, *, strong: bool = False) -> Profile:
        return self.get(self.at(keys.of_user(user_id)), strong=strong)

    def with_login(self, sub: str) -> Profile | None:
        """GSI1: whose login this is, also where another program has given the profile an id of its own."""
        found = self.page(f"COGNITO#{sub}", index="GSI1", prefix="USER", limit=1).items
        return found[0] if found else None

    def all(self, **options: Unpack[PageOptions]) -> Page[Profile]:
        """By the time when they came."""
        return self.page("ENTITY#USER", index="GSI2", **options)

    def named(self, user_ids: list[str]) -> dict[str, Profile]:
        """These people by id, in one request per hundred."""
        found = self.get_many(self.at(keys.of_user(user_id)) for user_id in user_ids)
        return {profile.id: profile for profile in found.values()}

    def belonging(self, user_id: str, *, strong: bool = False) -> Belonging:
        """A person and the own memberships, in one request."""
        rows = every(
            lambda **options: queries.query_raw(Row, keys.of_user(user_id), strong=strong, **options)
        )
        profile: Profile | None = None
        belongs: list[Membership] = []
        for row in rows:
            if row["SK"]["S"] == keys.METADATA:
                profile = Profile.from_raw_data(row)
            elif row["SK"]["S"].startswith("TEAM#"):
                belongs.append(Membership.from_raw_data(row))
        return Belonging(profile, belongs)


class MembershipRepository(TrackerRepository[Membership]):
    model = Membership
    entity = "membership"
    label = "role"
    partition = "USER#"
    sort_key = "TEAM#"

    def of(self, user_id: str, team_id: str, *, strong: bool = False) -> Membership:
        return self.get(self.at(keys.of_user(user_id), keys.of_team(team_id)), strong=strong)

    def of_people(self, user_ids: list[str], team_id: str) -> dict[str, Membership]:
        """What these people are in a team now, in one request."""
        wanted = (self.at(keys.of_user(user_id), keys.of_team(team_id)) for user_id in user_ids)
        return {found.user_id: found for found in self.get_many(wanted, strong=True).values()}

    def of_team(self, team_id: str) -> list[Membership]:
        """All members of a team."""
        return every(
            lambda **options: self.page(keys.of_team(team_id), index="GSI3", prefix="MEMBER#", **options)
        )


profiles = ProfileRepository()
memberships = MembershipRepository()
