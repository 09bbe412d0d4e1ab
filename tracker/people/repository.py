"""The repository of profiles."""

from dataclasses import dataclass
from typing import Unpack

from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions
from tracker import keys
from tracker.base_repository import TrackerRepository, in_partition
from tracker.items import METADATA
from tracker.people.models import Profile
from tracker.teams.models import Membership


@dataclass(frozen=True)
class Belonging:
    """A profile with the person's memberships."""

    profile: Profile | None
    memberships: list[Membership]

    @property
    def active(self) -> dict[str, Membership]:
        """The memberships that have not ended, by team id."""
        return {each.team_id: each for each in self.memberships if each.is_active}


class ProfileRepository(TrackerRepository[Profile]):
    model = Profile
    entity = "tracker-user"
    label = "name"
    label_fields = ("first_name", "last_name")
    adopts = True

    def with_login(self, sub: str) -> Profile | None:
        """The profile of a Cognito sub (GSI1), also if another program gave the profile a different id."""
        found = self.page(f"COGNITO#{sub}", index="GSI1", prefix="USER", limit=1).items
        return found[0] if found else None

    def all(self, **options: Unpack[PageOptions]) -> Page[Profile]:
        """All profiles by id (GSI2)."""
        return self.page("ENTITY#USER", index="GSI2", **options)

    def belonging(self, user_id: str, *, strong: bool = False) -> Belonging:
        """A person's profile and memberships, in one Query."""
        found = in_partition(keys.of_user(user_id), {METADATA: Profile, "TEAM#": Membership}, strong=strong)
        return Belonging(next(iter(found[Profile]), None), found[Membership])


profiles = ProfileRepository()
