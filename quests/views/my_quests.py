"""My quests: the next steps, then the lists of created and performed quests."""

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
from quests import presenters, queries, repository
from quests.models import CLAIMED, SUBMITTED, Quest
from quests.presenters import Card
from quests.queries import Participants

CREATED, PERFORMED = "created", "performed"


@dataclass(frozen=True)
class QuestList:
    """One of the two lists. HTMX loads more of one list only."""

    name: str
    cards: list[Card]
    next_address: str
    is_first_page: bool


@dataclass(frozen=True)
class NextStep:
    card: Card
    text: Text


@dataclass(frozen=True)
class InProgress:
    """Quests in progress, whatever their age: three requests."""

    to_confirm: list[Quest]
    submitted: list[Quest]
    claimed: list[Quest]

    @property
    def taken_on(self) -> list[Quest]:
        return [*self.claimed, *self.submitted]

    def all(self) -> list[Quest]:
        return [*self.to_confirm, *self.taken_on]


NONE_IN_PROGRESS = InProgress([], [], [])


@requires("quests.quest.view")
@require_safe
def my_quests(request: SignedInRequest) -> HttpResponse:
    """Seven requests: the session, the quests in progress (three), the two lists and the names."""
    user, only = request.user, request.GET.get("list", "")
    names = [only] if only in (CREATED, PERFORMED) else [CREATED, PERFORMED]
    in_progress = NONE_IN_PROGRESS if only in names else _in_progress(user)
    pages = {name: _page(user, name, request.GET.get(name)) for name in names}
    listed = [quest for page in pages.values() for quest in page.items]
    people = queries.participants_of([*listed, *in_progress.all()], user.sub)
    lists = [_quest_list(request, name, page, people, in_progress) for name, page in pages.items()]
    context = {
        "lists": lists,
        "list": lists[0],
        "next_steps": _next_steps(in_progress, people),
        "account": people.accounts.get(user.sub),
    }
    return page_or_partial(request, "quests/mine.html", "more", context)


def _in_progress(user: User) -> InProgress:
    return InProgress(
        to_confirm=queries.offers_to_confirm(user.sub),
        submitted=queries.submitted_by(user.sub),
        claimed=queries.claimed_by(user.sub),
    )


def _page(user: User, name: str, token: str | None) -> Page[Quest]:
    """A page of one list. Performed quests in progress are left out: they stand before the first page."""
    start = read_token(token, *_token_scope(user, name))
    if name == CREATED:
        return repository.quests.created_by(user.sub, newest_first=True, start=start)
    return repository.quests.performed_by(user.sub, newest_first=True, start=start, keep=_has_ended)


def _has_ended(quest: Quest) -> bool:
    return quest.status not in (CLAIMED, SUBMITTED)


def _token_scope(user: User, name: str) -> tuple[str, ...]:
    return user.sub, "quests:mine", name


def _quest_list(
    request: SignedInRequest, name: str, page: Page[Quest], people: Participants, in_progress: InProgress
) -> QuestList:
    token = page.next_token(*_token_scope(request.user, name))
    # Keep the position in the other list.
    others = {other: request.GET[other] for other in (CREATED, PERFORMED) if other in request.GET}
    is_first_page = name not in request.GET
    first = in_progress.taken_on if is_first_page and name == PERFORMED else []
    return QuestList(
        name=name,
        cards=presenters.cards([*first, *page.items], people),
        next_address=f"?{urlencode(others | {name: token})}" if token else "",
        is_first_page=is_first_page,
    )


def _next_steps(in_progress: InProgress, people: Participants) -> list[NextStep]:
    """Quests whose next step is the user's: confirmations first, then claimed work, the most urgent first."""
    confirm = [*in_progress.to_confirm, *queries.work_to_confirm(in_progress.submitted)]
    steps = [(quest, _("Confirm the work")) for quest in confirm]
    steps += [(quest, _("Do it and submit your work")) for quest in in_progress.claimed]
    return [NextStep(presenters.card(quest, people), text) for quest, text in steps]
