"""Who carries everything out, twice: two crews of different people, each on records of its own."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

from django.test import Client

from cms.locations.models import Location
from cms.locations.repository import locations
from cms.roles.models import Role
from cms.roles.repository import roles
from core.accounts import directory
from core.accounts.user import User
from core.dynamo.actors import SYSTEM
from core.webhooks.models import Webhook
from quests.models import Quest
from quests.services import lifecycle
from tests.cast import CAST
from tests.cms.club import make_team, signed_in
from tests.cms.public import make_picture
from tests.quests.board import TEXT, offered, open_accounts
from tests.tracker.club import join, person
from tests.tracker.scorebook import Played
from tracker import repository as tracked
from tracker.games.models import Season
from tracker.games.services import games
from tracker.teams.models import MANAGER

T = TypeVar("T")
PLAYS = 40

# What both crews refer to.
ROLE, PICTURE, PLACE, TEAM = (f"00000000-0000-7000-8000-00000000000{letter}" for letter in "abcd")


def store_what_is_referred_to() -> None:
    roles.create(Role(id=ROLE, name="Spielerin"), actor=SYSTEM)
    make_picture("halle.jpg", id=PICTURE)
    locations.create(Location(id=PLACE, name="Sporthalle"), actor=SYSTEM)
    make_team("Damen 2", id=TEAM, status="published")


class Crew:
    """The people of one of the two times; `before` is the crew of the first."""

    def __init__(self, before: "Crew | None" = None) -> None:
        self.before = before
        self.quest: Quest
        self.webhook: Webhook

    def pick(self, first: T, second: T) -> T:
        """What the two crews do not have in common."""
        return second if self.before else first

    def user(self, role: str) -> User:
        usual = CAST[role]
        second = User.of(
            sub=f"second-{role}-sub",
            name=f"{usual.name} Junior",
            email=f"second-{role}@fieldhouse.example",
            groups=usual.groups,
        )
        return self.pick(usual, second)

    def browser(self, role: str) -> Client:
        return signed_in(self.user(role))

    def arrive(self) -> None:
        """Everybody is in the directory; those who offer quests and take them on have an account."""
        for role in CAST:
            user = self.user(role)
            directory.enter(user.sub, name=user.name, email=user.email, actor=SYSTEM)
        open_accounts(*map(self.user, ("member", "other-member", "official", "steward")))

    # --- Softball ----------------------------------------------------------------------------------------

    @cached_property
    def played(self) -> Played:
        """The game that it writes down: each crew its own."""
        played = Played(person(self.pick("Olga", "Pia")))
        for number in range(self.pick(PLAYS, 2)):
            played.record("1B" if number % 3 else "K")
        games.share(played.owner, played.id, shared=True)
        return played

    @cached_property
    def coach(self) -> User:
        """Who plans for the team of the first crew: its owner, or another manager."""
        if self.before is None:
            owner: User = self.played.owner
            return owner
        manager = person("Quentin")
        join(manager, self.before.played.team, MANAGER, actor=self.before.played.owner)
        return manager

    @property
    def club(self) -> Played:
        """Team and game of the first crew, for what several people of one team do."""
        return self.before.played if self.before else self.played

    @property
    def live_address(self) -> str:
        return f"/tracker/live/{games.live_token(self.club.story().game)}/"

    @cached_property
    def season(self) -> Season:
        if self.before:
            return self.before.season
        season = Season.about(self.played.team.id, name="Sommer")
        return tracked.seasons.create(season, actor=self.played.owner.actor)

    # --- Quests --------------------------------------------------------------------------------------------

    def open_quest(self) -> Quest:
        """The quest that is claimed, submitted and completed next."""
        self.quest = offered(self.user("member"))
        return self.quest

    def half_confirmed_quest(self) -> Quest:
        """One whose next confirmation completes it."""
        quest, performer = self.open_quest(), self.user("other-member")
        lifecycle.claim(performer, quest.id)
        lifecycle.submit(performer, quest.id, text=TEXT, photos=[])
        return lifecycle.attest(self.user("member"), quest.id)


# It prepares, which is not measured, and answers the one request or call that is.
Prepare = Callable[[Crew], Callable[[], Any]]
