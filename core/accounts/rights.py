"""The table of rights, used by menus, views and services. A right that is not in it is refused."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.urls import get_urlconf, resolve

from core.accounts.user import User
from core.club import queries as club

# A view function, or the class of a page.
View = TypeVar("View", bound=Callable[..., Any])
OwnRule = Callable[[User, Any], bool]

ADMIN = frozenset({"admin"})
MODERATORS = ADMIN | {"moderator"}
OFFICIALS = MODERATORS | {"official"}
SCOUT_LEADS = ADMIN | {"scout-lead"}
SCOUTS = SCOUT_LEADS | {"scout"}
STEWARDS = ADMIN | {"steward"}


def is_author(user: User, record: Any) -> bool:
    return user.sub in (record.author_ids or ())


def is_booker(user: User, record: Any) -> bool:
    return bool(record.booker_id == user.sub)


def is_uploader(user: User, record: Any) -> bool:
    return bool(record.uploaded_by == user.sub)


def is_self(user: User, record: Any) -> bool:
    return bool(record.email) and record.email.lower() == user.email


def is_team_staff(user: User, record: Any) -> bool:
    """Whether the user is a coach or contact person of the team, who may change and publish it."""
    return bool(user.member_ids & record.staff_ids)


def is_named(user: User, _record: Any = None) -> bool:
    """Whether the user is one of the members in the CMS."""
    return bool(user.member_ids)


def is_scout(user: User) -> bool:
    return bool(SCOUTS & user.groups)


def is_scout_of(user: User, record: Any) -> bool:
    """Whether the user is a scout and wrote the form."""
    return is_scout(user) and bool(record.scout_id == user.sub)


@dataclass(frozen=True)
class Right:
    """Held by these groups, by every member, or by the owner of a record (`own`).

    `owners` says who can own a record at all; without it, every member can. Guests hold only rights with
    `guests=True` and own no records.
    """

    groups: frozenset[str] = ADMIN
    members: bool = False
    own: OwnRule | None = None
    owners: Callable[[User], bool] | None = None
    guests: bool = False

    def held_by(self, user: User) -> bool:
        """Whether the user holds the right for every record."""
        if user.is_guest:
            return self.guests
        return self.members or bool(self.groups & user.groups)

    def covers(self, user: User, record: Any) -> bool:
        is_own = self.own is not None and not user.is_guest and self.own(user, record)
        return self.held_by(user) or is_own

    def possible_for(self, user: User) -> bool:
        """Whether the user can hold the right for some record; views and menus check this first."""
        can_own = self.own is not None and not user.is_guest and (self.owners is None or self.owners(user))
        return self.held_by(user) or can_own


RIGHTS: dict[str, Right] = {
    # Everybody signed in, guests included
    "home.page.view": Right(members=True, guests=True),
    # Accounts
    "accounts.user.view": Right(ADMIN),
    "accounts.user.invite": Right(ADMIN),
    "accounts.user.update": Right(ADMIN),
    # Personal access tokens: every member makes their own.
    "accounts.token.update": Right(members=True),
    # The directory: the names that records can refer to
    "accounts.person.view": Right(OFFICIALS),
    # Addresses of other programs that are told about changes
    "webhooks.webhook.view": Right(ADMIN),
    "webhooks.webhook.update": Right(ADMIN),
    # The club's name, logo, colours and the like
    "club.settings.view": Right(ADMIN),
    "club.settings.update": Right(ADMIN),
    # The dashboard of the stores
    "stores.dashboard.view": Right(ADMIN),
    "stores.dashboard.update": Right(ADMIN),
    # Website content. Readers of the public site need no right: public routes show only what is published.
    "cms.news.view": Right(OFFICIALS),
    "cms.news.create": Right(OFFICIALS),
    "cms.news.update": Right(MODERATORS, own=is_author),
    "cms.news.delete": Right(MODERATORS, own=is_author),
    "cms.event.view": Right(OFFICIALS),
    "cms.event.create": Right(OFFICIALS),
    "cms.event.update": Right(MODERATORS, own=is_author),
    "cms.event.delete": Right(MODERATORS, own=is_author),
    # Members of the CMS see all teams: the website shows them anyway.
    "cms.team.view": Right(OFFICIALS, own=is_named, owners=is_named),
    "cms.team.create": Right(MODERATORS),
    "cms.team.update": Right(MODERATORS, own=is_team_staff, owners=is_named),
    "cms.team.delete": Right(MODERATORS),
    "cms.member.view": Right(OFFICIALS, own=is_named, owners=is_named),
    # E-mail address and phone number, most of which the website does not show.
    "cms.member.contact": Right(MODERATORS, own=is_self, owners=is_named),
    "cms.member.create": Right(MODERATORS),
    "cms.member.update": Right(MODERATORS, own=is_self, owners=is_named),
    "cms.member.delete": Right(MODERATORS, own=is_self, owners=is_named),
    "cms.media.view": Right(OFFICIALS),
    "cms.media.create": Right(OFFICIALS),
    # The uploader of a picture may change its description.
    "cms.media.update": Right(MODERATORS, own=is_uploader, owners=lambda user: bool(OFFICIALS & user.groups)),
    "cms.media.delete": Right(MODERATORS),
    "cms.sponsor.view": Right(MODERATORS),
    "cms.sponsor.create": Right(MODERATORS),
    "cms.sponsor.update": Right(MODERATORS),
    "cms.sponsor.delete": Right(MODERATORS),
    # Coaches choose the location of the training and the SAMS team of their team.
    "cms.location.view": Right(OFFICIALS, own=is_named, owners=is_named),
    "cms.location.create": Right(MODERATORS),
    "cms.location.update": Right(MODERATORS),
    "cms.location.delete": Right(MODERATORS),
    "cms.role.view": Right(members=True),
    "cms.role.create": Right(MODERATORS),
    "cms.role.update": Right(MODERATORS),
    "cms.role.delete": Right(MODERATORS),
    "cms.calendar.view": Right(members=True),
    "cms.bus.view": Right(members=True),
    "cms.bus.create": Right(members=True),
    "cms.bus.update": Right(MODERATORS, own=is_booker),
    "cms.bus.delete": Right(MODERATORS, own=is_booker),
    "cms.post.view": Right(OFFICIALS),
    "cms.post.create": Right(MODERATORS),
    "cms.post.update": Right(MODERATORS),
    "cms.post.delete": Right(MODERATORS),
    "cms.page.view": Right(MODERATORS),
    "cms.page.create": Right(MODERATORS),
    "cms.page.update": Right(MODERATORS),
    "cms.page.delete": Right(MODERATORS),
    # Coaches choose the SAMS team of their team.
    "cms.sams.view": Right(OFFICIALS, own=is_named, owners=is_named),
    "cms.sams.update": Right(ADMIN),
    # Quests: open to every member; the rules for a single quest are in `quests.rules`.
    "quests.quest.view": Right(members=True),
    "quests.quest.create": Right(members=True),
    "quests.quest.decide": Right(STEWARDS),
    "quests.account.view": Right(members=True),
    "quests.account.adjust": Right(STEWARDS),
    "quests.reward.view": Right(STEWARDS),
    "quests.reward.update": Right(STEWARDS),
    # Scouting: scouts send forms and read their own; leads see and change everything.
    "scouting.form.create": Right(SCOUTS),
    "scouting.form.view": Right(SCOUT_LEADS, own=is_scout_of, owners=is_scout),
    # `scouting.forms.corrections` limits how long scouts may change their own forms.
    "scouting.form.update": Right(SCOUT_LEADS, own=is_scout_of, owners=is_scout),
    "scouting.form.delete": Right(SCOUT_LEADS),
    "scouting.coverage.view": Right(SCOUTS),
    "scouting.analysis.view": Right(SCOUT_LEADS),
    "scouting.selection.view": Right(SCOUT_LEADS),
    "scouting.selection.update": Right(SCOUT_LEADS),
    "scouting.event.view": Right(SCOUT_LEADS),
    "scouting.event.update": Right(SCOUT_LEADS),
    "scouting.settings.view": Right(SCOUT_LEADS),
    "scouting.settings.update": Right(SCOUT_LEADS),
    # Softball: members create teams, guests see only teams that invited them; the rules within a team are in
    # `tracker.policy`.
    "tracker.team.view": Right(members=True, guests=True),
    "tracker.team.create": Right(members=True),
    # The lists of all people, teams and games.
    "tracker.all.view": Right(ADMIN),
}

PUBLIC = "public"
# The domain of what is across the others.
ACROSS = "home"
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


def may(user: Any, right: str, record: Any = None) -> bool:
    """Whether the user holds the right for this record or, without a record, for every record."""
    if not isinstance(user, User):
        return right == PUBLIC
    if right == PUBLIC:
        return True
    entry = RIGHTS[right]
    is_held = entry.held_by(user) if record is None else entry.covers(user, record)
    return is_held and is_used(right)


def may_to_some(user: User, right: str) -> bool:
    """Whether the user can hold the right for some record."""
    return RIGHTS[right].possible_for(user) and is_used(right)


def is_used(right: str) -> bool:
    """Whether the club uses the domain of the right: of one that is switched off nobody has rights."""
    return club.current().is_on(right.partition(".")[0])


def ensure(user: User, right: str, record: Any = None) -> None:
    """Raise PermissionDenied unless the user holds the right; every service calls it first."""
    if not may(user, right, record):
        raise PermissionDenied


def requires(*rights: str) -> Callable[[View], View]:
    """Declare the rights that a view needs; `RightsMiddleware` checks them before the view is called."""
    for right in rights:
        if right != PUBLIC and right not in RIGHTS:
            raise ValueError(f"{right} is not in the table of rights.")

    def declare(view: View) -> View:
        view.rights = rights  # type: ignore[attr-defined]
        return view

    return declare


public = requires(PUBLIC)


def rights_of(view: Callable[..., Any], method: str = "GET") -> tuple[str, ...]:
    """The rights that a view needs. An operation of the API has its own for each method.

    A method that an address of the API does not have needs none: it is answered with 405.
    """
    by_method: Mapping[str, tuple[str, ...]] | None = getattr(view, "rights_by_method", None)
    if by_method is not None:
        return by_method.get(method, (PUBLIC,))
    rights: tuple[str, ...] = getattr(view, "rights", ())
    return rights


def may_open(user: Any, view: Callable[..., Any], method: str = "GET") -> bool:
    """Whether the user may open a view; the service checks the right for the single record."""
    rights = rights_of(view, method)
    if rights == (PUBLIC,):
        return True
    is_declared = bool(rights) and isinstance(user, User)
    return is_declared and all(
        may_to_some(user, right) and is_in_scope(user, right, method) for right in rights
    )


def is_in_scope(user: User, right: str, method: str) -> bool:
    """Whether the token of this request allows this of the domain; a session allows everything.

    What is across the domains, such as the search, needs one of them and shows what the token reads.
    """
    domain, access = right.partition(".")[0], "read" if method in SAFE_METHODS else "write"
    if user.scopes is not None and domain == ACROSS and access == "read":
        return any(scope.endswith(":read") for scope in user.scopes)
    return user.scopes is None or f"{domain}:{access}" in user.scopes


def reads_domain(user: User, domain: str) -> bool:
    """Whether the club uses this domain, and the token of this request, if there is one, reads it."""
    is_in_token = user.scopes is None or f"{domain}:read" in user.scopes
    return is_in_token and club.current().is_on(domain)


def may_open_page(user: Any, address: str) -> bool:
    """Whether the user may open the view at a path of this site; for menus and tabs."""
    return may_open(user, _view_at(address, get_urlconf() or settings.ROOT_URLCONF))


@lru_cache(maxsize=1000)
def _view_at(address: str, urlconf: str) -> Callable[..., Any]:
    """Cached: a menu resolves thirty paths, which took a third of the time of a page."""
    return resolve(address, urlconf).func


class SignedInRequest(HttpRequest):
    """A request whose `user` is a signed-in `User`, because its view requires a right."""

    user: User  # type: ignore[assignment]
