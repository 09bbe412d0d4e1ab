"""People of the board: a person's page, with the wallet form on one's own, and the leaderboard of a month."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, may, requires
from core.crud.form_page import FormPage
from core.crud.http import page_or_partial
from core.crud.months import Month
from core.dynamo.attributes import now
from core.dynamo.errors import Text
from core.dynamo.paging import DEFAULT_LIMIT, Page, StartKey, read_token
from quests import limits, presenters, queries, repository, reputation, rules
from quests.forms import WalletForm
from quests.levels import Level, level_of
from quests.models import Account, LedgerRow
from quests.months import first_day_of
from quests.repository.ledger import ELSEWHERE, OPENING, SETTLED
from quests.services import accounts

TAKEN_ON, OFFERED, BOOKED = "taken-on", "offered", "booked"
TABS: dict[str, Text] = {
    TAKEN_ON: gettext_lazy("Claimed"),
    OFFERED: gettext_lazy("Offered"),
    BOOKED: gettext_lazy("Points and XP"),
}
BOOKING_KINDS: Mapping[str, Text] = {
    "start": gettext_lazy("Starting points"),
    "create": gettext_lazy("Offered"),
    "refund": gettext_lazy("Point returned"),
    "reward": gettext_lazy("Completed"),
    "adjust": gettext_lazy("Adjusted by a steward"),
    OPENING: gettext_lazy("From before"),
    ELSEWHERE: gettext_lazy("Booked by another program"),
    SETTLED: gettext_lazy("Paid by another program"),
}


class Profile(NamedTuple):
    """The values of a profile; private ones are None unless the viewer may see them."""

    key: str
    name: str
    since: datetime
    level: Level
    experience: int
    reputation: int
    created: int
    completed: int
    is_own: bool
    points: int | None = None
    email: str | None = None


@requires("quests.account.view")
@require_safe
def profile(request: SignedInRequest, key: str) -> HttpResponse:
    is_own = key == request.user.sub
    account = repository.accounts.get(key, strong=is_own)
    form = WalletForm(initial={"wallet": account.wallet_address}) if is_own else None
    return _page(request, account, form)


@requires("quests.account.view")
class SaveWallet(FormPage[WalletForm]):
    """Save the user's own wallet address."""

    http_method_names = ["post"]
    form_class = WalletForm
    success_message = gettext_lazy("Wallet address saved.")

    def save(self) -> None:
        limits.enforce_limit("wallet", self.request.user.sub)
        accounts.set_wallet(self.request.user, self.form.cleaned_data["wallet"], once=self.once)

    def show(self, status: int = 200) -> HttpResponse:
        return _page(self.request, accounts.get_own_account(self.request.user), self.form, status=status)

    def success_url(self) -> str:
        return reverse("quests:person", args=[self.request.user.sub])


def _page(
    request: SignedInRequest, account: Account, form: WalletForm | None, *, status: int = 200
) -> HttpResponse:
    person = _profile(request, account)
    tabs = [tab for tab in TABS if tab != BOOKED or person.points is not None]
    tab = request.GET.get("show", "")
    tab = tab if tab in tabs else tabs[0]
    token_scope = (request.user.sub, "quests:person", account.id, tab)
    start = read_token(request.GET.get("after"), *token_scope)
    page = _rows(account.id, tab, start)
    context: dict[str, Any] = {
        "profile": person,
        "form": form,
        "may_adjust": may(request.user, "quests.account.adjust") and not person.is_own,
        "tab": tab,
        "tabs": [(name, TABS[name]) for name in tabs],
        "bookings": _bookings(page.items) if tab == BOOKED else [],
        "quests": [(quest, presenters.badge_of(quest)) for quest in page.items] if tab != BOOKED else [],
        "next_token": page.next_token(*token_scope),
        "is_first_page": start is None,
    }
    return page_or_partial(request, "quests/person.html", "more" if start else "rows", context, status=status)


def _profile(request: SignedInRequest, account: Account) -> Profile:
    is_own = account.id == request.user.sub
    return Profile(
        key=account.id,
        name=account.username,
        since=account.created_at,
        level=level_of(int(account.experience)),
        experience=int(account.experience),
        reputation=reputation.current_reputation(repository.ledger.booked(account.id), now()),
        created=int(account.quests_created),
        completed=int(account.quests_completed),
        is_own=is_own,
        points=int(account.points) if rules.may_see_points(request.user, account.id) else None,
        email=account.email if is_own else None,
    )


def _rows(key: str, tab: str, start: StartKey | None) -> Page[Any]:
    if tab == BOOKED:
        return repository.ledger.of_user(key, limit=DEFAULT_LIMIT, start=start)
    find = repository.quests.performed_by if tab == TAKEN_ON else repository.quests.created_by
    return find(key, newest_first=True, limit=DEFAULT_LIMIT, start=start)


def _bookings(rows: Sequence[LedgerRow]) -> list[tuple[LedgerRow, Text, str]]:
    """Ledger rows with their titles, and with the name of the steward who made an adjustment."""
    stewards = queries.participants(row.actor_id for row in rows if row.kind == "adjust")
    return [
        (
            row,
            BOOKING_KINDS.get(row.kind, row.kind),
            stewards.name(row.actor_id) if row.kind == "adjust" else "",
        )
        for row in rows
    ]


# --- The leaderboard ----------------------------------------------------------------------------------------


@requires("quests.account.view")
@require_safe
def leaders(request: SignedInRequest) -> HttpResponse:
    this_month = first_day_of(now())
    month = min(Month.asked(request.GET.get("month", ""), this_month).first, this_month)
    next_month = (month + timedelta(days=31)).replace(day=1)
    context = {
        "leaders": queries.leaders(f"{month:%Y-%m}"),
        "month": month,
        "earlier": (month - timedelta(days=1)).replace(day=1),
        "later": next_month if next_month <= this_month else None,
        "is_this_month": month == this_month,
        "most": queries.MOST_LEADERS,
    }
    return page_or_partial(request, "quests/leaders.html", "board", context)
