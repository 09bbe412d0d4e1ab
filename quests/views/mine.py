"""What somebody offers and has taken on: what waits for them first, then the two lists."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.accounts.user import User
from core.crud.http import page_or_partial
from core.dynamo.errors import Text
from core.dynamo.paging import Page, read_token
from quests import reading, repository, telling
from quests.models import CLAIMED, SUBMITTED, Quest
from quests.reading import People
from quests.telling import Card

CREATED, PERFORMED = "created", "performed"


@dataclass(frozen=True)
class Part:
    """One of the two lists. HTMX asks for the rest of this one only."""

    name: str
    cards: list[Card]
    next_address: str
    is_first_page: bool


@dataclass(frozen=True)
class Waiting:
    card: Card
    what: Text


@dataclass(frozen=True)
class Now:
    """What is going on, however long ago it was offered: three requests."""

    to_confirm: list[Quest]
    submitted: list[Quest]
    claimed: list[Quest]

    @property
    def taken_on(self) -> list[Quest]:
        return [*self.claimed, *self.submitted]

    def everything(self) -> list[Quest]:
        return [*self.to_confirm, *self.taken_on]


NOTHING = Now([], [], [])


@requires("quests.quest.view")
@require_safe
def mine(request: SignedInRequest) -> HttpResponse:
    """Seven requests: the session, what is going on, the two lists and the names."""
    user, only = request.user, request.GET.get("list", "")
    wanted = [only] if only in (CREATED, PERFORMED) else [CREATED, PERFORMED]
    going_on = NOTHING if only in wanted else _now(user)
    pages = {name: _page(user, name, request.GET.get(name)) for name in wanted}
    shown = [quest for page in pages.values() for quest in page.items]
    people = reading.people_of([*shown, *going_on.everything()], user.sub)
    parts = [_part(request, name, page, people, going_on) for name, page in pages.items()]
    context = {
        "parts": parts,
        "part": parts[0],
        "waiting": _waiting(going_on, people),
        "account": people.accounts.get(user.sub),
    }
    return page_or_partial(request, "quests/mine.html", "more", context)


def _now(user: User) -> Now:
    return Now(
        to_confirm=reading.offers_to_confirm(user.sub),
        submitted=reading.submitted_by(user.sub),
        claimed=reading.claimed_by(user.sub),
    )


def _page(user: User, name: str, token: str | None) -> Page[Quest]:
    """Of what somebody has taken on, what is not going on: that stands before it."""
    start = read_token(token, *_bound_to(user, name))
    if name == CREATED:
        return repository.quests.created_by(user.sub, newest_first=True, start=start)
    return repository.quests.performed_by(user.sub, newest_first=True, start=start, keep=_has_ended)


def _has_ended(quest: Quest) -> bool:
    return quest.status not in (CLAIMED, SUBMITTED)


def _bound_to(user: User, name: str) -> tuple[str, ...]:
    return user.sub, "quests:mine", name


def _part(request: SignedInRequest, name: str, page: Page[Quest], people: People, going_on: Now) -> Part:
    token = page.next_token(*_bound_to(request.user, name))
    # The other list stays where it is.
    others = {other: request.GET[other] for other in (CREATED, PERFORMED) if other in request.GET}
    is_first_page = name not in request.GET
    first = going_on.taken_on if is_first_page and name == PERFORMED else []
    return Part(
        name=name,
        cards=telling.cards([*first, *page.items], people),
        next_address=f"?{urlencode(others | {name: token})}" if token else "",
        is_first_page=is_first_page,
    )


def _waiting(going_on: Now, people: People) -> list[Waiting]:
    """What the next step of is this person's: confirmations first, then work to do, the most urgent first."""
    confirm = [*going_on.to_confirm, *reading.work_to_confirm(going_on.submitted)]
    told = [(quest, _("Confirm the work")) for quest in confirm]
    told += [(quest, _("Do it and submit your work")) for quest in going_on.claimed]
    return [Waiting(telling.card(quest, people), what) for quest, what in told]
