"""My quests: the next steps, then the lists of created and performed quests."""

from itertools import chain
from typing import NamedTuple
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
from quests.models import CLAIMED, PERFORMER, SUBMITTED, Quest
from quests.presenters import Card
from quests.queries import Participants

CREATED, PERFORMED = "created", "performed"


class QuestList(NamedTuple):
    """One of the two lists. HTMX loads more of one list only."""

    name: str
    cards: list[Card]
    next_address: str
    is_first_page: bool


class NextStep(NamedTuple):
    card: Card
    text: Text


class InProgress(NamedTuple):
    """Quests in progress, whatever their age."""

    to_confirm: list[Quest]
    claimed: list[Quest]
    submitted: list[Quest]


@requires("quests.quest.view")
@require_safe
def my_quests(request: SignedInRequest) -> HttpResponse:
    """Seven requests: the session, the quests in progress (three), the two lists and the names."""
    user, only = request.user, request.GET.get("list", "")
    names = [only] if only in (CREATED, PERFORMED) else [CREATED, PERFORMED]
    in_progress = InProgress([], [], [])
    if only not in names:
        in_progress = InProgress(
            queries.offers_to_confirm(user.sub), queries.claimed_by(user.sub), queries.submitted_by(user.sub)
        )
    pages = {name: _page(user, name, request.GET.get(name)) for name in names}
    listed = chain(*in_progress, *(page.items for page in pages.values()))
    people = queries.participants_of(listed, user.sub)
    lists = [_quest_list(request, name, page, people, in_progress) for name, page in pages.items()]
    context = {
        "lists": lists,
        "list": lists[0],
        "next_steps": [
            NextStep(presenters.card(quest, people), text) for quest, text in _next_steps(in_progress)
        ],
        "account": people.accounts.get(user.sub),
    }
    return page_or_partial(request, "quests/mine.html", "more", context)


def _page(user: User, name: str, token: str | None) -> Page[Quest]:
    """A page of one list. Performed quests in progress are left out: they stand before the first page."""
    start = read_token(token, *_token_scope(user, name))
    if name == CREATED:
        return repository.quests.created_by(user.sub, newest_first=True, start=start)
    return repository.quests.performed_by(
        user.sub, newest_first=True, start=start, keep=lambda quest: quest.status not in (CLAIMED, SUBMITTED)
    )


def _quest_list(
    request: SignedInRequest, name: str, page: Page[Quest], people: Participants, in_progress: InProgress
) -> QuestList:
    is_first_page = name not in request.GET
    has_begun = is_first_page and name == PERFORMED
    first = [*in_progress.claimed, *in_progress.submitted] if has_begun else []
    # The link keeps the position in the other list.
    others = {other: request.GET[other] for other in (CREATED, PERFORMED) if other in request.GET}
    token = page.next_token(*_token_scope(request.user, name))
    return QuestList(
        name=name,
        cards=[presenters.card(quest, people) for quest in (*first, *page.items)],
        next_address=f"?{urlencode(others | {name: token})}" if token else "",
        is_first_page=is_first_page,
    )


def _token_scope(user: User, name: str) -> tuple[str, ...]:
    return user.sub, "quests:mine", name


def _next_steps(in_progress: InProgress) -> list[tuple[Quest, Text]]:
    """Quests whose next step is the user's: confirmations first, then claimed work, the most urgent first."""
    submitted = [quest for quest in in_progress.submitted if not quest.has_attested(PERFORMER)]
    confirm = [*in_progress.to_confirm, *submitted]
    steps: list[tuple[Quest, Text]] = [(quest, _("Confirm the work")) for quest in confirm]
    return [*steps, *((quest, _("Do it and submit your work")) for quest in in_progress.claimed)]
