"""What the user's own page shows: what they may do here, and the pages of the apps about them."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from django.utils.translation import gettext_lazy as _

from core.accounts.rights import may_open_page
from core.accounts.user import GROUPS, User
from core.dynamo.errors import Text
from core.people.forms import GROUP_TEXTS, GROUP_TITLES, Group

MEMBER = Group(_("Member"), _("Can use the quest board, book the bus and keep softball teams."))
GUEST = Group(GROUP_TITLES["guest"], _("Sees only the softball teams that invited them."))


class ProfileLink(NamedTuple):
    """A page of an app about the user."""

    id: str
    title: Text
    text: Text
    icon: str
    address: str
    # Whether the user's name is changed there.
    has_name: bool = False


Source = Callable[[User], ProfileLink | None]
_sources: list[Source] = []


def profile_link(source: Source) -> Source:
    """Register a function that returns an app's page about a user, or None."""
    _sources.append(source)
    return source


def links_of(user: User) -> list[ProfileLink]:
    """Those that the user may open."""
    found = filter(None, (source(user) for source in _sources))
    return [link for link in found if may_open_page(user, link.address)]


def groups_of(user: User) -> Iterator[Group]:
    """What the user is, in words, the most powerful group first."""
    if user.is_guest:
        yield GUEST
        return
    yield from (GROUP_TEXTS[group] for group in GROUPS if group in user.groups)
    yield MEMBER
