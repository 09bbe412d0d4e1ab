"""The repository of profiles."""

from dataclasses import dataclass
from typing import Unpack

from core.dynamo import queries
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions, every
from tracker import keys
from tracker.base_repository import TrackerRepository
from tracker.items import Row
from tracker.people.models import Profile
from tracker.teams.models import Membership


@dataclass(frozen=True)
class Belonging:
    """A profile with the person's memberships."""

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
        """The profile of a Cognito sub (GSI1), also if another program gave the profile a different id."""
        found = self.page(f"COGNITO#{sub}", index="GSI1", prefix="USER", limit=1).items
        return found[0] if found else None

    def all(self, **options: Unpack[PageOptions]) -> Page[Profile]:
        """All profiles by id (GSI2)."""
        return self.page("ENTITY#USER", index="GSI2", **options)

    def named(self, user_ids: list[str]) -> dict[str, Profile]:
        """Profiles by id, in one request per hundred."""
        found = self.get_many(self.at(keys.of_user(user_id)) for user_id in user_ids)
        return {profile.id: profile for profile in found.values()}

    def belonging(self, user_id: str, *, strong: bool = False) -> Belonging:
        """A person's profile and memberships, in one Query."""
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


profiles = ProfileRepository()
