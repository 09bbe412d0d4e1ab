"""The stewards' desk: what needs a decision, what has waited for too long, and whose points are wrong."""

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
from quests import flags, reading, repository, rules
from quests.models import ABANDONED, CLAIMED, DISPUTED, OPEN, PENDING, Account, FailedReward, Quest
from quests.services.accounts import objection_to_adjust
from quests.services.sweeping import STALE_BEFORE_END

SOON = timedelta(days=7)
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
    """One figure of a row: words, or a moment."""

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
class Empty:
    title: Text
    text: Text


@requires("quests.quest.decide")
@require_safe
def disputes(request: SignedInRequest) -> HttpResponse:
    """The oldest quests first."""
    page = repository.quests.with_status(DISPUTED, **_place(request, "desk"))
    people = reading.people_of(page.items)
    rows = [_dispute(request.user, quest, people) for quest in page.items]
    empty = Empty(_("No disputes"), _("When two people do not agree, their quest waits here for a steward."))
    return _screen(request, "desk", page, rows, empty)


@requires("quests.quest.decide")
@require_safe
def claims(request: SignedInRequest) -> HttpResponse:
    """What somebody holds without a result, shortly before the claim ends by itself."""
    ends = now() + STALE_BEFORE_END
    page = repository.quests.with_status(
        CLAIMED, keep=lambda quest: quest.claim_has_expired(ends), **_place(request, "desk-claims")
    )
    people = reading.people_of(page.items)
    rows = [_claim(quest, people) for quest in page.items]
    empty = Empty(_("Nothing is stale"), _("Claims that end within four days are listed here."))
    return _screen(request, "desk-claims", page, rows, empty)


@requires("quests.quest.decide")
@require_safe
def expiring(request: SignedInRequest) -> HttpResponse:
    """Offers that end within a week: somebody may want to be asked."""
    ends = now() + SOON
    page = repository.quests.with_status(
        OPEN,
        keep=lambda quest: quest.has_expired(ends) and not quest.has_expired(),
        **_place(request, "desk-expiring"),
    )
    people = reading.people_of(page.items)
    rows = [_offer(quest, people) for quest in page.items]
    empty = Empty(_("Nothing ends soon"), _("Offers that end within seven days are listed here."))
    return _screen(request, "desk-expiring", page, rows, empty)


@requires("quests.reward.view")
@require_safe
def rewards(request: SignedInRequest) -> HttpResponse:
    """The oldest first, with the names of people and quests in one request."""
    status = _chosen(request, REWARD_STATUSES)
    page = repository.failed_rewards.with_status(status, **_place(request, "desk-rewards", status))
    places = [("account", record.user_id) for record in page.items]
    places += [("quest", record.quest_id) for record in page.items]
    found = records_at(places)
    rows = [
        _reward(record, found.get(("account", record.user_id)), found.get(("quest", record.quest_id)))
        for record in page.items
    ]
    empty = Empty(_("No failed rewards"), _("A reward that could not be booked is kept here until it is."))
    return _screen(request, "desk-rewards", page, rows, empty, choices=REWARD_STATUSES, chosen=status)


@requires("quests.account.adjust")
@require_safe
def people(request: SignedInRequest) -> HttpResponse:
    """Nobody is listed: a person is looked up by name."""
    text = searched(request.GET.get("q", ""))
    found = search.search(text, ["quests"], may_see=lambda _kept, _record: True, entities={"account"})
    context = {
        "rows": [_person(request.user, hit.item) for hit in found.hits if isinstance(hit.item, Account)],
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
        "flags": flags.shown(request.user),
        "categories": rules.CATEGORIES.items(),
        "screens": SCREENS,
        "screen": "desk-settings",
    }
    return render(request, "quests/desk_settings.html", context)


# --- Rows ---------------------------------------------------------------------------------------------------


def _dispute(user: User, quest: Quest, people: reading.People) -> Row:
    objection = rules.objection("decide", user, quest)
    button = Button("decide", _("Decide"), reverse("quests:desk-decide", args=[quest.id]))
    return Row(
        title=quest.title,
        address=_address(quest),
        cells=[
            Cell(_("Offered by"), people.name(quest.creator_id)),
            Cell(_("Taken on by"), people.name(quest.performer_id)),
            Cell(_("Disputed"), at=quest.disputed_at),
        ],
        buttons=[] if objection else [button],
        objection=str(objection or ""),
    )


def _claim(quest: Quest, people: reading.People) -> Row:
    return Row(
        title=quest.title,
        address=_address(quest),
        cells=[
            Cell(_("Taken on by"), people.name(quest.performer_id)),
            Cell(_("Since"), at=quest.claimed_at),
            Cell(_("Ends"), at=quest.claim_expires_at),
        ],
        buttons=[Button("recall", _("Recall"), reverse("quests:desk-recall", args=[quest.id]))],
    )


def _offer(quest: Quest, people: reading.People) -> Row:
    return Row(
        title=quest.title,
        address=_address(quest),
        cells=[
            Cell(_("Offered by"), people.name(quest.creator_id)),
            Cell(_("Ends"), at=quest.expires_at),
        ],
    )


def _reward(record: FailedReward, account: Any, quest: Any) -> Row:
    verbs = {"retry": _("Retry now"), "abandon": _("Give up")}
    if record.status == ABANDONED:
        verbs = {"reopen": _("Reopen")}
    booked = _("%(xp)d XP, %(reputation)d reputation, %(points)d points")
    tries = ngettext("%d try", "%d tries", int(record.retry_count)) % record.retry_count
    return Row(
        title=quest.title if quest else _("A quest that was deleted"),
        address=_address(quest) if quest else "",
        cells=[
            Cell(_("For"), account.username if account else _("Somebody without an account")),
            Cell(
                _("Reward"),
                booked
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


def _person(user: User, account: Account) -> Row:
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


# --- How it is shown ----------------------------------------------------------------------------------------


def _screen(
    request: SignedInRequest,
    screen: str,
    page: Page[Any],
    rows: Sequence[Row],
    empty: Empty,
    *,
    choices: dict[str, Text] | None = None,
    chosen: str = "",
) -> HttpResponse:
    context = {
        "screens": SCREENS,
        "screen": screen,
        "rows": rows,
        "empty": empty,
        "choices": (choices or {}).items(),
        "chosen": chosen,
        "next_token": page.next_token(*_bound_to(request, screen, chosen)),
        "is_first_page": not request.GET.get("after"),
    }
    return page_or_partial(request, "quests/desk.html", "rows", context)


def _place(request: SignedInRequest, screen: str, chosen: str = "") -> Any:
    """How many and from where."""
    start = read_token(request.GET.get("after"), *_bound_to(request, screen, chosen))
    return {"limit": DEFAULT_LIMIT, "start": start}


def _bound_to(request: SignedInRequest, screen: str, chosen: str) -> tuple[str, ...]:
    return (request.user.sub, f"quests:{screen}", chosen)


def _chosen(request: SignedInRequest, choices: dict[str, Text]) -> str:
    wanted = request.GET.get("status", "")
    return wanted if wanted in choices else next(iter(choices))


def _address(quest: Quest) -> str:
    return reverse("quests:quest-record", args=[quest.id])
