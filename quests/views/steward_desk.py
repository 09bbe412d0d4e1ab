"""The stewards' desk: disputes, stale claims, failed rewards, expiring offers, people and settings."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.accounts.user import User
from core.crud.http import page_or_partial
from core.dynamo import search
from core.dynamo.attributes import now
from core.dynamo.errors import Text
from core.dynamo.paging import DEFAULT_LIMIT, Page, read_token
from core.dynamo.registry import records_at
from core.dynamo.search_index import SHORTEST
from core.people.forms import searched
from quests import flags, queries, repository, rules
from quests.models import ABANDONED, CLAIMED, DISPUTED, OPEN, PENDING, Account, FailedReward, Quest
from quests.services.accounts import objection_to_adjust
from quests.services.expiry import STALE_MARGIN

EXPIRING_WITHIN = timedelta(days=7)
SCREENS: list[tuple[str, Text]] = [
    ("desk", gettext_lazy("Disputes")),
    ("desk-claims", gettext_lazy("Stale claims")),
    ("desk-rewards", gettext_lazy("Failed rewards")),
    ("desk-expiring", gettext_lazy("Expiring soon")),
    ("desk-people", gettext_lazy("People")),
    ("desk-settings", gettext_lazy("Settings and report")),
]
REWARD_STATUSES: dict[str, Text] = {
    PENDING: gettext_lazy("To be tried again"),
    ABANDONED: gettext_lazy("Given up"),
}


@dataclass(frozen=True)
class Cell:
    """One value of a row: a text or a time."""

    title: Text
    text: Text = ""
    at: datetime | None = None


@dataclass(frozen=True)
class Button:
    name: str
    title: Text
    address: str
    is_dangerous: bool = False


@dataclass(frozen=True)
class Row:
    title: str
    address: str
    cells: Sequence[Cell]
    buttons: Sequence[Button] = field(default_factory=tuple)
    # Why there is no button.
    objection: str = ""


@dataclass(frozen=True)
class EmptyState:
    title: Text
    text: Text


@requires("quests.quest.decide")
@require_safe
def disputes(request: SignedInRequest) -> HttpResponse:
    """The oldest quests first."""
    page = repository.quests.with_status(DISPUTED, **_page_options(request, "desk"))
    people = queries.participants_of(page.items)
    rows = [_dispute_row(request.user, quest, people) for quest in page.items]
    empty = EmptyState(
        _("No disputes"), _("When two people do not agree, their quest waits here for a steward.")
    )
    return _screen(request, "desk", page, rows, empty)


@requires("quests.quest.decide")
@require_safe
def claims(request: SignedInRequest) -> HttpResponse:
    """Claims without a result that end soon."""
    ends = now() + STALE_MARGIN
    page = repository.quests.with_status(
        CLAIMED, keep=lambda quest: quest.claim_has_expired(ends), **_page_options(request, "desk-claims")
    )
    people = queries.participants_of(page.items)
    rows = [_claim_row(quest, people) for quest in page.items]
    empty = EmptyState(_("Nothing is stale"), _("Claims that end within four days are listed here."))
    return _screen(request, "desk-claims", page, rows, empty)


@requires("quests.quest.decide")
@require_safe
def expiring(request: SignedInRequest) -> HttpResponse:
    """Open quests that expire within a week."""
    ends = now() + EXPIRING_WITHIN
    page = repository.quests.with_status(
        OPEN,
        keep=lambda quest: quest.has_expired(ends) and not quest.has_expired(),
        **_page_options(request, "desk-expiring"),
    )
    people = queries.participants_of(page.items)
    rows = [_offer_row(quest, people) for quest in page.items]
    empty = EmptyState(_("Nothing ends soon"), _("Offers that end within seven days are listed here."))
    return _screen(request, "desk-expiring", page, rows, empty)


@requires("quests.reward.view")
@require_safe
def rewards(request: SignedInRequest) -> HttpResponse:
    """The oldest first; names of people and quests are read by one request."""
    status = _selected_status(request, REWARD_STATUSES)
    page = repository.failed_rewards.with_status(status, **_page_options(request, "desk-rewards", status))
    refs = [("account", record.user_id) for record in page.items]
    refs += [("quest", record.quest_id) for record in page.items]
    found = records_at(refs)
    rows = [
        _reward_row(record, found.get(("account", record.user_id)), found.get(("quest", record.quest_id)))
        for record in page.items
    ]
    empty = EmptyState(
        _("No failed rewards"), _("A reward that could not be booked is kept here until it is.")
    )
    return _screen(request, "desk-rewards", page, rows, empty, choices=REWARD_STATUSES, selected=status)


@requires("quests.account.adjust")
@require_safe
def people(request: SignedInRequest) -> HttpResponse:
    """Accounts found by name; without a search nobody is listed."""
    text = searched(request.GET.get("q", ""))
    found = search.search(text, ["quests"], may_see=lambda _kept, _record: True, entities={"account"})
    context = {
        "rows": [_account_row(request.user, hit.item) for hit in found.hits if isinstance(hit.item, Account)],
        "q": text,
        "is_too_short": len(text) < SHORTEST,
        "has_more": bool(found.next_keys),
        "screens": SCREENS,
        "screen": "desk-people",
    }
    return page_or_partial(request, "quests/desk_people.html", "results", context)


@requires("quests.quest.decide")
@require_safe
def board_settings(request: SignedInRequest) -> HttpResponse:
    context = {
        "flags": flags.flag_states(request.user),
        "categories": rules.CATEGORIES.items(),
        "screens": SCREENS,
        "screen": "desk-settings",
    }
    return render(request, "quests/desk_settings.html", context)


# --- Rows ---------------------------------------------------------------------------------------------------


def _dispute_row(user: User, quest: Quest, people: queries.Participants) -> Row:
    objection = rules.objection("decide", user, quest)
    button = Button("decide", _("Decide"), reverse("quests:desk-decide", args=[quest.id]))
    return Row(
        title=quest.title,
        address=_quest_url(quest),
        cells=[
            Cell(_("Offered by"), people.name(quest.creator_id)),
            Cell(_("Taken on by"), people.name(quest.performer_id)),
            Cell(_("Disputed"), at=quest.disputed_at),
        ],
        buttons=[] if objection else [button],
        objection=str(objection or ""),
    )


def _claim_row(quest: Quest, people: queries.Participants) -> Row:
    return Row(
        title=quest.title,
        address=_quest_url(quest),
        cells=[
            Cell(_("Taken on by"), people.name(quest.performer_id)),
            Cell(_("Since"), at=quest.claimed_at),
            Cell(_("Ends"), at=quest.claim_expires_at),
        ],
        buttons=[Button("recall", _("Recall"), reverse("quests:desk-recall", args=[quest.id]))],
    )


def _offer_row(quest: Quest, people: queries.Participants) -> Row:
    return Row(
        title=quest.title,
        address=_quest_url(quest),
        cells=[
            Cell(_("Offered by"), people.name(quest.creator_id)),
            Cell(_("Ends"), at=quest.expires_at),
        ],
    )


def _reward_row(record: FailedReward, account: Any, quest: Any) -> Row:
    verbs = {"retry": _("Retry now"), "abandon": _("Give up")}
    if record.status == ABANDONED:
        verbs = {"reopen": _("Reopen")}
    reward_text = _("%(xp)d XP, %(reputation)d reputation, %(points)d points")
    tries = ngettext("%d try", "%d tries", int(record.retry_count)) % record.retry_count
    return Row(
        title=quest.title if quest else _("A quest that was deleted"),
        address=_quest_url(quest) if quest else "",
        cells=[
            Cell(_("For"), account.username if account else _("Somebody without an account")),
            Cell(
                _("Reward"),
                reward_text
                % {
                    "xp": record.xp,
                    "reputation": record.reputation,
                    "points": record.quest_points,
                },
            ),
            Cell(_("Why"), f"{record.error} ({tries})"),
            Cell(_("Since"), at=record.created_at),
        ],
        buttons=[
            Button(
                verb,
                title,
                reverse(f"quests:desk-{verb}", args=[record.id]),
                is_dangerous=verb == "abandon",
            )
            for verb, title in verbs.items()
        ],
    )


def _account_row(user: User, account: Account) -> Row:
    objection = objection_to_adjust(user, account.id)
    button = Button("adjust", _("Adjust points"), reverse("quests:adjust", args=[account.id]))
    return Row(
        title=account.username,
        address=reverse("quests:person", args=[account.id]),
        cells=[
            Cell(_("Points"), str(int(account.points))),
            Cell(_("XP"), str(int(account.experience))),
            Cell(_("Completed"), str(int(account.quests_completed))),
        ],
        buttons=[] if objection else [button],
        objection=str(objection or ""),
    )


# --- Shared by the screens ----------------------------------------------------------------------------------


def _screen(
    request: SignedInRequest,
    screen: str,
    page: Page[Any],
    rows: Sequence[Row],
    empty: EmptyState,
    *,
    choices: dict[str, Text] | None = None,
    selected: str = "",
) -> HttpResponse:
    context = {
        "screens": SCREENS,
        "screen": screen,
        "rows": rows,
        "empty": empty,
        "choices": (choices or {}).items(),
        "selected": selected,
        "next_token": page.next_token(*_token_scope(request, screen, selected)),
        "is_first_page": not request.GET.get("after"),
    }
    return page_or_partial(request, "quests/desk.html", "rows", context)


def _page_options(request: SignedInRequest, screen: str, selected: str = "") -> Any:
    """The page size and the start key of the request."""
    start = read_token(request.GET.get("after"), *_token_scope(request, screen, selected))
    return {"limit": DEFAULT_LIMIT, "start": start}


def _token_scope(request: SignedInRequest, screen: str, selected: str) -> tuple[str, ...]:
    return (request.user.sub, f"quests:{screen}", selected)


def _selected_status(request: SignedInRequest, choices: dict[str, Text]) -> str:
    wanted = request.GET.get("status", "")
    return wanted if wanted in choices else next(iter(choices))


def _quest_url(quest: Quest) -> str:
    return reverse("quests:quest-record", args=[quest.id])
