"""What somebody offers and has taken on: what waits for them first, then the two lists."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.rights import SignedInRequest, requires
from accounts.user import User
from crud.http import page_or_partial
from dynamo.errors import Text
from dynamo.paging import Page, read_token
from quests import reading, repository, telling
from quests.models import CLAIMED, Quest
from quests.reading import People
from quests.resources import waits_for
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


@requires("quests.quest.view")
@require_safe
def mine(request: SignedInRequest) -> HttpResponse:
    """Four requests: the session, the two lists and the names."""
    user, only = request.user, request.GET.get("list", "")
    wanted = [only] if only in (CREATED, PERFORMED) else [CREATED, PERFORMED]
    pages = {name: _page(user, name, request.GET.get(name)) for name in wanted}
    shown = [quest for page in pages.values() for quest in page.items]
    people = reading.people_of(shown, user.sub)
    parts = [_part(request, name, page, people) for name, page in pages.items()]
    context = {
        "parts": parts,
        "part": parts[0],
        "waiting": _waiting(user, shown, people),
        "account": people.accounts.get(user.sub),
    }
    return page_or_partial(request, "quests/mine.html", "more", context)


def _page(user: User, name: str, token: str | None) -> Page[Quest]:
    start = read_token(token, *_bound_to(user, name))
    read = repository.quests.created_by if name == CREATED else repository.quests.performed_by
    return read(user.sub, newest_first=True, start=start)


def _bound_to(user: User, name: str) -> tuple[str, ...]:
    return user.sub, "quests:mine", name


def _part(request: SignedInRequest, name: str, page: Page[Quest], people: People) -> Part:
    token = page.next_token(*_bound_to(request.user, name))
    # The other list stays where it is.
    others = {other: request.GET[other] for other in (CREATED, PERFORMED) if other in request.GET}
    return Part(
        name=name,
        cards=telling.cards(page.items, people),
        next_address=f"?{urlencode(others | {name: token})}" if token else "",
        is_first_page=name not in request.GET,
    )


def _waiting(user: User, quests: list[Quest], people: People) -> list[Waiting]:
    """What the next step of is this person's: confirmations first, then work to do, the most urgent first."""
    confirm = [quest for quest in quests if waits_for(user, quest)]
    do = [quest for quest in quests if quest.status == CLAIMED and quest.performer_id == user.sub]
    do.sort(key=lambda quest: quest.claim_expires_at or quest.created_at)
    told = [(quest, _("Confirm the work")) for quest in confirm]
    told += [(quest, _("Do it and submit your work")) for quest in do]
    return [Waiting(telling.card(quest, people), what) for quest, what in told]
