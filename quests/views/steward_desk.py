"""The stewards' desk: disputes, stale claims, failed rewards, expiring offers, people and settings."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.crud.http import page_or_partial
from core.crud.listing import ListBar, searched
from core.dynamo import search
from core.dynamo.attributes import now
from core.dynamo.errors import DataError, Text
from core.dynamo.paging import DEFAULT_LIMIT, Page, read_token
from core.dynamo.registry import records_at
from core.dynamo.search_index import SHORTEST
from quests import flags, queries, repository, rules
from quests.models import ABANDONED, CLAIMED, DISPUTED, OPEN, PENDING, Account, FailedReward, Quest
from quests.services.accounts import objection_to_adjust
from quests.services.expiry import STALE_MARGIN

EXPIRING_WITHIN = timedelta(days=7)


class Screen(NamedTuple):
    """A screen of the desk, and what it says when nothing is listed."""

    title: Text
    nothing: Text = ""
    explanation: Text = ""


SCREENS: Mapping[str, Screen] = {
    "desk": Screen(
        gettext_lazy("Disputes"),
        gettext_lazy("No disputes"),
        gettext_lazy("Quests in dispute wait here for a steward."),
    ),
    "desk-claims": Screen(
        gettext_lazy("Stale claims"),
        gettext_lazy("No stale claims"),
        gettext_lazy("Claims that end within four days appear here."),
    ),
    "desk-rewards": Screen(
        gettext_lazy("Failed rewards"),
        gettext_lazy("No failed rewards"),
        gettext_lazy("Rewards that could not be booked appear here."),
    ),
    "desk-expiring": Screen(
        gettext_lazy("Expiring soon"),
        gettext_lazy("Nothing expires soon"),
        gettext_lazy("Quests that expire within seven days appear here."),
    ),
    "desk-people": Screen(gettext_lazy("People")),
    "desk-settings": Screen(gettext_lazy("Settings and report")),
}
REWARD_STATUSES: dict[str, Text] = {
    PENDING: gettext_lazy("To retry"),
    ABANDONED: gettext_lazy("Given up"),
}


class Cell(NamedTuple):
    """One value of a row: a text or a time."""

    title: Text
    text: Text = ""
    at: datetime | None = None


class Button(NamedTuple):
    title: Text
    address: str
    is_dangerous: bool = False


class Row(NamedTuple):
    title: str
    address: str
    cells: Sequence[Cell]
    buttons: Sequence[Button] = ()
    # Why the steward may not use the buttons.
    objection: DataError | None = None


@requires("quests.quest.decide")
@require_safe
def disputes(request: SignedInRequest) -> HttpResponse:
    """The oldest quests first."""
    page = repository.quests.with_status(DISPUTED, **_page_options(request, "desk"))
    people = queries.participants_of(page.items)
    rows = [
        Row(
            quest.title,
            _quest_url(quest),
            cells=[
                Cell(_("Offered by"), people.name(quest.creator_id)),
                Cell(_("Claimed by"), people.name(quest.performer_id)),
                Cell(_("Disputed"), at=quest.disputed_at),
            ],
            buttons=[Button(_("Resolve"), reverse("quests:desk-decide", args=[quest.id]))],
            objection=rules.objection("decide", request.user, quest),
        )
        for quest in page.items
    ]
    return _list(request, "desk", page, rows)


@requires("quests.quest.decide")
@require_safe
def claims(request: SignedInRequest) -> HttpResponse:
    """Claims without a result that end soon."""
    ends = now() + STALE_MARGIN
    page = repository.quests.with_status(
        CLAIMED, keep=lambda quest: quest.claim_has_expired(ends), **_page_options(request, "desk-claims")
    )
    people = queries.participants_of(page.items)
    rows = [
        Row(
            quest.title,
            _quest_url(quest),
            cells=[
                Cell(_("Claimed by"), people.name(quest.performer_id)),
                Cell(_("Since"), at=quest.claimed_at),
                Cell(_("Ends"), at=quest.claim_expires_at),
            ],
            buttons=[Button(_("Recall"), reverse("quests:desk-recall", args=[quest.id]))],
        )
        for quest in page.items
    ]
    return _list(request, "desk-claims", page, rows)


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
    rows = [
        Row(
            quest.title,
            _quest_url(quest),
            cells=[
                Cell(_("Offered by"), people.name(quest.creator_id)),
                Cell(_("Ends"), at=quest.expires_at),
            ],
        )
        for quest in page.items
    ]
    return _list(request, "desk-expiring", page, rows)


@requires("quests.reward.view")
@require_safe
def rewards(request: SignedInRequest) -> HttpResponse:
    """The oldest first; names of people and quests are read by one request."""
    status = request.GET.get("status", "")
    status = status if status in REWARD_STATUSES else PENDING
    page = repository.failed_rewards.with_status(status, **_page_options(request, "desk-rewards", status))
    refs = [("account", record.user_id) for record in page.items]
    refs += [("quest", record.quest_id) for record in page.items]
    found = records_at(refs)
    rows = [
        _reward_row(record, found.get(("account", record.user_id)), found.get(("quest", record.quest_id)))
        for record in page.items
    ]
    return _list(request, "desk-rewards", page, rows, choices=REWARD_STATUSES, selected=status)


def _reward_row(record: FailedReward, account: Any, quest: Any) -> Row:
    verbs = {"retry": _("Retry now"), "abandon": _("Give up")}
    if record.status == ABANDONED:
        verbs = {"reopen": _("Reopen")}
    reward = _("%(xp)d XP, %(reputation)d reputation, %(points)d points") % {
        "xp": record.xp,
        "reputation": record.reputation,
        "points": record.quest_points,
    }
    tries = ngettext("%d try", "%d tries", int(record.retry_count)) % record.retry_count
    return Row(
        title=quest.title if quest else _("Deleted quest"),
        address=_quest_url(quest) if quest else "",
        cells=[
            Cell(_("For"), account.username if account else _("Someone without an account")),
            Cell(_("Reward"), reward),
            Cell(_("Why"), f"{record.error} ({tries})"),
            Cell(_("Since"), at=record.created_at),
        ],
        buttons=[
            Button(title, reverse(f"quests:desk-{verb}", args=[record.id]), is_dangerous=verb == "abandon")
            for verb, title in verbs.items()
        ],
    )


@requires("quests.account.adjust")
@require_safe
def people(request: SignedInRequest) -> HttpResponse:
    """Accounts found by name; without a search nobody is listed."""
    text = searched(request.GET.get("q", ""))
    found = search.search(text, ["quests"], may_see=lambda _kept, _record: True, entities={"account"})
    accounts = [hit.item for hit in found.hits if isinstance(hit.item, Account)]
    rows = [
        Row(
            account.username,
            reverse("quests:person", args=[account.id]),
            cells=[
                Cell(_("Points"), str(int(account.points))),
                Cell(_("XP"), str(int(account.experience))),
                Cell(_("Completed"), str(int(account.quests_completed))),
            ],
            buttons=[Button(_("Adjust points"), reverse("quests:adjust", args=[account.id]))],
            objection=objection_to_adjust(request.user, account.id),
        )
        for account in accounts
    ]
    context = _context("desk-people") | {
        "rows": rows,
        "bar": ListBar(
            address=reverse("quests:desk-people"),
            found=ngettext("%d person", "%d people", len(rows)) % len(rows) if text else "",
            text=text,
            search_label=_("Name"),
        ),
        "is_too_short": len(text) < SHORTEST,
        "has_more": bool(found.next_keys),
    }
    return page_or_partial(request, "quests/desk_people.html", "results", context)


@requires("quests.quest.decide")
@require_safe
def board_settings(request: SignedInRequest) -> HttpResponse:
    context = _context("desk-settings") | {
        "flags": flags.flag_states(request.user),
        "categories": rules.CATEGORIES.items(),
    }
    return render(request, "quests/desk_settings.html", context)


# --- Shared by the screens ----------------------------------------------------------------------------------


def _list(
    request: SignedInRequest,
    name: str,
    page: Page[Any],
    rows: Sequence[Row],
    *,
    choices: Mapping[str, Text] | None = None,
    selected: str = "",
) -> HttpResponse:
    context = _context(name) | {
        "rows": rows,
        "choices": (choices or {}).items(),
        "selected": selected,
        "next_token": page.next_token(*_token_scope(request, name, selected)),
        "is_first_page": not request.GET.get("after"),
    }
    return page_or_partial(request, "quests/desk.html", "rows", context)


def _context(name: str) -> dict[str, Any]:
    return {"screens": SCREENS.items(), "name": name, "screen": SCREENS[name]}


def _page_options(request: SignedInRequest, name: str, selected: str = "") -> Any:
    """The page size and the start key of the request."""
    start = read_token(request.GET.get("after"), *_token_scope(request, name, selected))
    return {"limit": DEFAULT_LIMIT, "start": start}


def _token_scope(request: SignedInRequest, name: str, selected: str) -> tuple[str, ...]:
    return (request.user.sub, f"quests:{name}", selected)


def _quest_url(quest: Quest) -> str:
    return reverse("quests:quest-record", args=[quest.id])
